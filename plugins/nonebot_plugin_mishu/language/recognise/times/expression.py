"""Results of the grammar: time expressions, recurrences, and segments of the day (seed 1, scheme A)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any, Final, Literal, TypedDict
from zoneinfo import ZoneInfo

from ....patterns import Pattern

Kind = Literal["point", "range", "segment", "day", "date_range", "deadline", "recurring"]
Segment = Literal["early_morning", "morning", "forenoon", "noon", "afternoon", "evening", "all_day"]
Ambiguity = Literal["am_pm", "which_day", "which_week"]
Frequency = Literal["minutely", "hourly", "daily", "weekly", "monthly", "yearly", "workday", "lunar_yearly"]

WITHIN_A_DAY: Final[frozenset[Frequency]] = frozenset({"minutely", "hourly"})
"""Frequencies that come several times a day: they have a clock of their own, and no single day."""

WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""The weekday codes of `Recurrence.byday`, indexed as `date.weekday()`."""

SEGMENT_BOUNDS: Final[dict[Segment, tuple[time, time]]] = {
    "early_morning": (time(0, 0), time(5, 59)),
    "morning": (time(6, 0), time(8, 59)),
    "forenoon": (time(9, 0), time(11, 59)),
    "noon": (time(12, 0), time(13, 59)),
    "afternoon": (time(14, 0), time(17, 59)),
    "evening": (time(18, 0), time(23, 59)),
    "all_day": (time(0, 0), time(23, 59)),
}
"""First and last minute of each segment."""


class RecurrenceJson(TypedDict, total=False):
    """`recurrence` in `explain --json`; keys that do not apply are left out."""

    freq: Frequency
    interval: int
    byday: list[str]
    bymonthday: int
    bymonth: int


class TimeJson(TypedDict):
    """One element of `times` in `explain --json`."""

    text: str
    date: str | None
    start: str | None
    end: str | None
    end_date: str | None
    segment: Segment | None
    recurrence: RecurrenceJson | None
    kind: Kind
    ambiguous: Ambiguity | None
    invalid: str | None


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Recurrence of an item.

    `byday` holds weekday codes in week order; with `monthly` and `yearly` each may have its place in the
    month as in RFC 5545 (`-1FR` the last Friday, `2SU` the second Sunday). `bymonthday` -1 is the last day,
    -2 the one before; a missing day becomes the month's last. `lunar_yearly` counts months and days of the
    lunar calendar, never a leap month. `workday` follows the published holidays and 调休. `without` are
    excluded days (RFC 5545, EXDATE; 11月30号那次不开), `until` is the last day,
    `count` how often it comes at most, both only from orders.
    """

    freq: Frequency
    interval: int = 1
    byday: tuple[str, ...] = ()
    bymonthday: int | None = None
    bymonth: int | None = None
    without: tuple[date, ...] = ()
    until: date | None = None
    count: int | None = None

    @property
    def within_a_day(self) -> bool:
        """True if it comes several times a day (每两小时)."""
        return self.freq in WITHIN_A_DAY

    @classmethod
    def kept(cls, plain: Mapping[str, Any]) -> Recurrence:
        """Recurrence from its stored form: the contract's object, `without` and `until`."""
        return cls(
            freq=plain["freq"],
            interval=plain.get("interval", 1),
            byday=tuple(plain.get("byday", ())),
            bymonthday=plain.get("bymonthday"),
            bymonth=plain.get("bymonth"),
            without=tuple(date.fromisoformat(day) for day in plain.get("without", ())),
            until=date.fromisoformat(plain["until"]) if plain.get("until") else None,
            count=plain.get("count"),
        )

    def as_json(self) -> RecurrenceJson:
        """The contract's object."""
        found: RecurrenceJson = {"freq": self.freq, "interval": self.interval}
        if self.byday:
            found["byday"] = list(self.byday)
        if self.bymonthday is not None:
            found["bymonthday"] = self.bymonthday
        if self.bymonth is not None:
            found["bymonth"] = self.bymonth
        return found

    def as_kept(self) -> dict[str, Any]:
        """Stored form: the contract's object with the excluded days."""
        days = [day.isoformat() for day in self.without]
        return {**self.as_json(), **({"without": days} if days else {})}


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One time that a text names, read without policy (contracts.md, `times`).

    `text` stands in the original at `span`; `spans` are the pieces of the original that were used, which
    are several where other words stand between them (明天我们下午三点见). Clocks are wall time of the zone
    the text was read in. `each_lasts`: a recurrence whose every occurrence lasts some days (每月10号到15号),
    so that `end_date` is where the first one ends and the recurrence itself has no end. `moment`: what is
    counted from now in hours, minutes or seconds (90秒后), to the second, which `start` cannot say.
    """

    text: str
    kind: Kind
    spans: tuple[tuple[int, int], ...]
    date: date | None = None
    start: time | None = None
    end: time | None = None
    end_date: date | None = None
    segment: Segment | None = None
    recurrence: Recurrence | None = None
    ambiguous: Ambiguity | None = None
    invalid: str | None = None
    each_lasts: bool = False
    moment: datetime | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The half-open stretch of the original from the first piece to the last."""
        return self.spans[0][0], self.spans[-1][1]

    def moved(self, by: int) -> TimeExpression:
        """The same time, standing `by` characters further on."""
        if by == 0:
            return self
        return replace(self, spans=tuple((start + by, end + by) for start, end in self.spans))

    def begins_at(self, zone: ZoneInfo) -> datetime | None:
        """The first moment, or `None` without a date: its clock, else its segment's or the day's start."""
        if self.date is None:
            return None
        clock = self.start or (SEGMENT_BOUNDS[self.segment][0] if self.segment else time(0, 0))
        return datetime.combine(self.date, clock, zone)

    def as_json(self) -> TimeJson:
        """Exactly the contract's object."""
        return {
            "text": self.text,
            "date": self.date.isoformat() if self.date else None,
            "start": _clock(self.start),
            "end": _clock(self.end),
            "end_date": self.end_date.isoformat() if self.end_date else None,
            "segment": self.segment,
            "recurrence": self.recurrence.as_json() if self.recurrence else None,
            "kind": self.kind,
            "ambiguous": self.ambiguous,
            "invalid": self.invalid,
        }


_CLOCK_WORDS: Final = Pattern(
    "[凌早清晨上中下午晚傍夜里半深昼晌晏间点时分钟刻整左右大概约差过多:.：0-9零〇一二两三四五六七八九十"
    "到至~—–apmAPM 的之以前后内就在于从开始起-]+"
)
_COUNTED: Final = Pattern("(?:分钟?|小时|钟头|刻钟?)(?:之|以)?[后内]|^再?过")
_DAY_NUMBERS: Final = Pattern("[0-9][-/][0-9]+(?![0-9]*[点:])")
_DAY_IN_NUMERALS: Final = Pattern("(?:五一|十一|六一|七一|八一|三八)(?![点:：0-9一二三四五六七八九十刻半])")


def names_day(phrase: str) -> bool:
    """True if a time names its day: 明天 and 10分钟后 do, 下午三点 and 四点前 do not."""
    clock_only = _CLOCK_WORDS.fullmatch(phrase) is not None and _DAY_NUMBERS.search(phrase) is None
    counted = _COUNTED.search(phrase) is not None
    return not clock_only or counted or _DAY_IN_NUMERALS.match(phrase) is not None


def _clock(clock: time | None) -> str | None:
    return f"{clock:%H:%M}" if clock is not None else None
