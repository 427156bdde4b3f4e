"""Schedules and tasks as entries of a calendar or of a day. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final, Literal, Protocol

from ...language.recognise.times import SEGMENT_BOUNDS, Segment

MORNING: Final = timedelta(hours=9)
"""Clock from which reminders of whole days count."""
Kind = Literal["schedule", "task"]


@dataclass(frozen=True, slots=True)
class DayEntry:
    """Something on a day. `start` and `end` are wall time of `zone`, naive.

    `part`: a part of the day was said and no clock; `all_day` where not even that.
    """

    kind: Kind
    id: int
    title: str
    start: datetime
    zone: str
    end: datetime | None = None
    part: bool = False
    all_day: bool = False
    place: str | None = None
    details: str | None = None
    recurrence: dict[str, Any] | None = None
    until: date | None = None
    lead_minutes: int | None = None
    who: str = ""


class PlanLike(Protocol):
    """Content of a schedule."""

    @property
    def start(self) -> str: ...
    @property
    def zone(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def end(self) -> str | None: ...
    @property
    def segment(self) -> str | None: ...
    @property
    def place(self) -> str | None: ...
    @property
    def recurrence(self) -> dict[str, Any] | None: ...
    @property
    def until(self) -> str | None: ...
    @property
    def lead_minutes(self) -> int | None: ...


class FieldsLike(Protocol):
    """Content of a task."""

    @property
    def title(self) -> str: ...
    @property
    def due_date(self) -> str: ...
    @property
    def zone(self) -> str: ...
    @property
    def start_time(self) -> str | None: ...
    @property
    def end_time(self) -> str | None: ...
    @property
    def time_segment(self) -> str | None: ...
    @property
    def remind_at(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def recurrence(self) -> dict[str, Any] | None: ...


def of_schedule(number: int, plan: PlanLike, lead_minutes: int | None) -> DayEntry:
    """A schedule; `lead_minutes` counts where the schedule names none itself."""
    start = datetime.fromisoformat(plan.start)
    end = datetime.fromisoformat(plan.end) if plan.end else None
    segment = _known_segment(plan.segment)
    if segment is not None and end is None:
        start, end = _segment_span(start.date(), segment)
    elif segment is not None and end is not None and _whole_minute(end) == SEGMENT_BOUNDS[segment][1]:
        # 3号到5号 ends when the 6th begins, whether its last moment is 23:59:00 or, made over HTTP, 23:59:59.
        end = end.replace(second=0) + timedelta(minutes=1)
    lead = plan.lead_minutes if plan.lead_minutes is not None else lead_minutes
    if segment == "all_day" and lead is not None:
        lead -= round(MORNING / timedelta(minutes=1))
    return DayEntry(
        "schedule",
        number,
        plan.description,
        start,
        plan.zone,
        end,
        part=segment is not None,
        all_day=segment == "all_day",
        place=plan.place,
        recurrence=plan.recurrence,
        until=date.fromisoformat(plan.until) if plan.until else None,
        lead_minutes=lead,
    )


def of_task(number: int, fields: FieldsLike, who: str = "") -> DayEntry:
    """A task, on the day it is due."""
    day = date.fromisoformat(fields.due_date)
    segment = _known_segment(fields.time_segment)
    if fields.start_time is not None:
        start = datetime.combine(day, time.fromisoformat(fields.start_time))
        end = datetime.combine(day, time.fromisoformat(fields.end_time)) if fields.end_time else None
        if end is not None and end <= start:
            end += timedelta(days=1)
    else:
        start, end = _segment_span(day, segment or "all_day")
    lead = None
    if fields.remind_at is not None:
        remind = datetime.fromisoformat(fields.remind_at).replace(tzinfo=None)
        lead = round((start - remind).total_seconds() / 60)
    return DayEntry(
        "task",
        number,
        fields.title,
        start,
        fields.zone,
        end,
        part=fields.start_time is None,
        all_day=fields.start_time is None and segment in (None, "all_day"),
        details=fields.description,
        recurrence=fields.recurrence,
        lead_minutes=lead,
        who=who,
    )


def _whole_minute(moment: datetime) -> time:
    return moment.time().replace(second=0, microsecond=0)


def _known_segment(name: str | None) -> Segment | None:
    return name if name in SEGMENT_BOUNDS else None


def _segment_span(day: date, segment: Segment) -> tuple[datetime, datetime]:
    first, last = SEGMENT_BOUNDS[segment]
    return datetime.combine(day, first), datetime.combine(day, last) + timedelta(minutes=1)


def planned(day: date, entry: DayEntry) -> str:
    """An entry on a day, in a line for a model: 11月20日 周五 15:30 羽毛球（东区球馆）."""
    part = "" if entry.all_day else f" {entry.start:%H:%M}" + ("起" if entry.part else "")
    place = f"（{entry.place}）" if entry.place else ""
    kind = "任务：" if entry.kind == "task" else ""
    weekday = "一二三四五六日"[day.weekday()]
    return f"{day.month}月{day.day}日 周{weekday}{part} {kind}{entry.title}{place}"
