"""Actions: what each costs before its reply, in calls, tokens and round trips, beside version 0.1's.

In process, over an endpoint on a socket that answers each call after a second as an honest model would. Calls
side by side are one round trip. What 0.1 took was counted when it was tried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from .instances.hurried import IdleLoop
from .instances.office import load_plugin
from .measurement import Measurement
from .watching import ANSWERS, CALL, Endpoint, running


@dataclass(frozen=True)
class Action:
    """What is said, after what, and what 0.1 took for it."""

    name: str
    line: str
    before: str = ""
    answers: tuple[tuple[str, Any], ...] = ()
    called: bool = True
    most: int = 1
    """Round trips it may take."""
    then: str = "2 to 4 calls in a row"


def _frame(agent: str, intent: str, text: str, **slots: str) -> dict[str, Any]:
    given = [{"name": name, "value": value} for name, value in slots.items()]
    row = {"agent_code": agent, "intent": intent, "slots": given, "priority": 4, "text": text}
    return {"frames": [row], "intent_ops": [], "safety": "SAFE"}


_MOVED: Final = _frame("schedule", "edit", "羽毛球那茬嘎到八点", ref="1", new_time="八点")
_MUM: Final = _frame("tasks", "update_task", "整十点吧", ref="1", startTime="十点")
ACTIONS: Final = (
    Action("an order, sure", "提醒我明天早上8点吃药", most=0, then="1 to 4 calls, 3,000-8,000 tokens"),
    Action("a plan, sure", "添加日程：明天下午三点开会", most=0, then="1 to 4 calls"),
    Action("a question about plans, sure", "这周有什么日程", most=0, then="2 calls"),
    Action("money, sure", "午饭35，打车20", most=0, then="2 calls"),
    Action(
        "a change of a plan, not sure",
        "把羽毛球那茬嘎到八点",
        "添加日程：明天晚上七点羽毛球",
        (("parse_intents", _MOVED),),
    ),
    Action(
        "a change of a task, not sure",
        "我妈那个电话整十点吧 她要追剧",
        "提醒我今天晚上七点给妈打电话",
        (("parse_intents", _MUM),),
    ),
    Action("talk to us", CALL, then="2 calls, one after the other"),
    Action("an overheard plan", "周五下班一起撸串 六点半楼下集合哈", called=False, then="1 call"),
)


async def _played(action: Action) -> tuple[int, int, int, str]:
    """Calls, tokens, round trips until the reply, and the names."""
    endpoint = Endpoint({**ANSWERS, **dict(action.answers)})
    async with running(endpoint) as bot:
        if action.before:
            await bot.called(action.before)
            await asyncio.sleep(10)
        endpoint.calls.clear()
        endpoint.tokens.clear()
        before = endpoint.trips
        await bot.answered(action.line, called=action.called)
        trips = endpoint.trips - before
        names = ", ".join(f"{name} {tokens}" for name, tokens in endpoint.tokens.items())
        return endpoint.calls.total(), endpoint.tokens.total(), trips, names


def run() -> Iterator[Measurement]:
    """Round trips of each action; its calls and tokens stand in `against`."""
    load_plugin()
    for action in ACTIONS:
        with asyncio.Runner(loop_factory=IdleLoop) as runner:
            calls, tokens, trips, names = runner.run(_played(action))
        yield Measurement(
            f"{action.name}",
            trips,
            "round trips",
            against=f"{calls} calls, {tokens} tokens ({names or 'none'}); 0.1: {action.then}",
            goal=f"at most {action.most}",
            met=trips <= action.most,
        )
