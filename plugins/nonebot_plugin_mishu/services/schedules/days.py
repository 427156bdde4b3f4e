"""What a calendar says of a day beside what is planned: its lunar name, and whether it is worked. Pure."""

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


def note(day: date) -> DayNote:
    """What there is to say."""
    known = holidays_known(day)
    worked, weekend = is_workday(day), day.weekday() >= 5
    return DayNote(_lunar(day), known and not worked and not weekend, known and worked and weekend)


def _lunar(day: date) -> str:
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
