"""Time wish and time of a task, with JSON conversion: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....language.recognise.times import SEGMENT_BOUNDS, Recurrence, Segment

SEGMENT_NAMES: Final[dict[Segment, str]] = {
    "all_day": "全天",
    "early_morning": "凌晨",
    "morning": "早上",
    "forenoon": "上午",
    "noon": "中午",
    "afternoon": "下午",
    "evening": "晚上",
}
WEEKDAY_NAMES: Final = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Wish:
    """Time of a task as worded, before the rules of seed 1, section 4.

    `ambiguous` and `invalid` are the grammar's; `phrase` its words. `next_day`: no day named, and the clock's
    next occurrence is not today. `reminded`: a reminder is wanted; `remind_at`: its exact moment, if given as
    an offset; `lead`: minutes before the start. `deadline`: the time is a limit (下午五点前). `spans`: an
    activity with a duration (写方案), so the end is asked for; any other start is a moment.
    """

    date: date | None = None
    start: time | None = None
    end: time | None = None
    end_date: date | None = None
    segment: Segment | None = None
    phrase: str = ""
    ambiguous: str | None = None
    invalid: str | None = None
    next_day: bool = False
    deadline: bool = False
    reminded: bool = False
    remind_at: datetime | None = None
    lead: int | None = None
    further: tuple[int, ...] = ()
    """Further leads in minutes, each less than `lead`"""
    recurrence: dict[str, Any] | None = None
    spans: bool = False
    closes: str = ""
    """In a change: the clock is the new end (`language.timing.moved_end`); the start stays"""

    @property
    def empty(self) -> bool:
        """True if no time is given."""
        said = (self.date, self.start, self.segment, self.invalid, self.remind_at, self.recurrence, self.end)
        return all(one is None for one in said)

    def as_json(self) -> dict[str, Any]:
        """JSON for the frame's notes, without empty values."""
        found: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None and value is not False and value != "" and value != ():
                found[one.name] = value.isoformat() if isinstance(value, (date, time)) else value
        return found

    @classmethod
    def from_json(cls, values: Mapping[str, Any], zone: ZoneInfo) -> Wish:
        """Wish from its JSON; `zone`: time zone of moments."""
        found: dict[str, Any] = {key: values[key] for key in values if key in cls.__slots__}
        for name in ("date", "end_date"):
            if name in found:
                found[name] = date.fromisoformat(found[name])
        for name in ("start", "end"):
            if name in found:
                found[name] = time.fromisoformat(found[name])
        found["further"] = tuple(found.get("further", ()))
        if "remind_at" in found:
            found["remind_at"] = datetime.fromisoformat(found["remind_at"]).astimezone(zone)
        return cls(**found)


@dataclass(frozen=True, slots=True)
class TaskTime:
    """Time of a task: a day with a range or a segment (seed 1), and its reminders."""

    day: date
    start: time | None = None
    end: time | None = None
    segment: Segment | None = None
    remind_at: datetime | None = None
    recurrence: dict[str, Any] | None = None
    remind_more: tuple[datetime, ...] = ()
    """Further reminders"""
    note: str | None = None
    """Wording that fits neither (clock of a deadline, range of days), for the description"""

    def span(self, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
        """Range as moments, also across midnight; None for a segment."""
        if self.start is None or self.end is None:
            return None
        last = self.day + timedelta(days=1) if self.end <= self.start else self.day
        return datetime.combine(self.day, self.start, zone), datetime.combine(last, self.end, zone)


def until_stopped(wish: Wish, rhythm: Mapping[str, Any]) -> Wish:
    """Wish that is reminded of again and again, until it is done."""
    return replace(wish, recurrence=dict(rhythm), reminded=True, spans=False, end=None)


def repetition(values: Mapping[str, Any]) -> Recurrence:
    """A recurrence from its JSON."""
    return Recurrence.kept(values)


def segment_of(clock: time) -> Segment:
    """Segment containing a clock."""
    minute = clock.replace(second=0, microsecond=0, fold=0)
    for name, (first, last) in SEGMENT_BOUNDS.items():
        if name != "all_day" and first <= minute <= last:
            return name
    raise AssertionError(clock)


def say_day(day: date, today: date) -> str:
    """Date with weekday, always (pitfall 40): 11月23日（周一）; with the year if not this year."""
    year = f"{day.year}年" if day.year != today.year else ""
    return f"{year}{day.month}月{day.day}日（周{WEEKDAY_NAMES[day.weekday()]}）"


def clock_text(clock: time) -> str:
    """`HH:MM`."""
    return f"{clock:%H:%M}"


def later(clock: time, minutes: int) -> time:
    """Clock some minutes later, modulo a day."""
    return (datetime.combine(date(2000, 1, 2), clock) + timedelta(minutes=minutes)).time()


def pm(clock: time) -> time:
    """Afternoon reading of a clock."""
    return clock if clock.hour >= 12 else clock.replace(hour=clock.hour + 12)


def end_behind(start: time, end: time) -> time:
    """Reading of an end clock behind an afternoon start: 12点 behind 20:00 is midnight."""
    return end.replace(hour=0) if end.hour == 12 and start.hour > 12 else pm(end)


def without_time(wish: Wish) -> Wish:
    """Wish without its time: reminder flag, lead and recurrence."""
    return Wish(reminded=wish.reminded, lead=wish.lead, recurrence=wish.recurrence)


def on(wish: Wish, **changed: Any) -> Wish:
    """Copy with changed values."""
    return replace(wish, **changed)


def raw_slots(wish: Wish) -> dict[str, Any]:
    """Time slots as worded, while a question is open."""
    found: dict[str, Any] = {}
    if wish.date is not None:
        found["dueDate"] = wish.date.isoformat()
    if wish.start is not None:
        found["startTime"] = clock_text(wish.start)
    if wish.end is not None:
        found["endTime"] = clock_text(wish.end)
    if wish.segment is not None:
        found["timeSegment"] = wish.segment
    if wish.recurrence is not None:
        found["recurrence"] = wish.recurrence
    return found
