"""Weekdays after one of a named week: 下周二例会，周五彩排 is the Friday of that week. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..recognise.times import TimeExpression

_WEEK: Final = Pattern("^下+个?(?:周|星期|礼拜)")
_WEEKDAY: Final = Pattern("^(?:周|星期|礼拜)[一二三四五六日天]")
_OTHER: Final = Pattern("^(?:这|本|上|今|明|后|大后|昨|[0-9])")


def in_said_week(times: Iterable[TimeExpression]) -> list[TimeExpression]:
    """Times of a line, each bare weekday after one of a later week in that week, until another kind of
    day."""
    monday: date | None = None
    found: list[TimeExpression] = []
    for time in times:
        if time.date is not None and time.recurrence is None:
            if _WEEK.match(time.text):
                monday = time.date - timedelta(days=time.date.weekday())
            elif _OTHER.match(time.text):
                monday = None
            elif monday is not None and time.date < monday and _WEEKDAY.match(time.text):
                time = _put(time, monday + timedelta(days=time.date.weekday()))
        found.append(time)
    return found


def _put(time: TimeExpression, day: date) -> TimeExpression:
    assert time.date is not None
    ends = None if time.end_date is None else time.end_date + (day - time.date)
    return replace(time, date=day, end_date=ends)


def is_weekday(phrase: str) -> bool:
    """True if a time is said as a weekday of no named week (周日, 星期天晚上八点)."""
    return _WEEKDAY.match(phrase) is not None
