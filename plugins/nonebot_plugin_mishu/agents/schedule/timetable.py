"""Occurrences of schedules: in a range, next one, conflicts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from ...language.recognise.times import SEGMENT_BOUNDS, Recurrence, occurrences
from ...storage.schedules.records import WALL, SchedulePlan, ScheduleRecord

MOST = 400
"""Most occurrences of one schedule examined in a range"""
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Occasion:
    """Occurrence of a schedule; `ends` None without an end."""

    schedule: ScheduleRecord
    begins: datetime
    ends: datetime | None = None


def recurrence_of(plain: Mapping[str, Any] | None) -> Recurrence | None:
    """Recurrence from a plan's JSON."""
    return None if plain is None else Recurrence.kept(plain)


def begins(plan: SchedulePlan, after: datetime | None = None) -> Iterator[datetime]:
    """Starts of a plan in order, from the first after `after`."""
    recurrence = recurrence_of(plan.recurrence)
    if recurrence is None:
        if after is None or plan.begins > after:
            yield plan.begins
        return
    until = date.fromisoformat(plan.until) if plan.until else None
    for each in occurrences(recurrence, plan.begins, after=after, until=until):
        yield each.at


def length(plan: SchedulePlan) -> timedelta | None:
    """Duration of each occurrence in wall time; None without an end."""
    ends = plan.ends
    return None if ends is None else ends.replace(tzinfo=None) - plan.begins.replace(tzinfo=None)


def over_at(plan: SchedulePlan, start: datetime) -> datetime:
    """Latest end of the occurrence starting at `start`."""
    lasts = length(plan)
    if lasts is not None:
        return start + lasts
    if plan.segment:
        return start.replace(hour=23, minute=59, second=59)
    return start


def upcoming(plan: SchedulePlan, now: datetime) -> datetime | None:
    """Start of the current or next occurrence; None if all are past."""
    lasts = length(plan) or timedelta(days=1 if plan.segment else 0)
    for start in islice(begins(plan, now - lasts - timedelta(seconds=1)), MOST):
        if over_at(plan, start) >= now:
            return start
    return None


def within(schedule: ScheduleRecord, first: datetime, last: datetime) -> list[Occasion]:
    """Occurrences overlapping `first` to `last` (aware, both included)."""
    lasts = length(schedule.plan)
    reach = lasts or timedelta(days=1 if schedule.plan.segment else 0)
    before = first - reach - timedelta(seconds=1)
    found: list[Occasion] = []
    for start in islice(begins(schedule.plan, before), MOST):
        if start > last:
            break
        if start >= first or _over(schedule.plan, start, lasts) > first:
            found.append(Occasion(schedule, start, None if lasts is None else start + lasts))
    return found


def _over(plan: SchedulePlan, start: datetime, lasts: timedelta | None) -> datetime:
    """End of an occurrence; 明天全天 and 明天下午 end with their segment."""
    if lasts is not None:
        return start + lasts
    for name, bounds in SEGMENT_BOUNDS.items():
        if name == plan.segment:
            return datetime.combine(start.date(), bounds[1], start.tzinfo) + timedelta(minutes=1)
    return start


def by_day(found: Sequence[Occasion], first: date, last: date) -> list[tuple[date, Occasion]]:
    """Occurrences by day within a range: a three-day trip on each day."""
    days: list[tuple[date, Occasion]] = []
    for each in found:
        begins = each.begins.date()
        ends = begins if each.ends is None else (each.ends - timedelta(microseconds=1)).date()
        day = max(begins, first)
        while day <= min(max(begins, ends), last):
            days.append((day, each))
            day += timedelta(days=1)
    return sorted(days, key=lambda one: (one[0], one[0] == one[1].begins.date(), one[1].begins))


def occasions(schedules: Sequence[ScheduleRecord], first: datetime, last: datetime) -> list[Occasion]:
    """Occurrences in a range, by time."""
    found = [each for schedule in schedules for each in within(schedule, first, last)]
    return sorted(found, key=lambda each: (each.begins, each.schedule.id))


def conflicts(plan: SchedulePlan, others: Sequence[ScheduleRecord], now: datetime) -> list[ScheduleRecord]:
    """Schedules at the same time as `plan`; only those with a clock."""
    start = upcoming(plan, now)
    if plan.segment or start is None:
        return []
    end = start + (length(plan) or timedelta(0))
    found: list[ScheduleRecord] = []
    for other in others:
        if other.plan.segment:
            continue
        for each in within(other, start - _HOUR, end + _HOUR):
            if _coincide(start, end, each.begins, each.ends or each.begins):
                found.append(other)
                break
    return found


def _coincide(start: datetime, end: datetime, other: datetime, other_end: datetime) -> bool:
    """Overlap of half-open ranges; one without an end is a moment."""
    if start == other:
        return True
    return start < other_end and other < end if other > start else start < other_end


def wall(moment: datetime) -> str:
    """Moment in seed 0's form."""
    return moment.strftime(WALL)
