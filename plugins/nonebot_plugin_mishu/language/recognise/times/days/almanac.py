"""Calendars: the lunar one, solar terms, and which days are worked in mainland China (调休 included).

The tables come from `borax` (lunar calendar and solar terms, 1900–2100) and `chinesecalendar` (published
holidays); a year that the owner gave goes before the latter. Both are imported at the first question, so that
importing this room stays cheap.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

FIRST_LUNAR_YEAR = 1900
LAST_LUNAR_YEAR = 2099


def month_length(year: int, month: int) -> int:
    """Days of a month of the common calendar."""
    return calendar.monthrange(year, month)[1]


def _lunar() -> Any:
    # Imported at the first question: 25 ms that most messages never need.
    from borax.calendars import lunardate  # pyright: ignore[reportMissingTypeStubs]

    return lunardate


@lru_cache(maxsize=512)
def lunar_to_solar(year: int, month: int, day: int, leap: bool = False) -> date | None:
    """The day of a lunar date, or `None` where the year has no such day; day -1 is the month's last."""
    if not FIRST_LUNAR_YEAR <= year <= LAST_LUNAR_YEAR or not 1 <= month <= 12:
        return None
    if leap and leap_month(year) != month:
        return None
    calendars = _lunar()
    length: int = calendars.LCalendars.ndays(year, month, int(leap))
    wanted = length if day == -1 else day
    if not 1 <= wanted <= length:
        return None
    found: date = calendars.LunarDate(year, month, wanted, int(leap)).to_solar_date()
    return found


@lru_cache(maxsize=64)
def leap_month(year: int) -> int:
    """The month a lunar year doubles, 0 where it doubles none or is not in the table."""
    if not FIRST_LUNAR_YEAR <= year <= LAST_LUNAR_YEAR:
        return 0
    return int(_lunar().LCalendars.leap_month(year))


def lunar_year_of(day: date) -> int:
    """The lunar year a day belongs to (it begins on 正月初一)."""
    first = lunar_to_solar(day.year, 1, 1)
    return day.year if first is not None and day >= first else day.year - 1


@lru_cache(maxsize=256)
def lunar_day_of(day: date) -> int | None:
    """The day of the lunar month, or `None` outside the table."""
    if not FIRST_LUNAR_YEAR < day.year <= LAST_LUNAR_YEAR:
        return None
    return int(_lunar().LunarDate.from_solar_date(day.year, day.month, day.day).day)


@lru_cache(maxsize=64)
def lunar_name(day: date) -> str | None:
    """The lunar month and day as people say them (十月初九, 闰二月廿三), or `None` outside the table."""
    if not FIRST_LUNAR_YEAR < day.year <= LAST_LUNAR_YEAR:
        return None
    found = _lunar().LunarDate.from_solar_date(day.year, day.month, day.day)
    month, number = "正二三四五六七八九十冬腊"[int(found.month) - 1], int(found.day)
    tens = {10: "初十", 20: "二十", 30: "三十"}
    spoken = tens.get(number) or "初十廿"[number // 10] + "一二三四五六七八九"[number % 10 - 1]
    return f"{'闰' if found.leap else ''}{month}月{spoken}"


@lru_cache(maxsize=128)
def solar_term(year: int, name: str) -> date | None:
    """The day of a solar term (清明, 冬至 …), or `None` outside the table."""
    if not FIRST_LUNAR_YEAR < year <= LAST_LUNAR_YEAR:
        return None
    found: date = _lunar().TermUtils.nth_term_day(year, term_name=name)
    return found


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the computus in its Gregorian form)."""
    golden, century = year % 19, year // 100
    skipped = century - century // 4
    moon_shift = (skipped - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    full = moon_shift - (moon_shift // 28) * (1 - (29 // (moon_shift + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + full + 2 - skipped) % 7
    offset = full - weekday
    month = 3 + (offset + 40) // 44
    return date(year, month, offset + 28 - 31 * (month // 4))


def nth_weekday(year: int, month: int, weekday: int, place: int) -> date | None:
    """The `place`-th weekday of a month, counted from its end where negative; `None` where it has none."""
    length = month_length(year, month)
    if place > 0:
        day = 1 + (weekday - date(year, month, 1).weekday()) % 7 + 7 * (place - 1)
    else:
        day = length - (date(year, month, length).weekday() - weekday) % 7 + 7 * (place + 1)
    return date(year, month, day) if 1 <= day <= length else None


def add_months(day: date, months: int) -> date:
    """The same day some months on; the last day of the month where it has no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, month_length(year, month)))


_given: dict[int, Mapping[date, bool]] = {}
"""Years whose days off and make-up workdays the owner gave (`holidays/YYYY.json`): day to 'worked'."""


def take_published(year: int, days: Mapping[date, bool]) -> None:
    """Take the published days of a year from the owner: a day off is False, a make-up workday True."""
    _given[year] = dict(days)
    _published.cache_clear()


@lru_cache(maxsize=1024)
def _published(day: date) -> bool | None:
    given = _given.get(day.year)
    if given is not None:
        return given.get(day, day.weekday() < 5 and day not in statutory_days(day.year))
    import chinese_calendar  # pyright: ignore[reportMissingTypeStubs]

    try:
        return bool(chinese_calendar.is_workday(day))  # pyright: ignore[reportUnknownMemberType]
    except NotImplementedError:
        return None


def next_year_missing(today: date) -> int | None:
    """From December on the next year, if its days off are not known; they are published in November."""
    year = today.year + 1
    return year if today.month == 12 and not holidays_known(date(year, 1, 2)) else None


def holidays_known(day: date) -> bool:
    """True if the holiday table covers this day; past its end only Monday to Friday is known."""
    return _published(day) is not None


def is_workday(day: date) -> bool:
    """True for a working day: by the published holidays and 调休, past the table Monday to Friday without the
    yearly public holidays."""
    published = _published(day)
    if published is not None:
        return published
    return day.weekday() < 5 and day not in statutory_days(day.year)


@lru_cache(maxsize=32)
def statutory_days(year: int) -> frozenset[date]:
    """The days off by law of every year: 元旦, 春节 from its eve on, 清明, 劳动节, 端午, 中秋, 国庆."""
    found = {
        date(year, 1, 1),
        date(year, 5, 1),
        date(year, 5, 2),
        *(date(year, 10, day) for day in (1, 2, 3)),
    }
    new_year = lunar_to_solar(year, 1, 1)
    if new_year is not None:
        found |= {new_year + timedelta(days=after) for after in range(-1, 3)}
    for lunar in (lunar_to_solar(year, 5, 5), lunar_to_solar(year, 8, 15), solar_term(year, "清明")):
        if lunar is not None:
            found.add(lunar)
    return frozenset(found)


def add_workdays(day: date, count: int) -> date:
    """The `count`-th working day after `day`; `day` itself for 0."""
    found, left = day, count
    while left > 0:
        found += timedelta(days=1)
        left -= is_workday(found)
    return found


def days_off_around(day: date, usual: tuple[int, int]) -> tuple[date, date]:
    """The holiday that `day` belongs to, first and last day.

    By the published table the days off in a row around it; past the table `usual`, how many days it
    usually begins before and lasts after.
    """
    if holidays_known(day) and not is_workday(day):
        first = last = day
        while not is_workday(first - timedelta(days=1)):
            first -= timedelta(days=1)
        while holidays_known(last + timedelta(days=1)) and not is_workday(last + timedelta(days=1)):
            last += timedelta(days=1)
        return first, last
    before, after = usual
    return day - timedelta(days=before), day + timedelta(days=after)
