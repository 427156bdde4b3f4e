"""Extent of a cancelled series: some days, or all. Pure.

A named day or stretch means its occurrences (这周末都别喊我吃药); the whole series needs its own words
(以后都, 整个, 每周都不), and an explicit yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
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
