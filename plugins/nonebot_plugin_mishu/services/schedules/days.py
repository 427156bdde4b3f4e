"""Calendar notes of a day: its lunar name, a day off, a working weekend. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from ...language.recognise.times.days.almanac import (
    holidays_known,
    is_workday,
    lunar_day_of,
    lunar_to_solar,
    lunar_year_of,
)

_DIGITS: Final = "十一二三四五六七八九十"
_MONTHS: Final = ("正", "二", "三", "四", "五", "六", "七", "八", "九", "十", "冬", "腊")


@dataclass(frozen=True, slots=True)
class DayNote:
    """`lunar`: 初八, and on the first of a month the month; empty outside the tables. `rest`: a weekday that
    is off; `works`: a weekend that is worked."""

    lunar: str
    rest: bool
    works: bool


def note_day(day: date) -> DayNote:
    """The note of a day."""
    known = holidays_known(day)
    worked, weekend = is_workday(day), day.weekday() >= 5
    return DayNote(_format_lunar_day(day), known and not worked and not weekend, known and worked and weekend)


def _format_lunar_day(day: date) -> str:
    number = lunar_day_of(day)
    if number is None:
        return ""
    if number == 1:
        year = lunar_year_of(day)
        for month in range(1, 13):
            for leap in (False, True):
                if lunar_to_solar(year, month, 1, leap) == day:
                    return f"{'闰' if leap else ''}{_MONTHS[month - 1]}月"
    if number <= 10:
        return f"初{_DIGITS[number]}"
    if number in (20, 30):
        return "二十" if number == 20 else "三十"
    return f"{'十' if number < 20 else '廿'}{_DIGITS[number % 10]}"
