"""Next occurrences of a recurrence: short months, leap days, lunar years, 调休 and changes of the clock.

A day that a month does not have is its last day (31号 in November is the 30th, 29 February is the 28th in
a common year, 三十 in a short lunar month its 29th): nobody who says 每月31号 means seven times a year.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice

from ..days.almanac import (
    LAST_LUNAR_YEAR,
    add_months,
    holidays_known,
    is_workday,
    lunar_to_solar,
    lunar_year_of,
    month_length,
    nth_weekday,
)
from ..days.day import step
from ..expression import WEEKDAYS, Recurrence

LAST_ONE = "最后一次，之后不再提醒"
"""Note on the last of a counted recurrence."""
NO_TABLE = "这一年的放假安排还没有公布，暂按周一到周五算"
"""Note on a working day past the holiday table."""


@dataclass(frozen=True, slots=True)
class RecurrenceTime:
    """One occurrence; `note` for the reader (a missing holiday table)."""

    at: datetime
    note: str | None = None


def occurrences(
    recurrence: Recurrence, start: datetime, *, after: datetime | None = None, until: date | None = None
) -> Iterator[RecurrenceTime]:
    """The times something happens, from `start` on, in order, up to `until` or the end of the calendar.

    `start` must know its zone; its date anchors the interval (每两周: that week, the second next …) and its
    clock is kept as wall time on every day; minutes and hours are counted as they pass, also where the clock
    is changed. Of a counted one the first is counted from `start`. `after` skips what is not later than it.
    `until` is the last day. Raises `ValueError` where `start` has no zone.
    """
    if start.tzinfo is None:
        raise ValueError("start needs a zone")
    counted = recurrence.count is not None
    if recurrence.within_a_day:
        moments = _ticks(recurrence, start, None if counted else after)
    else:
        first = start.date()
        skip = after.astimezone(start.tzinfo).date() if after is not None and not counted else first
        moments = (
            _wall(day, start.time().replace(tzinfo=None), start)
            for day in dates(recurrence, first, skip_to=skip)
        )
    last = min((day for day in (until, recurrence.until) if day is not None), default=None)
    for number, moment in enumerate(islice(moments, recurrence.count), 1):
        if last is not None and moment.date() > last:
            return
        if (after is not None and moment <= after) or moment.date() in recurrence.without:
            continue
        unknown = recurrence.freq == "workday" and not holidays_known(moment.date())
        ends = number == recurrence.count
        yield RecurrenceTime(moment, LAST_ONE if ends else NO_TABLE if unknown else None)


def _wall(day: date, clock: time, start: datetime) -> datetime:
    """The wall time on that day; one that a change of the clock leaves out is later by what was left out."""
    moment = datetime.combine(day, clock, start.tzinfo)
    return moment.astimezone(UTC).astimezone(start.tzinfo)


def _ticks(recurrence: Recurrence, start: datetime, after: datetime | None) -> Iterator[datetime]:
    gap = timedelta(minutes=recurrence.interval * (60 if recurrence.freq == "hourly" else 1))
    at = start.astimezone(UTC)
    if after is not None and after > start:
        at += gap * ((after.astimezone(UTC) - at) // gap)
    try:
        while True:
            yield at.astimezone(start.tzinfo)
            at += gap
    except OverflowError:
        return


def dates(recurrence: Recurrence, first: date, *, skip_to: date | None = None) -> Iterator[date]:
    """The days of a recurrence from `first` on, which anchors its interval.

    Days before `skip_to` and those it is `without` are passed over. For minutes and hours every day is one.
    """
    lower = max(first, skip_to) if skip_to is not None else first
    by_freq = {
        "weekly": _weekly,
        "monthly": _monthly,
        "yearly": _yearly,
        "lunar_yearly": _lunar,
        "workday": _workdays,
    }
    days = by_freq.get(recurrence.freq, _daily)(recurrence, first, lower)
    for day in days:
        if recurrence.until is not None and day > recurrence.until:
            return
        if day >= lower and day not in recurrence.without:
            yield day


def _daily(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    interval = recurrence.interval if recurrence.freq == "daily" else 1
    day = step(first, (lower - first).days // interval * interval)
    while day < date.max:
        yield day
        day = step(day, interval)


def _workdays(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    day = lower
    while day < date.max:
        if is_workday(day):
            yield day
        day = step(day, 1)


def _weekly(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    numbers = [WEEKDAYS.index(code[-2:]) for code in recurrence.byday] or [first.weekday()]
    monday = step(first, -first.weekday())
    weeks = (lower - monday).days // 7 // recurrence.interval * recurrence.interval
    monday = step(monday, 7 * weeks)
    while monday < step(date.max, -7):
        for number in numbers:
            day = step(monday, number)
            if day >= first:
                yield day
        monday = step(monday, 7 * recurrence.interval)


def _in_month(recurrence: Recurrence, first: date, year: int, month: int) -> list[date]:
    if recurrence.byday:
        found: list[date] = []
        for code in recurrence.byday:
            weekday = WEEKDAYS.index(code[-2:])
            places = [int(code[:-2])] if code[:-2] else [1, 2, 3, 4, 5]
            found.extend(
                day for place in places if (day := nth_weekday(year, month, weekday, place)) is not None
            )
        return sorted(found)
    wanted = recurrence.bymonthday if recurrence.bymonthday is not None else first.day
    length = month_length(year, month)
    return [date(year, month, min(wanted, length) if wanted > 0 else max(1, length + 1 + wanted))]


def _monthly(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    month = first.replace(day=1)
    passed = (lower.year - month.year) * 12 + lower.month - month.month
    month = add_months(month, passed // recurrence.interval * recurrence.interval)
    if (
        recurrence.bymonthday is not None
        and passed == 0
        and all(day < first for day in _in_month(recurrence, first, month.year, month.month))
    ):
        month = add_months(month, 1)  # 每两个月的15号 said on the 20th begins with the next 15th
    while True:
        for day in _in_month(recurrence, first, month.year, month.month):
            if day >= first:
                yield day
        if month.year * 12 + month.month + recurrence.interval > 9999 * 12 + 12:
            return
        month = add_months(month, recurrence.interval)


def _yearly(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    month = recurrence.bymonth or first.month
    passed = lower.year - first.year
    year = first.year + passed // recurrence.interval * recurrence.interval
    while year <= 9999:
        for day in _in_month(recurrence, first, year, month):
            if day >= first:
                yield day
        year += recurrence.interval


def _lunar(recurrence: Recurrence, first: date, lower: date) -> Iterator[date]:
    month, day = recurrence.bymonth or 1, recurrence.bymonthday or 1
    year = lunar_year_of(lower) - 1
    while year <= LAST_LUNAR_YEAR:
        found = lunar_to_solar(year, month, day) or lunar_to_solar(year, month, -1)
        if found is not None and found >= first:
            yield found
        year += recurrence.interval
