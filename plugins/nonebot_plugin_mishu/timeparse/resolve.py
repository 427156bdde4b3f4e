"""What a phrase means: its date, clocks and flags, counted from now; several where it lists several."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import replace as replace_phrase
from datetime import date, time

from .clock import Clock, Period, Settled, settle
from .day import Day, Today, step
from .expression import SEGMENT_BOUNDS, WEEKDAYS, Ambiguity, Kind, Recurrence, Segment
from .occurrences import dates
from .phrase import Phrase, Span

_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Reading:
    """A time expression without its place in the text."""

    kind: Kind
    date: date | None = None
    start: time | None = None
    end: time | None = None
    end_date: date | None = None
    segment: Segment | None = None
    recurrence: Recurrence | None = None
    ambiguous: Ambiguity | None = None
    invalid: str | None = None


@dataclass(frozen=True, slots=True)
class _Times:
    """Clocks of one span in minutes from the beginning of the named day; `spoken` where am or pm is open."""

    start: int | None = None
    end: int | None = None
    segment: Segment | None = None
    late: int = 0
    spoken: bool = False
    invalid: str | None = None
    part_shift: int = 0

    @property
    def latest(self) -> int:
        """The last minute it can mean, to see whether it is past."""
        base = self.end if self.end is not None else self.start
        if base is None:
            assert self.segment is not None
            bound = SEGMENT_BOUNDS[self.segment][1]
            return bound.hour * 60 + bound.minute + _DAY_MINUTES * self.part_shift
        return base + (12 * 60 if self.spoken and base < 12 * 60 else 0)


def resolve(phrase: Phrase, today: Today, context: date | None) -> list[Reading]:
    """The readings of a phrase. `context`: the date spoken of before, for a clock that has none of its own."""
    if phrase.offset is not None:
        return [_offset(phrase)]
    if phrase.every is not None:
        return _recurring(phrase, today)
    times = _all_times(phrase, today)
    if not times:
        if phrase.last_day is not None:
            return [_limited(phrase, _date_range(phrase.days[0], phrase.last_day), today)]
        return [_limited(phrase, _day(day), today) for day in phrase.days]
    days: list[Day | None] = [*phrase.days] or [Day(context) if context is not None else None]
    if phrase.last_day is not None:
        if phrase.times_on_both:
            return [_limited(phrase, _across(phrase.days[0], phrase.last_day, times[0]), today)]
        return _each_day(phrase, times, today)
    return [_limited(phrase, _timed(day, each, today), today) for day in days for each in times]


def _offset(phrase: Phrase) -> Reading:
    offset = phrase.offset
    assert offset is not None
    if offset.moment is not None:
        clock = offset.moment.time().replace(second=0, microsecond=0, tzinfo=None)
        return Reading("deadline" if offset.kind == "deadline" else "point", offset.moment.date(), clock)
    assert offset.day is not None
    if offset.kind == "deadline":
        return Reading("deadline", offset.day.start)
    return _day(offset.day)


def _day(day: Day) -> Reading:
    if day.end is not None:
        return Reading(
            "date_range", day.start, end_date=day.end, ambiguous=day.ambiguous, invalid=day.invalid
        )
    return Reading("day", day.start, segment="all_day", ambiguous=day.ambiguous, invalid=day.invalid)


def _date_range(first: Day, last: Day) -> Reading:
    until = last.end if last.end is not None else last.start
    invalid = first.invalid or last.invalid
    if until is not None and first.start is not None and until < first.start:
        until, invalid = None, "结束的日子在开始之前"
    return Reading(
        "date_range",
        first.start,
        end_date=until,
        ambiguous=first.ambiguous or last.ambiguous,
        invalid=invalid,
    )


def _limited(phrase: Phrase, reading: Reading, today: Today) -> Reading:
    """The limit that 前 or 内 makes of a reading."""
    if phrase.limit is None or reading.kind == "recurring":
        return reading
    limit, clock = reading.date, reading.start
    if reading.kind == "date_range" and limit is not None and reading.end_date is not None:
        running = limit <= today.date <= reading.end_date
        if phrase.limit == "within" or running:
            limit = reading.end_date
    elif reading.kind == "range" and (phrase.limit == "within" or reading.start is None):
        limit, clock = reading.end_date or limit, reading.end
    elif reading.kind == "segment" and reading.segment is not None:
        bounds = SEGMENT_BOUNDS[reading.segment]
        clock = bounds[1] if phrase.limit == "within" else bounds[0]
    return Reading("deadline", limit, clock, ambiguous=reading.ambiguous, invalid=reading.invalid)


def _all_times(phrase: Phrase, today: Today) -> list[_Times]:
    found: list[_Times] = []
    for index, span in enumerate(phrase.times):
        before = found[-1] if index else None
        leans = before is not None and span.period is None and before.start is not None and not before.spoken
        times = _span_times(span, before.start if leans and before is not None else None)
        if times.start is not None and not phrase.every and _is_midnight_of_evening(phrase, span, today):
            times = replace(times, start=times.start + 12 * 60)
        found.append(times)
    return found


def _is_midnight_of_evening(phrase: Phrase, span: Span, today: Today) -> bool:
    """12点 said after 18:00, of today or of no day: the coming midnight."""
    bare = (
        span.period is None and span.clock is not None and span.clock.hour == 12 and span.clock.half is None
    )
    unsaid = not phrase.days or (len(phrase.days) == 1 and phrase.days[0].unit == "today")
    return bare and unsaid and not span.ranged and today.moment.hour >= 18


def _span_times(span: Span, after: int | None) -> _Times:
    if span.clock is None:
        assert span.period is not None
        shift = 1 if span.period.word.startswith("晚凌") else 0
        if not span.ranged:
            return _Times(segment=span.period.segment, part_shift=shift)
        bound = SEGMENT_BOUNDS[span.period.segment][0]
        start = Settled(bound.hour, bound.minute)
    else:
        start = settle(span.period, span.clock)
    if start.invalid is not None:
        return _Times(invalid=start.invalid)
    if after is not None and span.clock is not None and start.ambiguous:
        start = _from_minutes(_first_after(after, span.clock))
    if span.clock is not None and span.clock.last is not None and not span.ranged:
        last = Clock(span.clock.last, sure=span.clock.sure)
        return _range(span.period, start, None, last)
    if not span.ranged:
        return _Times(start.minutes, spoken=start.ambiguous)
    times = _range(span.period, start, span.period2, span.clock2)
    if span.next_day and times.end is not None and times.end < _DAY_MINUTES:
        times = replace(times, end=times.end + _DAY_MINUTES)
    return times


def _from_minutes(minutes: int) -> Settled:
    return Settled(minutes // 60 % 24, minutes % 60, minutes // _DAY_MINUTES)


def _first_after(start: int, clock: Clock) -> int:
    """The first time on a dial of twelve hours that lies after `start`, in minutes."""
    said = clock.hour % 12 * 60 + clock.minute
    return next(said + 12 * 60 * turn for turn in range(5) if said + 12 * 60 * turn > start)


def _range(period: Period | None, start: Settled, period2: Period | None, clock2: Clock | None) -> _Times:
    if clock2 is None:
        assert period2 is not None
        bound = SEGMENT_BOUNDS[period2.segment][1]
        end = Settled(bound.hour, bound.minute)
    else:
        end = settle(period2, clock2)
    if end.invalid is not None:
        return _Times(start.minutes, invalid=end.invalid, spoken=start.ambiguous)
    open_end = (
        clock2 is not None
        and period2 is None
        and clock2.half is None
        and (end.ambiguous or (clock2.hour == 12 and not clock2.written))
    )
    if start.ambiguous and end.ambiguous:
        return _Times(start.minutes, end.minutes, spoken=True)
    if start.ambiguous:
        return _range_backwards(start, end, period2)
    if open_end and clock2 is not None:
        return _Times(start.minutes, _first_after(start.minutes, clock2))
    minutes = end.minutes
    while minutes <= start.minutes:
        minutes += _DAY_MINUTES
    return _Times(start.minutes, minutes)


def _range_backwards(start: Settled, end: Settled, period2: Period | None) -> _Times:
    """三点到下午五点, 9点到17点: the end tells which half of the day the beginning lies in."""
    early, late = start.minutes, start.minutes + 12 * 60
    finish = end.minutes
    if period2 is None:
        if finish == 0 or finish >= _DAY_MINUTES:
            return _Times(early, finish or _DAY_MINUTES, spoken=True)
        return _Times(early, finish if finish > early else finish + _DAY_MINUTES)
    bound = SEGMENT_BOUNDS[period2.segment][0]
    opening = min(bound.hour * 60, 12 * 60 if period2.segment == "afternoon" else _DAY_MINUTES)
    if opening <= late < finish:
        return _Times(late, finish)
    if early < finish:
        return _Times(early, finish)
    return _Times(late if late < finish + _DAY_MINUTES else early, finish + _DAY_MINUTES)


def _timed(day: Day | None, times: _Times, today: Today) -> Reading:
    """One date and one span of clocks."""
    kind: Kind = "segment" if times.segment else "range" if times.end is not None else "point"
    if times.invalid is not None:
        start = _clock(times.start) if times.start is not None else None
        return Reading(kind, day.start if day else None, start, invalid=times.invalid)
    if day is None:
        base = _next_base(times, today)
        late = base != today.date or (
            times.start is not None and times.end is None and times.start >= _DAY_MINUTES
        )
        ambiguous: Ambiguity | None = "am_pm" if times.spoken else "which_day" if late else None
        return _placed(kind, base, times, ambiguous, None)
    if day.start is None:
        return _placed(kind, None, times, "am_pm" if times.spoken else day.ambiguous, day.invalid)
    base = day.start
    if day.later is not None and _is_past(base, times, today):
        base = day.later
    ambiguous = day.ambiguous or ("which_day" if day.end is not None else "am_pm" if times.spoken else None)
    return _placed(kind, base, times, ambiguous, day.invalid)


def _is_past(base: date, times: _Times, today: Today) -> bool:
    """Whether the span, at its latest, is over."""
    passed = (today.date - base).days * _DAY_MINUTES + today.minutes
    over = times.latest < passed
    return over or (times.end is not None and times.latest == passed)


def _next_base(times: _Times, today: Today) -> date:
    """The day whose span comes next: last evening's where its small hours are still ahead."""
    yesterday = step(today.date, -1)
    if times.start is not None and times.start >= _DAY_MINUTES and not _is_past(yesterday, times, today):
        return yesterday
    return today.date if not _is_past(today.date, times, today) else step(today.date, 1)


def _placed(
    kind: Kind, base: date | None, times: _Times, ambiguous: Ambiguity | None, invalid: str | None
) -> Reading:
    if times.segment is not None:
        shifted = step(base, times.part_shift) if base is not None else None
        return Reading(kind, shifted, segment=times.segment, ambiguous=ambiguous, invalid=invalid)
    start_day = times.start // _DAY_MINUTES if times.start is not None else 0
    first = step(base, start_day) if base is not None else None
    end_date = None
    if times.end is not None and base is not None and times.end // _DAY_MINUTES > start_day:
        end_date = step(base, times.end // _DAY_MINUTES)
    return Reading(
        kind,
        first,
        _clock(times.start) if times.start is not None else None,
        _clock(times.end) if times.end is not None else None,
        end_date,
        ambiguous=ambiguous,
        invalid=invalid,
    )


def _clock(minutes: int) -> time:
    return time(minutes // 60 % 24, minutes % 60)


def _each_day(phrase: Phrase, times: list[_Times], today: Today) -> list[Reading]:
    """3号到5号下午三点: a clock behind a stretch of days is meant on each of them."""
    first, last = phrase.days[0], phrase.last_day
    assert last is not None
    daily = replace_phrase(phrase, anchor=first, until=last)
    return [_repeated(daily, Recurrence("daily"), each, today) for each in times]


def _across(first: Day, last: Day, times: _Times) -> Reading:
    """明天下午三点到后天上午十点; a clock at one end only belongs to that end."""
    until = last.end or last.start
    invalid = first.invalid or last.invalid or times.invalid
    if times.segment is not None or times.start is None:
        return Reading("date_range", first.start, end_date=until, invalid=invalid)
    end = times.end
    shift = end // _DAY_MINUTES if end is not None else 0
    start_shift = times.start // _DAY_MINUTES
    return Reading(
        "range",
        step(first.start, start_shift) if first.start else None,
        _clock(times.start),
        _clock(end) if end is not None else None,
        step(until, min(shift, 1) if shift and last.start == first.start else 0) if until else None,
        ambiguous="am_pm" if times.spoken else first.ambiguous or last.ambiguous,
        invalid=invalid,
    )


def _recurring(phrase: Phrase, today: Today) -> list[Reading]:
    every = phrase.every
    assert every is not None
    times: list[_Times | None] = [*_all_times(phrase, today)] or [None]
    if not every.rules:
        return [Reading("recurring", invalid=every.invalid)]
    return [_repeated(phrase, rule, each, today) for rule in every.rules for each in times]


def _repeated(phrase: Phrase, rule: Recurrence, times: _Times | None, today: Today) -> Reading:
    invalid = (phrase.every.invalid if phrase.every else None) or (times.invalid if times else None)
    anchor = phrase.anchor.start if phrase.anchor is not None else None
    until = None
    if phrase.until is not None:
        until = phrase.until.end or phrase.until.start
        invalid = invalid or phrase.until.invalid
    if phrase.anchor is not None and phrase.anchor.invalid:
        invalid = phrase.anchor.invalid
    ticking = rule.freq in {"minutely", "hourly"}
    segment: Segment | None = None if ticking or times is not None else "all_day"
    if times is not None and times.invalid is None:
        segment = times.segment
    if times is not None and times.start is not None and times.start >= _DAY_MINUTES:
        rule = _next_day(rule)
    if invalid is not None:
        return Reading("recurring", recurrence=rule, segment=segment, invalid=invalid)
    first = _first_date(rule, times, anchor, today)
    start = _clock(times.start) if times is not None and times.start is not None else None
    end = _clock(times.end) if times is not None and times.end is not None else None
    ambiguous: Ambiguity | None = "am_pm" if times is not None and times.spoken else None
    return Reading("recurring", first, start, end, until, segment, rule, ambiguous)


def _first_date(rule: Recurrence, times: _Times | None, anchor: date | None, today: Today) -> date | None:
    base = anchor if anchor is not None and anchor > today.date else today.date
    found = dates(rule, base)
    first = next(found, None)
    if first == today.date and times is not None and rule.freq not in {"minutely", "hourly"}:
        same_day = (
            replace(times, start=times.start % _DAY_MINUTES)
            if times.start is not None and times.end is None
            else times
        )
        if _is_past(first, same_day, today):
            if rule.interval > 1 and anchor is None:
                rule = replace(rule, interval=1)
            return next((day for day in dates(rule, step(first, 1))), None)
    return first


def _next_day(rule: Recurrence) -> Recurrence:
    """每周五晚上12点 happens on Saturdays at 00:00."""
    if rule.freq == "weekly" and rule.byday:
        moved = sorted((WEEKDAYS.index(code) + 1) % 7 for code in rule.byday)
        return replace(rule, byday=tuple(WEEKDAYS[day] for day in moved))
    if rule.freq == "monthly" and rule.bymonthday is not None:
        return replace(rule, bymonthday=1 if rule.bymonthday in {-1, 31} else rule.bymonthday + 1)
    return rule
