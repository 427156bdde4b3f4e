"""Codes of the built-in agents, and what their intents do to what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ROUTING: Final = (
    "schedule",
    "tasks",
    "bookkeeping",
    "record",
    "polls",
    "announcements",
    "nudges",
    "term",
)
"""The built-in agents that can be read without a handler (`agents.builtin`), in routing order."""
KNOWN_BY_RULES: Final = frozenset({*ROUTING, "reminders", "calendar", "calendars", "bills"})
"""Agents whose rules say all that they take; others are also known by their description."""
ACTS: Final[Mapping[str, Mapping[str, str]]] = {
    "schedule": {"add": "make", "query": "query", "edit": "change", "delete": "delete"},
    "tasks": {
        "create_task": "make",
        "query_tasks": "query",
        "update_task": "change",
        "delete_task": "delete",
        "complete_task": "finish",
    },
    "bookkeeping": {"record": "record", "query": "query", "correct": "amend", "undo": "amend"},
    "record": {"remember": "make", "forget": "amend"},
    "polls": {"show": "query"},
    "announcements": {},
    "nudges": {"show": "query"},
    "term": {"ask": "query"},
}
"""By agent and intent: what it does to what is kept."""
PLANS: Final = ("schedule", "tasks")
"""The agents whose things have times."""


def intents_that(*acts: str, of: tuple[str, ...] = PLANS) -> frozenset[str]:
    """The intents of these agents that do one of these acts (`change`: `edit`, `update_task`)."""
    return frozenset(intent for code in of for intent, act in ACTS[code].items() if act in acts)
