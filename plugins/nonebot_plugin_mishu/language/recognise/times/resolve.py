"""Meaning of a phrase: date, clock times and flags, counted from now; several for a list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time

from .clocks.dial import DAY_MINUTES, NOON, Times, by_24_hours, overnight, span_times, wall_clock
from .days.almanac import add_months, month_length
from .days.day import Day, Today, step
from .expression import SEGMENT_BOUNDS, WEEKDAYS, Ambiguity, Kind, Recurrence, Segment
from .phrase import Phrase
from .recurrences.bounds import last_of
from .recurrences.occurrences import dates


@dataclass(frozen=True, slots=True)
class Near:
    """The clock spoken of just before, for one that leaves am or pm open: 下午三点开会，五点走.

    `moved`: the new clock replaces the old one (三点的会改到四点), or one gathers then: it may lie before it.
    """

    minutes: int
    moved: bool = False

    def settled(self, times: Times) -> Times:
        """`times` on the half of the day that this clock suggests; still open where it suggests none."""
        if not times.spoken or times.start is None:
            return times
        choices = (times.start, times.start + NOON)
        if self.moved:
            start = min(choices, key=lambda choice: abs(choice - self.minutes))
        else:
            start = next((choice for choice in choices if choice > self.minutes), None)
        if start is None:
            return times
        end = times.end
        while end is not None and end <= start:
            end += NOON
        return Times(start, end)


@dataclass(frozen=True, slots=True)
class TimeReading:
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
    each_lasts: bool = False
    moment: datetime | None = None


def resolve(
    phrase: Phrase, today: Today, context: date | None, near: Near | None = None
) -> list[TimeReading]:
    """The readings of a phrase, several where it lists several.

    `context`: the date spoken of before, for a clock without one. `near`: the clock spoken of before.
    """
    if phrase.offset is not None:
        return [_offset(phrase)]
    if phrase.every is not None:
        return _recurring(phrase, today)
    times = _all_times(phrase, today, near if phrase.only_time else None)
    if not times:
        if phrase.last_day is not None:
            return [_limited(phrase, _date_range(phrase.days[0], phrase.last_day), today)]
        return [_limited(phrase, _day(day), today) for day in phrase.days]
    days: list[Day | None] = [*_single(phrase.days)] or [Day(context) if context is not None else None]
    if phrase.last_day is not None:
        if phrase.own_end:
            return [_limited(phrase, _across(phrase.days[0], phrase.last_day, times[0]), today)]
        return _each_day(phrase, times, today)
    return [_limited(phrase, _timed(day, each, today), today) for day in days for each in times]


def _single(days: list[Day]) -> list[Day]:
    """明后天下午: a part of the day behind several days in one word is meant on each of them."""
    single: list[Day] = []
    for day in days:
        if day.unit == "several" and day.start is not None and day.end is not None:
            count = (day.end - day.start).days + 1
            single.extend(Day(step(day.start, index), ambiguous=day.ambiguous) for index in range(count))
        else:
            single.append(day)
    return single


def _offset(phrase: Phrase) -> TimeReading:
    offset = phrase.offset
    assert offset is not None
    if offset.moment is not None:
        clock = offset.moment.time().replace(second=0, microsecond=0, tzinfo=None)
        kind = "deadline" if offset.kind == "deadline" else "point"
        return TimeReading(kind, offset.moment.date(), clock, moment=offset.moment)
    assert offset.day is not None
    if offset.kind == "deadline":
        return TimeReading("deadline", offset.day.start)
    return _day(offset.day)


def _day(day: Day) -> TimeReading:
    if day.end is not None:
        return TimeReading(
            "date_range", day.start, end_date=day.end, ambiguous=day.ambiguous, invalid=day.invalid
        )
    return TimeReading(
        "day",
        day.start,
        segment="all_day" if day.start else None,
        ambiguous=day.ambiguous,
        invalid=day.invalid,
    )


def _date_range(first: Day, last: Day) -> TimeReading:
    until = last.end if last.end is not None else last.start
    invalid = first.invalid or last.invalid
    if until is not None and first.start is not None and until < first.start:
        until, invalid = None, "结束的日子在开始之前"
    return TimeReading(
        "date_range",
        first.start,
        end_date=until,
        ambiguous=first.ambiguous or last.ambiguous,
        invalid=invalid,
    )


def _limited(phrase: Phrase, reading: TimeReading, today: Today) -> TimeReading:
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
    return TimeReading("deadline", limit, clock, ambiguous=reading.ambiguous, invalid=reading.invalid)


def _all_times(phrase: Phrase, today: Today, near: Near | None = None) -> list[Times]:
    found: list[Times] = []
    late = today.moment.hour >= 18 and phrase.every is None
    named_today = len(phrase.days) == 1 and phrase.days[0].unit == "today"
    for index, span in enumerate(by_24_hours(phrase.times)):
        before = found[-1] if index else None
        leans = before is not None and span.period is None and not before.spoken
        after = before.start if before is not None and leans else None
        midnight = late and index == 0 and (named_today or not phrase.days)
        times = span_times(span, after, midnight=midnight)
        if not phrase.own_end:
            times = overnight(span, times)
        found.append(near.settled(times) if near is not None and span.period is None else times)
    return found


def _timed(day: Day | None, times: Times, today: Today) -> TimeReading:
    """One date and one span of clocks."""
    ranged = times.ranged or times.end is not None
    kind: Kind = "segment" if times.segment else "range" if ranged else "point"
    if times.invalid is not None:
        start = wall_clock(times.start) if times.start is not None else None
        return TimeReading(kind, day.start if day else None, start, invalid=times.invalid)
    if day is None:
        base = _next_base(times, today)
        placed = _placed(kind, base, times, "am_pm" if times.spoken else None, None)
        if placed.date != today.date and not times.spoken:
            return replace(placed, ambiguous="which_day")
        return placed
    if day.start is None:
        return _placed(kind, None, times, "am_pm" if times.spoken else day.ambiguous, day.invalid)
    base = day.start
    if day.later is not None and _is_past(base, times, today):
        base = day.later
    ambiguous = day.ambiguous or ("which_day" if day.end is not None else "am_pm" if times.spoken else None)
    if day.unit == "today" and today.moment.hour < 5 and (times.start or 0) >= DAY_MINUTES:
        ambiguous = "which_day"  # 今晚一点 said at half past midnight
    return _placed(kind, base, times, ambiguous, day.invalid)


def _is_past(base: date, times: Times, today: Today) -> bool:
    """True if the latest reading of the span is past."""
    passed = (today.date - base).days * DAY_MINUTES + today.minutes
    over = times.latest < passed
    return over or (times.end is not None and times.latest == passed)


def _next_base(times: Times, today: Today) -> date:
    """The day whose span comes next: last evening's where its small hours are still ahead."""
    yesterday = step(today.date, -1)
    if times.start is not None and times.start >= DAY_MINUTES and not _is_past(yesterday, times, today):
        return yesterday
    return today.date if not _is_past(today.date, times, today) else step(today.date, 1)


def _placed(
    kind: Kind, base: date | None, times: Times, ambiguous: Ambiguity | None, invalid: str | None
) -> TimeReading:
    if times.segment is not None:
        shifted = step(base, times.part_shift) if base is not None else None
        return TimeReading(kind, shifted, segment=times.segment, ambiguous=ambiguous, invalid=invalid)
    start_day = times.start // DAY_MINUTES if times.start is not None else 0
    first = step(base, start_day) if base is not None else None
    end_date = None
    if times.end is not None and base is not None and times.end // DAY_MINUTES > start_day:
        end_date = step(base, times.end // DAY_MINUTES)
    return TimeReading(
        kind,
        first,
        wall_clock(times.start) if times.start is not None else None,
        wall_clock(times.end) if times.end is not None else None,
        end_date,
        ambiguous=ambiguous,
        invalid=invalid,
    )


def _each_day(phrase: Phrase, times: list[Times], today: Today) -> list[TimeReading]:
    """3号到5号下午三点: a clock behind a stretch of days is meant on each of them."""
    first, last = phrase.days[0], phrase.last_day
    assert last is not None
    daily = replace(phrase, anchor=first, until=last)
    return [_repeated(daily, Recurrence("daily"), each, today) for each in times]


def _across(first: Day, last: Day, times: Times) -> TimeReading:
    """明天下午三点到后天上午十点; a clock at one end only belongs to that end."""
    until = last.end or last.start
    invalid = first.invalid or last.invalid or times.invalid
    if times.segment is not None or times.start is None:
        return TimeReading("date_range", first.start, end_date=until, invalid=invalid)
    end = times.end
    shift = end // DAY_MINUTES if end is not None else 0
    start_shift = times.start // DAY_MINUTES
    return TimeReading(
        "range",
        step(first.start, start_shift) if first.start else None,
        wall_clock(times.start),
        wall_clock(end) if end is not None else None,
        step(until, min(shift, 1) if shift and last.start == first.start else 0) if until else None,
        ambiguous="am_pm" if times.spoken else first.ambiguous or last.ambiguous,
        invalid=invalid,
    )


def _recurring(phrase: Phrase, today: Today) -> list[TimeReading]:
    every = phrase.every
    assert every is not None
    times: list[Times | None] = [*_all_times(phrase, today)] or [None]
    if not every.rules:
        return [TimeReading("recurring", invalid=every.invalid)]
    return [_repeated(phrase, rule, each, today) for rule in every.rules for each in times]


def _repeated(phrase: Phrase, rule: Recurrence, times: Times | None, today: Today) -> TimeReading:
    invalid = (phrase.every.invalid if phrase.every else None) or (times.invalid if times else None)
    anchor = phrase.anchor.start if phrase.anchor is not None else None
    until = None
    if phrase.until is not None:
        until = phrase.until.end or phrase.until.start
        invalid = invalid or phrase.until.invalid
    if phrase.anchor is not None and phrase.anchor.invalid:
        invalid = phrase.anchor.invalid
    ticking = rule.within_a_day
    segment: Segment | None = None if ticking or times is not None else "all_day"
    if times is not None and times.invalid is None:
        segment = times.segment
    if times is not None and times.start is not None and times.start >= DAY_MINUTES:
        rule = _next_day(rule)
    if invalid is not None:
        return TimeReading("recurring", recurrence=rule, segment=segment, invalid=invalid)
    first = _first_date(rule, times, anchor, today)
    if first is not None and until is not None and until < first:
        if anchor is None or until < anchor:
            return TimeReading("recurring", recurrence=rule, segment=segment, invalid="结束的日子在开始之前")
        first = anchor  # 3号到5号每天 said on the 10th: what was said is kept
    if until is None and first is not None and phrase.count is not None:
        until = last_of(first, rule, phrase.count)
    each_lasts = phrase.every is not None and phrase.every.last is not None and until is None
    if each_lasts and phrase.every is not None and phrase.every.last is not None and first is not None:
        until = _end_of(first, *phrase.every.last)
    start = wall_clock(times.start) if times is not None and times.start is not None else None
    end = wall_clock(times.end) if times is not None and times.end is not None else None
    ambiguous: Ambiguity | None = "am_pm" if times is not None and times.spoken else None
    return TimeReading("recurring", first, start, end, until, segment, rule, ambiguous, each_lasts=each_lasts)


def _end_of(first: date, month: int | None, day: int) -> date:
    """The last day of the occurrence that begins with `first` (每月10号到15号), in a short month its last."""
    place = first.replace(day=1)
    if month is not None:
        place = add_months(place, (month - first.month) % 12 or (12 if day < first.day else 0))
    elif day < first.day:
        place = add_months(place, 1)
    return place.replace(day=min(day, month_length(place.year, place.month)))


def _first_date(rule: Recurrence, times: Times | None, anchor: date | None, today: Today) -> date | None:
    base = anchor if anchor is not None and anchor > today.date else today.date
    # 每两周周一 counts from the first Monday it can be, not from the week that has begun.
    begun = anchor is None and rule.freq == "weekly" and rule.byday and base.weekday() > 0
    first = next(dates(replace(rule, interval=1) if begun else rule, base), None)
    if first is None or first != today.date or times is None or rule.within_a_day:
        return first
    if times.start is not None and times.end is None:
        times = replace(times, start=times.start % DAY_MINUTES)
    if not _is_past(first, times, today):
        return first
    if anchor is None:
        rule = replace(rule, interval=1)  # 每两天 counts from the first time it can happen
    return next(dates(rule, step(first, 1)), None)


def _next_day(rule: Recurrence) -> Recurrence:
    """每周五晚上12点 happens on Saturdays at 00:00."""
    if rule.freq == "weekly" and rule.byday:
        moved = sorted((WEEKDAYS.index(code) + 1) % 7 for code in rule.byday)
        return replace(rule, byday=tuple(WEEKDAYS[day] for day in moved))
    if rule.freq == "monthly" and rule.bymonthday is not None:
        return replace(rule, bymonthday=1 if rule.bymonthday in {-1, 31} else rule.bymonthday + 1)
    return rule
