"""Change of another time than the one an open question asks about. Pure.

12月7号的挪到周二 names an occurrence, 晚上的改到十点 an evening item: neither answers a question about a
morning item.
"""

from __future__ import annotations

from datetime import date, time
from typing import Final

from ..clause import Clause
from ..reading import words_of
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day

_CHANGES: Final = frozenset({"change", "later", "earlier", "defer"})
_POINTS: Final = frozenset({"of", "this"})


def names_another_time(
    clause: Clause, day: date | None, start: time | None, segment: str | None, *, repeats: bool
) -> bool:
    """True if a line changes an item at another time, or one occurrence of a series."""
    tokens = words_of(clause.text, clause.times, clause.amounts)
    verb = next((token.start for token in tokens if not token.classes.isdisjoint(_CHANGES)), None)
    if verb is None:
        return False
    for one in clause.times:
        if one.span[1] > verb:
            continue
        behind = next((token for token in tokens if token.start >= one.span[1]), None)
        pointed = behind is not None and not behind.classes.isdisjoint(_POINTS)
        if pointed and repeats and names_day(one.text) and one.recurrence is None:
            return True
        if names_day(one.text) and day is not None and not _covers(one, day):
            return True
        if _is_apart(one, start, segment):
            return True
    return False


def _covers(one: TimeExpression, day: date) -> bool:
    return one.date is None or one.date <= day <= (one.end_date or one.date)


def _is_apart(one: TimeExpression, start: time | None, segment: str | None) -> bool:
    """True if a clock time or part of the day differs from the one in question."""
    if one.start is not None and start is not None:
        return (one.start.hour % 12, one.start.minute) != (start.hour % 12, start.minute)
    if one.start is not None or one.segment is None or one.segment == "all_day":
        return False
    if start is None:
        return segment not in (None, "all_day", one.segment)
    first, last = SEGMENT_BOUNDS[one.segment]
    return not first <= start <= last
