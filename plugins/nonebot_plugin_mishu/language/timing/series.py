"""Extent of a cancelled series: some days, or all. Pure.

A named day or stretch means its occurrences (这周末都别喊我吃药); the whole series needs its own words
(以后都, 整个, 每周都不), and an explicit yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import TimeExpression, names_day
from ..word_lists import table

_WHOLE: Final = Pattern(table("series.whole"))
_UP_TO: Final = Pattern("(?:之|以)?前$")
_LAST_DAY_OF: Final = Pattern("底|末|内|最后")


def takes_whole(text: str, times: Sequence[TimeExpression]) -> bool:
    """True if the whole series is named: 以后都不开了, 每周五的周会."""
    return _WHOLE.search(text) is not None or any(one.recurrence is not None for one in times)


def stretches(times: Sequence[TimeExpression], today: date | None = None) -> tuple[tuple[date, date], ...]:
    """Days of a line as stretches, both ends included; none if a time is no day. 月底前 begins `today`, if
    given."""
    found: list[tuple[date, date]] = []
    for one in times:
        if one.recurrence is not None or one.date is None or one.invalid is not None:
            return ()
        if not names_day(one.text):
            return ()
        up_to = one.kind == "deadline" and one.start is None
        found.append((today if today is not None and up_to else one.date, last_day(one)))
    return tuple(found)


def first_day(times: Sequence[TimeExpression]) -> TimeExpression | None:
    """First day of a change (从下下周一开始, 从12月9号起); None if none."""
    return next(
        (
            one
            for one in times
            if one.text.startswith(_FROM)
            and one.text.endswith(_ON)
            and (one.recurrence, one.start, one.invalid) == (None, None, None)
            and one.date is not None
        ),
        None,
    )


_FROM: Final = ("从", "自", "打")
_ON: Final = ("开始", "起")


def last_day(one: TimeExpression) -> date:
    """Last day of a time; 元旦前 ends on the day before, 月底前 with the month."""
    assert one.date is not None
    if one.kind == "deadline" and one.start is None and _UP_TO.search(one.text) is not None:
        return one.date if _LAST_DAY_OF.search(one.text) else one.date - timedelta(days=1)
    if one.kind == "date_range" and one.end_date is not None:
        return one.end_date
    return one.date


def times_listed(clause: Clause) -> list[TimeExpression]:
    """Times of a clause that lists several and nothing between them (早八点半中午一点晚上七点), in order;
    empty for one time, and where one is a part of another."""
    times = sorted(clause.times, key=lambda one: one.spans[0])
    alike = len({(one.start is None, one.end is None) for one in times}) == 1
    moments = {(one.date, one.start, one.end, one.recurrence) for one in times}
    if len(times) < 2 or not alike or len(moments) < len(times):
        return []
    if any(one.kind == "deadline" or (one.moment is not None and one.start is None) for one in times):
        return []
    between = (clause.text[one.span[1] : other.span[0]] for one, other in pairwise(times))
    return times if all(_BETWEEN.fullmatch(words) for words in between) else []


_BETWEEN: Final = Pattern("[ ,，、;；]*+(?:(?:和|跟|与|及|以及|还有) *+)?+")
"""Words between the times of a list."""
