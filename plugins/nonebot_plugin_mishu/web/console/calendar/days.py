"""Days of occasions, and the lane in its week of an event of several days. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from ....services.schedules.schedules import Time

Part = Literal["first", "middle", "last"]


@dataclass(frozen=True, slots=True)
class DayBar:
    """A day of an event of several days."""

    time: Time
    part: Part
    named: int
    """Where its name stands, on its first day and where a week begins: over how many days of the week it may
    be written. Else 0."""


def last_day(time: Time) -> date:
    """Last day of an occasion; an end at midnight is of the day before."""
    if time.ends_at is None or time.ends_at <= time.starts_at:
        return time.starts_at.date()
    return (time.ends_at - timedelta(seconds=1)).date()


def lasts_days(time: Time) -> bool:
    """True if it takes several days; a few hours past midnight do not count."""
    days = (last_day(time) - time.starts_at.date()).days
    if days != 1 or time.ends_at is None or time.schedule.plan.segment == "all_day":
        return days > 0
    return time.ends_at - time.starts_at >= timedelta(days=1)


def by_day(times: Sequence[Time], first: date, last: date) -> dict[date, list[Time]]:
    """Occasions of each day from `first` to before `last`, in the order of `times`."""
    found: dict[date, list[Time]] = {}
    for each in times:
        begun = each.starts_at.date()
        over = last_day(each) if lasts_days(each) else begun
        day = max(first, begun)
        while day <= over and day < last:
            found.setdefault(day, []).append(each)
            day += timedelta(days=1)
    return found


def bars(times: Mapping[date, Sequence[Time]], first: date, last: date) -> dict[date, list[DayBar | None]]:
    """Events of several days as bars, day by day: within a week each in a lane of its own, None for an
    empty lane."""
    found: dict[date, list[DayBar | None]] = {}
    lanes: dict[tuple[int, date], int] = {}
    for number in range((last - first).days):
        day = first + timedelta(days=number)
        if number % 7 == 0:
            lanes = {}
        here = [each for each in times.get(day, ()) if lasts_days(each)]
        keys = {(each.schedule.id, each.starts_at.date()): each for each in here}
        lanes = {key: lane for key, lane in lanes.items() if key in keys}
        for key in keys:
            if key not in lanes:
                lanes[key] = next(lane for lane in range(len(keys)) if lane not in lanes.values())
        rows: list[DayBar | None] = [None] * (max(lanes.values(), default=-1) + 1)
        for key, lane in lanes.items():
            each = keys[key]
            begins, ends = day == each.starts_at.date(), day == last_day(each)
            part: Part = "first" if begins else "last" if ends else "middle"
            left = min(7 - number % 7, (last_day(each) - day).days + 1)
            rows[lane] = DayBar(each, part, left if begins or number % 7 == 0 else 0)
        if rows:
            found[day] = rows
    return found
