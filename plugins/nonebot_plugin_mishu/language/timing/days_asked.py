"""Questions for everything on some days (明天有哪些事, 周六周日都有啥): the group's plans and the member's
own tasks. Pure."""

from __future__ import annotations

from datetime import date
from typing import Final

from ..clause import Clause
from ..reading import words_of
from .series import stretches

_ASKS: Final = frozenset({"what", "whether", "have", "look", "plan_noun"})
_OF_DAYS: Final = _ASKS | frozenset(
    {
        *(
            "time",
            "filler",
            "particle",
            "all",
            "again",
            "of",
            "ought",
            "action",
            "make",
            "is",
            "this",
            "unit",
        ),
        *("pause", "blank", "courtesy", "help", "call", "modal", "stop", "mark", "to", "done", "negation"),
    }
)
"""Word classes of an unspecific question."""
_OF_ONE: Final = frozenset(
    {"occasion", "schedule_noun", "task_noun", "reminder_noun", "group", "self", "hui"}
)
"""Word classes of a question for one agent's items."""


def days_asked(clause: Clause) -> tuple[date, date] | None:
    """First and last day of a question for everything; None for a narrower one."""
    if clause.situation.private or clause.amounts or not clause.times:
        return None
    if any(each.start is not None for each in clause.times):
        return None
    tokens = words_of(clause.text, clause.times)
    if all(token.classes.isdisjoint(_ASKS) for token in tokens):
        return None
    if any(
        token.classes.isdisjoint(_OF_DAYS)
        or not token.classes.isdisjoint(_OF_ONE)
        or clause.text[token.start : token.end] in _WHO
        for token in tokens
    ):
        return None
    days = stretches(clause.times, clause.situation.now.date())
    return (min(first for first, _ in days), max(last for _, last in days)) if days else None


_WHO: Final = frozenset({"谁", "哪个", "谁的", "谁要", "哪位"})
