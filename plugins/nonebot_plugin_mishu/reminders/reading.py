"""The reminders' agents as far as they only read, for whatever looks at a sentence and does nothing. Pure."""

from __future__ import annotations

from ..agents import Clause
from ..agents.api.frame import NOTHING_READ, AgentFrame
from ..agents.builtin import ReadingAgent
from . import agent
from .calendars import agent as calendar_agent


def reading_agents() -> tuple[ReadingAgent, ...]:
    """Their pure halves, in routing order."""
    return tuple(
        ReadingAgent(each.CODE, each.rules, _read_nothing, False, {}) for each in (agent, calendar_agent)
    )


def _read_nothing(intent: str, clause: Clause) -> AgentFrame:
    return NOTHING_READ
