"""Clocks on the dial: which half of the day each means, and where a range crosses midnight.

`settle` brings a part of the day and a spoken clock together: 晚上 + 八点 is 20:00, 晚上 + 一点 is 01:00 of
the next day, 上午 + 15点 is no time at all. `span_times` does so for a whole span.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import time
from typing import Final

from ..expression import SEGMENT_BOUNDS, Segment
from .clock import Period, Rule, SpokenClock
from .span import Span

DAY_MINUTES: Final = 24 * 60
NOON: Final = 12 * 60


@dataclass(frozen=True, slots=True)
class SettledClock:
    """A clock of 24 hours; `shift` is 1 where it lies in the day after.

    `ambiguous`: still one of 12 hours, as said.
    """

    hour: int
    minute: int
    shift: int = 0
    ambiguous: bool = False
    invalid: str | None = None

    @property
    def minutes(self) -> int:
        """Minutes since the beginning of the named day."""
        return self.shift * DAY_MINUTES + self.hour * 60 + self.minute


@dataclass(frozen=True, slots=True)
class Times:
    """Clocks of one span in minutes from the beginning of the named day; `spoken` where am or pm is open."""

    start: int | None = None
    end: int | None = None
    segment: Segment | None = None
    spoken: bool = False
    ranged: bool = False
    invalid: str | None = None
    part_shift: int = 0

    @property
    def latest(self) -> int:
        """The last minute it can mean, to see whether it is past."""
        base = self.end if self.end is not None else self.start
        if base is None:
            assert self.segment is not None
            bound = SEGMENT_BOUNDS[self.segment][1]
            return bound.hour * 60 + bound.minute + DAY_MINUTES * self.part_shift
        return base + (NOON if self.spoken and base < NOON else 0)


def span_times(span: Span, after: int | None = None, *, midnight: bool = False) -> Times:
    """Times of a span. `after`: a definite clock time before it in a list (下午三点和五点). `midnight`: so
    late that 12点 without a part of the day is the coming midnight."""
    if span.clock is None:
        assert span.period is not None
        shift = 1 if span.period.word.startswith("晚凌") else 0
        if not span.ranged:
            return Times(segment=span.period.segment, part_shift=shift)
        bound = SEGMENT_BOUNDS[span.period.segment][0]
        start = SettledClock(bound.hour, bound.minute)
    else:
        start = settle(span.period, span.clock)
        if midnight and span.period is None and span.clock.hour == 12 and span.clock.half is None:
            start = SettledClock(0, start.minute, shift=1)
    if start.invalid is not None:
        return Times(ranged=span.ranged, invalid=start.invalid)
    if after is not None and span.clock is not None and start.ambiguous:
        start = _from_minutes(_first_after(after, span.clock))
    if span.clock is not None and span.clock.last is not None and not span.ranged:
        last = SpokenClock(span.clock.last, sure=span.clock.sure)
        return _range(span.period, start, None, last)
    if not span.ranged:
        return Times(start.minutes, spoken=start.ambiguous)
    times = _range(span.period, start, span.period2, span.clock2)
    if span.next_day and times.end is not None and times.end < DAY_MINUTES:
        times = replace(times, end=times.end + DAY_MINUTES)
    return times


def _from_minutes(minutes: int) -> SettledClock:
    return SettledClock(minutes // 60 % 24, minutes % 60, minutes // DAY_MINUTES)


def _first_after(start: int, clock: SpokenClock) -> int:
    """The first time on a dial of twelve hours that lies after `start`, in minutes."""
    said = clock.hour % 12 * 60 + clock.minute
    return next(said + NOON * turn for turn in range(5) if said + NOON * turn > start)


def _range(
    period: Period | None, start: SettledClock, period2: Period | None, clock2: SpokenClock | None
) -> Times:
    if clock2 is None:
        assert period2 is not None
        bound = SEGMENT_BOUNDS[period2.segment][1]
        end = SettledClock(bound.hour, bound.minute)
        if start.ambiguous and start.minutes < end.minutes:
            return Times(start.minutes, end.minutes, spoken=start.minutes + NOON < end.minutes)
    else:
        end = settle(period2, clock2)
    if end.invalid is not None:
        return Times(start.minutes, spoken=start.ambiguous, ranged=True, invalid=end.invalid)
    open_end = (
        clock2 is not None
        and period2 is None
        and clock2.half is None
        and (end.ambiguous or (clock2.hour == 12 and not clock2.written))
    )
    noon_or_midnight = clock2 is not None and period2 is None and clock2.hour == 12 and not clock2.written
    if start.ambiguous and (end.ambiguous or noon_or_midnight):
        return Times(start.minutes, end.minutes, spoken=True)
    if start.ambiguous:
        return _range_backwards(start, end, period2)
    if open_end and clock2 is not None:
        return Times(start.minutes, _first_after(start.minutes, clock2))
    minutes = end.minutes
    while minutes <= start.minutes:
        minutes += DAY_MINUTES
    return Times(start.minutes, minutes)


def _range_backwards(start: SettledClock, end: SettledClock, period2: Period | None) -> Times:
    """三点到下午五点, 9点到17点: the end tells which half of the day the beginning lies in."""
    early, late = start.minutes, start.minutes + NOON
    finish = end.minutes
    if period2 is None:
        if finish == 0 or finish >= DAY_MINUTES:
            return Times(early, finish or DAY_MINUTES, spoken=True)
        return Times(early, finish if finish > early else finish + DAY_MINUTES)
    bound = SEGMENT_BOUNDS[period2.segment][0]
    if period2.segment == "evening" and late < finish <= DAY_MINUTES:
        return Times(early, finish, spoken=True)  # 八点到晚上十点: of the morning, or of the evening
    opening = min(bound.hour * 60, NOON if period2.segment == "afternoon" else DAY_MINUTES)
    if opening <= late < finish:
        return Times(late, finish)
    if early < finish:
        return Times(early, finish)
    return Times(late if late < finish + DAY_MINUTES else early, finish + DAY_MINUTES)


_LONGEST_NIGHT: Final = 15 * 60
_ENDS_BEFORE: Final = "结束的时间在开始之前"


def overnight(span: Span, times: Times) -> Times:
    """`times`, refused where the range ends on the day after and is no night (23点到22点, 下午五点到三点).

    A range may cross midnight from the evening into the small hours or the morning, for 15 hours at most;
    where the end is certain it may begin at 17:00, and where it says 凌晨, at noon.
    """
    if times.start is None or times.end is None or not span.ranged or span.next_day or times.spoken:
        return times
    begin = times.start % DAY_MINUTES
    end = times.end - times.start + begin
    if end <= DAY_MINUTES:
        return times
    earliest = 18 * 60
    if span.period2 is not None and span.period2.rule in {"early", "night"}:
        earliest = NOON
    elif span.clock2 is not None and (span.clock2.sure or span.period2 is not None):
        earliest = 17 * 60
    if begin >= earliest and end - begin <= _LONGEST_NIGHT:
        return times
    return Times(times.start, ranged=True, invalid=_ENDS_BEFORE)


def by_24_hours(spans: list[Span]) -> list[Span]:
    """8点和20点: one clock of 24 hours in a list makes all its bare clocks such."""
    if len(spans) < 2 or not any(_beyond_noon(span.clock, span.period) for span in spans):
        return spans
    return [
        replace(span, clock=replace(span.clock, sure=True)) if span.clock and span.period is None else span
        for span in spans
    ]


def _beyond_noon(clock: SpokenClock | None, period: Period | None) -> bool:
    return clock is not None and period is None and clock.sure and clock.hour > 12 and clock.invalid is None


def wall_clock(minutes: int) -> time:
    """The clock so many minutes after midnight, of whatever day."""
    return time(minutes // 60 % 24, minutes % 60)


def settle(period: Period | None, clock: SpokenClock) -> SettledClock:
    """The clock of 24 hours that a part of the day and a spoken clock make together."""
    if clock.invalid is not None:
        return SettledClock(0, 0, invalid=clock.invalid)
    hour, minute = clock.hour, clock.minute
    if clock.half is not None:
        return SettledClock(hour % 12 + (12 if clock.half == "pm" else 0), minute)
    if period is None:
        if clock.sure or hour == 12 or hour == 0:
            return SettledClock(hour % 24, minute, shift=hour // 24)
        return SettledClock(hour, minute, ambiguous=True)
    found = _in_period(period.rule, hour)
    if found is None:
        spoken = f"{hour}点" if not minute else f"{hour}:{minute:02d}"
        return SettledClock(0, 0, invalid=f"{period.word}没有{spoken}")
    hour, shift = found
    return SettledClock(hour, minute, shift + period.word.startswith("晚凌"))


def _in_period(rule: Rule, hour: int) -> tuple[int, int] | None:
    """(hour of 24, days on) of an hour said within a part of the day; `None` where it has no such hour."""
    if rule == "early":
        return (hour % 12, 0) if hour in {0, 1, 2, 3, 4, 5, 6, 12} else (0, 0) if hour == 24 else None
    if rule == "morning":
        return (hour, 0) if hour <= 11 else None
    if rule == "forenoon":
        return (hour, 0) if hour <= 12 else None
    if rule == "noon":
        return (hour, 0) if 10 <= hour <= 15 else (hour + 12, 0) if 1 <= hour <= 3 else None
    if rule == "afternoon":
        return (hour, 0) if 12 <= hour <= 23 else (hour + 12, 0) if 1 <= hour <= 11 else None
    if rule == "dusk":
        return (hour, 0) if 16 <= hour <= 20 else (hour + 12, 0) if 4 <= hour <= 8 else None
    if hour in {0, 12, 24}:
        return 0, 1
    small_hours = 6 if rule == "night" else 5
    if hour < small_hours:
        return hour, 1
    if hour < 12:
        return hour + 12, 0
    return (hour, 0) if 17 <= hour <= 23 else None
