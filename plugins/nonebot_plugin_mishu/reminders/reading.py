"""The reminders' agents as far as they only read, for whatever looks at a sentence and does nothing. Pure."""

from __future__ import annotations

from ..agents.builtin import ReadingAgent
from . import agent
from .calendars import agent as calendar_agent


def reading_agents() -> tuple[ReadingAgent, ...]:
    """Their pure halves, in routing order."""
    return tuple(ReadingAgent(each.CODE, each.rules) for each in (agent, calendar_agent))
