"""Festivals and lunar dates as days: 中秋, 国庆期间, 春节最后一天, 农历八月十五, 大年初五."""

from __future__ import annotations

from datetime import date
from typing import Final

from .....patterns import Pattern
from .almanac import days_off_around
from .day import Day, Today, step
from .festivals import Festival, read_festival
from .lunar import LunarDate, following_lunar_day, read_lunar, read_lunar_month
from .periods import read_place

_OFF: Final = Pattern(
    "(?:节?(?:小)?长?假期?|放假|节)?期间|节?小?长假|节?假期|假里|放假(?=的?时|这|那)|黄金周"
)


def read_festive(text: str, at: int, today: Today, year: int | None) -> tuple[Day, int] | None:
    """The festival or lunar date said at `at`, of `year` where one was said, and where it ends."""
    lunar = read_lunar(text, at)
    if lunar is not None:
        return lunar_day(lunar[0], year, today), lunar[1]
    month = read_lunar_month(text, at, today.date) if year is None else None
    if month is not None:
        return Day(*month[0], unit="span"), month[1]
    found = read_festival(text, at)
    if found is None:
        return None
    festival, end = found
    off = _OFF.match(text, end)
    day = _festival_day(festival, year, today, off is not None and festival.usual is not None)
    if day is None:
        return Day(None, invalid="日历里没有这一年"), end
    place = read_place(text, end, Day(day, day)) if off is None and festival.usual is not None else None
    if place is not None and festival.usual is not None:
        first, last = days_off_around(day, festival.usual)
        return read_place(text, end, Day(first, last, unit="span")) or place
    if off is not None and festival.usual is not None:
        first, last = days_off_around(day, festival.usual)
        return Day(first, last, unit="span"), off.end()
    return Day(day), off.end() if off else end


def _festival_day(festival: Festival, year: int | None, today: Today, stretch: bool) -> date | None:
    if year is not None:
        found = festival.in_year(year)
        if found is not None and year == today.date.year and found < today.date and festival.month == 12:
            return festival.on(year)  # 今年除夕 is the end of the lunar year that runs
        return found
    if stretch and festival.usual is not None:
        # 国庆期间 said on 3 October is the holiday that runs.
        running = festival.following(step(today.date, -festival.usual[1]))
        if running is not None and days_off_around(running, festival.usual)[1] >= today.date:
            return running
    return festival.following(today.date)


def lunar_day(lunar: LunarDate, year: int | None, today: Today) -> Day:
    """A lunar date in the year people mean by it (明年腊月廿三), without a year the next one."""
    if lunar.month == 0:
        found = following_lunar_day(lunar.day, today.date)
    elif year is not None:
        found = lunar.in_year(year)
    else:
        found = lunar.following(today.date)
    return Day(found) if found is not None else Day(None, invalid=lunar.reason)
