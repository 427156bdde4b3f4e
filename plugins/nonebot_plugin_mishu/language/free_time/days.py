"""Days and hours that a question about free time asks about. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from itertools import takewhile
from typing import Final

from ..recognise.times import TimeExpression, dates, names_day

USUAL_DAYS: Final = 7
"""Days that are looked at where no day is said, today included."""
MOST_DAYS: Final = 62
_HOUR: Final = 60
_PARTS: Final = {
    "early_morning": (0, 6),
    "morning": (7, 12),
    "forenoon": (9, 12),
    "noon": (12, 14),
    "afternoon": (14, 18),
    "evening": (18, 22),
}
"""Hours of the parts of a day, as people who look for a time mean them."""
_EARLY: Final = 8
"""Clocks before it, of which the half of the day is open, are of the afternoon."""


@dataclass(frozen=True, slots=True)
class AskedDay:
    """A day with its hours as minutes of the day; None: the usual ones."""

    day: date
    opens: int | None = None
    closes: int | None = None


def asked_days(
    times: Sequence[TimeExpression], now: datetime, *, at_once: bool = False
) -> tuple[AskedDay, ...]:
    """Days of the times of a question, by day; without a time the next seven, `at_once` today. Days that are
    past stay in, so that it can be said that they are."""
    if not any(each.date is not None for each in times):
        number = 1 if at_once else USUAL_DAYS
        return tuple(AskedDay(now.date() + timedelta(days=each)) for each in range(number))
    found: dict[date, AskedDay] = {}
    parts = [each for each in times if _is_part(each)]
    if parts and len(parts) < len(times):  # 这周还有哪天晚上, where 晚上 alone would be tonight
        opens, closes = hours_of(parts[0])
        days = asked_days([each for each in times if not _is_part(each)], now)
        return tuple(each if each.opens is not None else AskedDay(each.day, opens, closes) for each in days)
    for each in times:
        for one in _days_until(each, now) if each.kind == "deadline" else _days_of(each):
            found.setdefault(one.day, one)
    return tuple(found[day] for day in sorted(found))[:MOST_DAYS]


def in_part(days: Sequence[AskedDay], part: str) -> tuple[AskedDay, ...]:
    """The days in the hours of one part (找个晚上), where no others are said."""
    opens, closes = _PARTS[part]
    return tuple(
        each if each.opens is not None else AskedDay(each.day, opens * _HOUR, closes * _HOUR) for each in days
    )


def _is_part(time: TimeExpression) -> bool:
    """True for a part of the day that names no day: 晚上, 下午."""
    return time.kind == "segment" and time.segment in _PARTS and not names_day(time.text)


def says_only_past(days: Sequence[AskedDay], now: datetime) -> bool:
    """True if all of it is over."""
    minute = now.hour * 60 + now.minute
    return all(
        each.day < now.date()
        or (each.day == now.date() and each.closes is not None and each.closes <= minute)
        for each in days
    )


def _days_until(time: TimeExpression, now: datetime) -> Iterator[AskedDay]:
    """Days from today up to a limit: 下周三之前 ends on Tuesday, 这周内 on its last day."""
    if time.date is None or time.invalid is not None:
        return
    before = time.text.endswith("前") and time.start is None and time.date > now.date()
    last = time.date - timedelta(days=1) if before else time.date
    for number in range(min((last - now.date()).days + 1, MOST_DAYS)):
        day = now.date() + timedelta(days=number)
        ends = time.start is not None and day == last
        yield AskedDay(day, 9 * _HOUR if ends else None, _minute(time.start) if ends and time.start else None)


def _days_of(time: TimeExpression) -> Iterator[AskedDay]:
    if time.date is None or time.invalid is not None:
        return
    opens, closes = hours_of(time)
    last = time.end_date or time.date
    if time.ambiguous == "which_day" and time.segment is not None and "周" in time.text:
        last = time.date + timedelta(days=6)  # 下周晚上
    if time.recurrence is not None:
        if time.end_date is None:
            last = time.date + timedelta(days=USUAL_DAYS - 1)
        for day in takewhile(lambda each: each <= last, dates(time.recurrence, time.date)):
            yield AskedDay(day, opens, closes)
        return
    # 今天10点到明天2点 is one stretch of two days.
    stretch = time.start is not None and time.end is not None and last > time.date
    for number in range(min((last - time.date).days + 1, MOST_DAYS)):
        day = time.date + timedelta(days=number)
        if stretch:
            yield AskedDay(day, opens if number == 0 else None, closes if day == last else None)
        else:
            yield AskedDay(day, opens, closes)


def hours_of(time: TimeExpression) -> tuple[int | None, int | None]:
    """Minutes of the day between which a time lies; None where it names no hours."""
    half = 12 * _HOUR if time.ambiguous == "am_pm" else 0
    if time.start is not None:
        opens = _minute(time.start)
        late = half if time.start.hour < _EARLY else 0
        if time.end is None:
            return opens + late, opens + late + _HOUR
        closes = _minute(time.end) + late
        return opens + late, closes if closes > opens + late else closes + 24 * _HOUR - late
    if time.segment in _PARTS:
        first, last = _PARTS[time.segment]
        return first * _HOUR, last * _HOUR
    return None, None


def _minute(at: clock) -> int:
    return at.hour * 60 + at.minute
