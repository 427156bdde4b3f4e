"""What was said about a task's time, and when it then is: values only, with the way to JSON and back."""

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
    """What a member said about the time of a task, before any rule: seed 1, section 4, comes after it.

    `ambiguous` and `invalid` are the grammar's; `phrase` its words. `next_day`: the clock's next occurrence
    is not today, and nobody named a day. `reminded`: they want to be reminded; `remind_at` when exactly,
    where it was said as so long from now; `lead` minutes before the thing itself. `due_clock`: the clock of
    a limit (下午五点前). `spans`: what is planned fills a stretch of time (写方案), so that a beginning alone
    leaves its end open; everything else that only begins is a moment.
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
    """Minutes of leads said beside `lead`, each less than it."""
    recurrence: dict[str, Any] | None = None
    spans: bool = False
    closes: str = ""
    """In a change: its clock is the new end (`language.timing.moved_end`), the beginning stays."""

    @property
    def empty(self) -> bool:
        """Whether no time was said at all."""
        said = (self.date, self.start, self.segment, self.invalid, self.remind_at, self.recurrence, self.end)
        return all(one is None for one in said)

    def as_json(self) -> dict[str, Any]:
        """For keeping with the task's frame; what does not apply is left out."""
        found: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None and value is not False and value != "" and value != ():
                found[one.name] = value.isoformat() if isinstance(value, (date, time)) else value
        return found

    @classmethod
    def from_json(cls, values: Mapping[str, Any], zone: ZoneInfo) -> Wish:
        """The way back; `zone` is the one moments are given in."""
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
    """When a task is: a day with either a range or a segment (seed 1), and when its owner is reminded."""

    day: date
    start: time | None = None
    end: time | None = None
    segment: Segment | None = None
    remind_at: datetime | None = None
    recurrence: dict[str, Any] | None = None
    remind_more: tuple[datetime, ...] = ()
    """Further moments at which its owner is reminded."""
    note: str | None = None
    """What of the words fits neither (a limit's clock, a stretch of days): kept with the description."""

    def span(self, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
        """The range as moments, of one that crosses midnight too; None for a segment."""
        if self.start is None or self.end is None:
            return None
        last = self.day + timedelta(days=1) if self.end <= self.start else self.day
        return datetime.combine(self.day, self.start, zone), datetime.combine(last, self.end, zone)


def repetition(values: Mapping[str, Any]) -> Recurrence:
    """A recurrence from its JSON."""
    return Recurrence.kept(values)


def segment_of(clock: time) -> Segment:
    """The segment that holds a clock."""
    minute = clock.replace(second=0, microsecond=0, fold=0)
    for name, (first, last) in SEGMENT_BOUNDS.items():
        if name != "all_day" and first <= minute <= last:
            return name
    raise AssertionError(clock)


def say_day(day: date, today: date) -> str:
    """A day with its weekday, always (pitfall 40): 11月23日（周一）, with the year where it is another."""
    year = f"{day.year}年" if day.year != today.year else ""
    return f"{year}{day.month}月{day.day}日（周{WEEKDAY_NAMES[day.weekday()]}）"


def clock_text(clock: time) -> str:
    """`HH:MM`."""
    return f"{clock:%H:%M}"


def later(clock: time, minutes: int) -> time:
    """The clock so many minutes on, round the day."""
    return (datetime.combine(date(2000, 1, 2), clock) + timedelta(minutes=minutes)).time()


def pm(clock: time) -> time:
    """The afternoon's reading of a spoken clock."""
    return clock if clock.hour >= 12 else replace_hour(clock, clock.hour + 12)


def replace_hour(clock: time, hour: int) -> time:
    """The same minute of another hour."""
    return clock.replace(hour=hour % 24)


def without_time(wish: Wish) -> Wish:
    """Only what is left when the time is said anew: that a reminder is wanted, and how it repeats."""
    return Wish(reminded=wish.reminded, lead=wish.lead, recurrence=wish.recurrence)


def on(wish: Wish, **changed: Any) -> Wish:
    """The wish with some of it changed."""
    return replace(wish, **changed)


def raw_slots(wish: Wish) -> dict[str, Any]:
    """What was said of the time while something is still open."""
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
