"""A day or stretch of days counted from `now`, and the reference day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from ..expression import Ambiguity
from .almanac import add_months, month_length

Unit = Literal[
    "day", "today", "tomorrow", "weekday", "monthday", "week", "weekend", "month", "year", "span", "several"
]


@dataclass(frozen=True, slots=True)
class Day:
    """Day of a date phrase.

    `start` is `None` for an impossible day (`invalid`: reason). `end` is the last day of a stretch (下周,
    国庆期间); `several` are single days in one word (明后天). `later` is used instead if `start` is today and
    the time is past (周三早上 on Wednesday noon). `unit` is the unit named.
    """

    start: date | None
    end: date | None = None
    later: date | None = None
    unit: Unit = "day"
    ambiguous: Ambiguity | None = None
    invalid: str | None = None

    def shifted(self, days: int) -> Day:
        """The single day so many days from its beginning (its end, where the count goes on from there)."""
        if self.start is None:
            return self
        base = self.end if self.end is not None and days > 0 else self.start
        return Day(step(base, days), ambiguous=self.ambiguous)


@dataclass(frozen=True, slots=True)
class Today:
    """`now` as wall time of the zone, to the second, and what the sentence has spoken of so far.

    `week`: the Monday of the week just named (下周我们周三开会). `since`: a date in another month just named
    (1月3号出发，8号回来). `said`: the last single date said (11月20日出发，次日返回).
    """

    moment: datetime
    week: date | None = None
    since: date | None = None
    said: date | None = None

    @property
    def date(self) -> date:
        """The day it is."""
        return self.moment.date()

    @property
    def monday(self) -> date:
        """The first day of this calendar week."""
        return step(self.date, -self.date.weekday())

    def on(self, day: date) -> Today:
        """The same clock on another day, for what is counted from there."""
        return replace(self, moment=datetime.combine(day, self.moment.timetz()))

    @property
    def minutes(self) -> int:
        """Minutes since midnight."""
        return self.moment.hour * 60 + self.moment.minute


def step(day: date, days: int) -> date:
    """`day` and so many days; the calendar's last or first day where it would leave the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max if days > 0 else date.min


def no_such_day(month: int, day: int, year: int | None = None) -> Day:
    """The refusal of a day that a month does not have."""
    where = f"{year}年{month}月" if year is not None else f"{month}月"
    return Day(None, invalid=f"{where}没有{day}日")


def month_span(year: int, month: int) -> Day:
    """A whole month."""
    return Day(date(year, month, 1), date(year, month, month_length(year, month)), unit="month")


def nearest_year(today: date, month: int, day: int) -> int:
    """The year in which a month and day said without one lies nearest to today: this one if not long past.

    Up to half a year back it is kept as past (11月3号 said on the 18th); beyond that the next is meant
    (1月5号 said in December), and a day more than half a year ahead stays in this year too.
    """
    place = today.replace(day=1)
    passed = (place.year * 12 + place.month) - (today.year * 12 + month)
    if passed > 6 or (passed == 6 and day < today.day):
        return today.year + 1
    return today.year


def dated(today: Today, month: int, day: int, year: int | None, after: date | None) -> Day:
    """A month and day; without a year the nearest, or the first on or after `after` (the end of a range)."""
    if not 1 <= month <= 12:
        return Day(None, invalid=f"没有{month}月")
    if day < 1 or day > (29 if month == 2 else month_length(2024, month)):
        return no_such_day(month, day)
    if year is None:
        if after is not None:
            year = after.year + ((month, day) < (after.month, after.day))
        else:
            year = nearest_year(today.date, month, day)
    if not 1 <= year <= 9999 or day > month_length(year, month):
        return no_such_day(month, day, year)
    return Day(date(year, month, day))


def next_monthday(today: Today, day: int, after: date | None) -> Day:
    """The next day of a month with that number, today included; from `after` on in a range or list."""
    if not 1 <= day <= 31:
        return Day(None, invalid=f"没有{day}号", unit="monthday")
    base = after if after is not None else today.date
    first = _monthday_from(base, day)
    later = _monthday_from(step(base, 1), day) if first == today.date and after is None else None
    return Day(first, later=later, unit="monthday")


def _monthday_from(base: date, day: int) -> date:
    for months in range(3):
        month = add_months(base.replace(day=1), months)
        if day <= month_length(month.year, month.month):
            found = month.replace(day=day)
            if found >= base:
                return found
    raise AssertionError(f"no {day} within three months of {base}")  # every day exists in two of three


def next_weekday(today: Today, weekday: int, after: date | None) -> Day:
    """The next such weekday, today included; from `after` on in a range or list."""
    base = after if after is not None else today.date
    first = step(base, (weekday - base.weekday()) % 7)
    later = step(first, 7) if first == today.date and after is None else None
    return Day(first, later=later, unit="weekday")


def weekday_in_week(today: Today, weekday: int, weeks: int) -> Day:
    """A weekday of the calendar week `weeks` on from this one (Monday first).

    On a Sunday many already count the week that begins tomorrow as the one that runs: `which_week`.
    """
    found = step(today.monday, 7 * weeks + weekday)
    unsure = today.date.weekday() == 6 and weekday != 6
    return Day(found, unit="day", ambiguous="which_week" if unsure else None)
