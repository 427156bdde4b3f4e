"""Windows of time that a question about free time asks about. Pure."""

from __future__ import annotations

from datetime import datetime

from ....language.clause import Clause
from ....language.free_time import AskedDay, FreeQuestion, asked_days, in_part
from .spans import CLOSES, OPENS, Window, day_windows


def days_of(question: FreeQuestion, clause: Clause) -> tuple[AskedDay, ...]:
    """Days of a question; 我忙不忙 without a day asks about today."""
    at_once = question.kind in ("whether", "who")
    days = asked_days(clause.times, clause.situation.now, at_once=at_once)
    return in_part(days, question.part) if question.part else days


def windows_of(days: tuple[AskedDay, ...], now: datetime, opens: int = OPENS) -> tuple[Window, ...]:
    """Windows of these days, from `now` on, in the usual hours where none are said."""
    found = [
        window
        for each in days
        for window in day_windows(
            [each.day],
            now,
            opens if each.opens is None else each.opens,
            CLOSES if each.closes is None else each.closes,
        )
    ]
    return tuple(sorted(found, key=lambda each: each.begins))
