"""A test kit for agents: lines said to the real core and agents, without a bot, a network or a model.

    async with Desk.open(spec) as desk:
        asked = await desk.call("小明", "帮我订明天的会议室")
        assert asked.text == "要哪一间？"
        done = await desk.say("小明", "A3")
        assert done.text == "订好了 A3。"

`check_agent(spec)` names what a half-made agent lacks. docs/agents.md tells how to use both.
"""

from .checking import HalfMade, check_agent
from .desk import Desk
from .heard import AgentFailed, OpenQuestion, ReadFrame, Reply, Sent
from .sides import StandingClock

__all__ = [
    "AgentFailed",
    "Desk",
    "HalfMade",
    "OpenQuestion",
    "ReadFrame",
    "Reply",
    "Sent",
    "StandingClock",
    "check_agent",
]
