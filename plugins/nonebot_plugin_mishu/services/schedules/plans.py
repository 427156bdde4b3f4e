"""Schedule plans from the fields of a request, new or changed. Pure.

Fields: `description`, `starts_at` and `ends_at` (aware), `all_day`, `segment`, `place`, `recurrence`,
`until`, `lead_minutes`, `everybody`. Absent ones stay; None removes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...agents.schedule.candidates.candidate import CandidateTime
from ...agents.schedule.candidates.moments import is_past
from ...agents.schedule.timetable import begins
from ...language.recognise.times import SEGMENT_BOUNDS
from ...storage.schedules.records import WALL, SchedulePlan
from ..refusals import invalid

LONGEST: Final = timedelta(days=366)
ALL_DAY: Final = "all_day"
_LAST: Final = time(23, 59, 59)


def make_plan(fields: Mapping[str, Any], now: datetime) -> SchedulePlan:
    """A new plan. Raises `Refused` for a missing or invalid field."""
    if fields.get("starts_at") is None:
        raise invalid("starts_at", "不能缺少")
    if not fields.get("description"):
        raise invalid("description", "不能缺少")
    return change_plan(SchedulePlan("", str(now.tzinfo), ""), fields, now)


def change_plan(plan: SchedulePlan, fields: Mapping[str, Any], now: datetime) -> SchedulePlan:
    """A plan changed by these fields. Raises `Refused`."""
    changed = _set_time(plan, fields) if _has_time(fields) else plan
    if "description" in fields:
        words = " ".join(str(fields["description"] or "").split())[:200]
        if not words:
            raise invalid("description", "不能为空")
        changed = replace(changed, description=words)
    if "place" in fields:
        changed = replace(changed, place=" ".join(str(fields["place"] or "").split())[:100] or None)
    if "lead_minutes" in fields:
        changed = replace(changed, lead_minutes=fields["lead_minutes"])
    if fields.get("everybody") is not None:
        changed = replace(changed, everybody=bool(fields["everybody"]))
    if _has_time(fields):
        when = CandidateTime(
            changed.start, changed.end or "", changed.segment or "", changed.recurrence, changed.until or ""
        )
        if is_past(when, now):
            raise invalid("starts_at", "已经过去了")
        if changed.until is not None and changed.until < now.date().isoformat():
            raise invalid("until", "已经过去了")
    return changed


def _has_time(fields: Mapping[str, Any]) -> bool:
    return bool(fields.keys() & {"starts_at", "ends_at", "all_day", "segment", "recurrence", "until"})


def _set_time(plan: SchedulePlan, fields: Mapping[str, Any]) -> SchedulePlan:
    zone = ZoneInfo(plan.zone)
    old_start = datetime.strptime(plan.start, WALL) if plan.start else None
    old_end = datetime.strptime(plan.end, WALL) if plan.end else None
    start = _local_wall(fields["starts_at"], zone) if fields.get("starts_at") is not None else old_start
    if start is None:
        raise invalid("starts_at", "不能缺少")
    if "ends_at" in fields:
        end = None if fields["ends_at"] is None else _local_wall(fields["ends_at"], zone)
    else:
        end = None if old_end is None or old_start is None else start + (old_end - old_start)
    segment = plan.segment
    if fields.get("all_day") is not None:
        segment = ALL_DAY if fields["all_day"] else None if segment == ALL_DAY else segment
    if "segment" in fields:
        segment = fields["segment"]
    elif old_start is not None and start.time() != old_start.time() and segment != ALL_DAY:
        segment = None
    if segment is not None:
        start, end = _fit_segment(segment, start, end)
    if end is not None and end <= start:
        raise invalid("ends_at", "应晚于 starts_at")
    if end is not None and end - start > LONGEST:
        raise invalid("ends_at", "离 starts_at 不能超过一年")
    until: date | None = None if plan.until is None else date.fromisoformat(plan.until)
    if "until" in fields:
        until = fields["until"]
    recurrence = plan.recurrence
    if "recurrence" in fields:
        kept = {} if recurrence is None else {"without": recurrence.get("without", [])}
        recurrence = None if fields["recurrence"] is None else {**fields["recurrence"], **kept}
        if recurrence is not None and not recurrence.get("without", True):
            recurrence.pop("without")
    if recurrence is None:
        until = None
    moved = replace(
        plan,
        start=start.strftime(WALL),
        end=None if end is None else end.strftime(WALL),
        segment=segment,
        recurrence=recurrence,
        until=None if until is None else until.isoformat(),
    )
    return moved if recurrence is None else _start_at_first_occasion(moved, start, end)


def _start_at_first_occasion(plan: SchedulePlan, start: datetime, end: datetime | None) -> SchedulePlan:
    """A recurring plan that starts with its first occasion."""
    try:
        first = next(begins(plan), None)
    except (KeyError, TypeError, ValueError):
        raise invalid("recurrence", "规律不对") from None
    if first is None:
        raise invalid("recurrence", "这样一次也不会发生")
    by = first.replace(tzinfo=None) - start
    return replace(
        plan,
        start=(start + by).strftime(WALL),
        end=None if end is None else (end + by).strftime(WALL),
    )


def _fit_segment(segment: str, start: datetime, end: datetime | None) -> tuple[datetime, datetime | None]:
    """Start and end of a part of the day, which has no end of its own; whole days end with their last."""
    if segment == ALL_DAY:
        last = None if end is None else (end - timedelta(seconds=1)).date()
        several = last is not None and last > start.date()
        return datetime.combine(start.date(), time()), datetime.combine(
            last, _LAST
        ) if several and last else None
    for name, bounds in SEGMENT_BOUNDS.items():
        if name == segment:
            return datetime.combine(start.date(), bounds[0]), None
    raise invalid("segment", "不认识")


def _local_wall(moment: datetime, zone: ZoneInfo) -> datetime:
    if not 1971 <= moment.year <= 8999:
        raise invalid("starts_at", "年份不对")
    return moment.astimezone(zone).replace(tzinfo=None, microsecond=0)
