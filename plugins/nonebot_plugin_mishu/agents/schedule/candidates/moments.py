"""Candidate time from a time expression, or a question. Pure.

Nothing is shifted silently (pitfall 48): an invalid, past or ambiguous time is a `Problem`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from ....language.recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day
from ....language.timing.own_times import in_half
from ....language.timing.pointed_time import is_bare_weekday, says_twelve
from ....storage.schedules.records import WALL
from .candidate import CandidateTime, Problem, SearchSpan

_DAY = timedelta(days=1)
_LAST = time(23, 59)
_NOON = 12


def when_of(expression: TimeExpression, now: datetime) -> CandidateTime | Problem:
    """Time of an expression, or its problem. `now` is aware, in the group's zone."""
    try:
        return _taken(expression, now)
    except OverflowError:
        return Problem("invalid", expression.text, "日历上没有这一天")


def _taken(expression: TimeExpression, now: datetime) -> CandidateTime | Problem:
    said = expression.text
    if expression.invalid is not None:
        return Problem("invalid", said, expression.invalid)
    if expression.date is None:
        return Problem("no_time", said)
    if expression.ambiguous is None:
        when = _when(expression, expression.date, expression.start, expression.end)
        return Problem("past", said) if _past(when, now) else when
    found = [when for when in _readings(expression, expression.date) if not _past(when, now)]
    if not found:
        return Problem("past", said)
    if len(found) == 1 and expression.ambiguous == "am_pm":
        return found[0]  # the other reading is past
    return Problem(expression.ambiguous, said, "", tuple(found))


def readings_of(expression: TimeExpression) -> tuple[CandidateTime, ...]:
    """All readings of an expression, past ones too."""
    return tuple(_readings(expression, expression.date)) if expression.date is not None else ()


def spans_of(expression: TimeExpression, now: datetime) -> tuple[SearchSpan, ...]:
    """Search ranges of an existing schedule for this time, one for each reading."""
    if expression.date is None or expression.invalid is not None:
        return ()
    if expression.kind == "deadline":
        last = _wall(expression.date, expression.start or _LAST)
        return (SearchSpan(now.strftime(WALL), last),)
    if expression.ambiguous is None:
        return (_span(expression, _when(expression, expression.date, expression.start, expression.end)),)
    return tuple(_span(expression, when) for when in _readings(expression, expression.date))


def one_day(expression: TimeExpression) -> bool:
    """True for one day of a recurrence: 明天, 这周四, 11月26号; False for 周四 and 每周四."""
    if expression.recurrence is not None or is_bare_weekday(expression.text):
        return False
    return names_day(expression.text)


def moved(start: datetime, when: CandidateTime) -> datetime:
    """New start of a schedule moved to `when`, which may lack day or clock."""
    target = datetime.strptime(when.start, WALL).replace(tzinfo=start.tzinfo)
    if not when.dated:
        return datetime.combine(start.date(), target.time(), start.tzinfo)
    day = target.date()
    if when.weekday_only and day < start.date():
        monday = start.date() - start.weekday() * _DAY
        same_week = monday + day.weekday() * _DAY
        day = same_week if same_week > day else day
    clock = target.time() if when.clocked else start.time()
    return datetime.combine(day, clock, start.tzinfo)


def joined(base: CandidateTime, new: CandidateTime) -> CandidateTime:
    """Time moved to another that may lack day or clock; the duration stays without a new end."""
    start = datetime.strptime(base.start, WALL)
    if (end := _new_end(base, new)) is not None:
        return replace(base, end=end.strftime(WALL))
    begins = moved(start, new)
    kept = base.segment if not new.clocked else new.segment
    end = ""
    if new.end:
        lasts = datetime.strptime(new.end, WALL) - datetime.strptime(new.start, WALL)
        end = (begins + lasts).strftime(WALL)
    elif base.end and (base.segment == kept):
        end = (begins + (datetime.strptime(base.end, WALL) - start)).strftime(WALL)
    recurrence = new.recurrence or (base.recurrence if begins.date() == start.date() else None)
    until = new.until or (base.until if recurrence else "")
    if recurrence is not None and base.recurrence is not None and base.recurrence.get("without"):
        recurrence = {"without": base.recurrence["without"], **recurrence}  # excluded days stay excluded
    return replace(
        new, start=begins.strftime(WALL), end=end, segment=kept, recurrence=recurrence, until=until
    )


def _new_end(base: CandidateTime, new: CandidateTime) -> datetime | None:
    """New end of `base` after its start; None if the clock is a start. 延到6点 is an end only if after the
    current end."""
    if not new.closes or base.segment:
        return None
    start = datetime.strptime(base.start, WALL)
    end = datetime.combine(start.date(), datetime.strptime(new.start, WALL).time())
    if end <= start and end.hour < 12 and end + _DAY / 2 > start:
        end += _DAY / 2
    if end <= start and end.hour == _NOON:  # 打到十二点, start at seven in the evening
        end += _DAY / 2
    if end <= start:
        end += _DAY
    if new.closes == "perhaps" and not (base.end and end > datetime.strptime(base.end, WALL)):
        return None
    return end


def _readings(expression: TimeExpression, day: date) -> list[CandidateTime]:
    start, end = expression.start, expression.end
    readings: list[CandidateTime] = []

    def add(on: date, begins: time | None, ends: time | None) -> None:
        when = _when(expression, on, begins, ends)
        if when not in readings:
            readings.append(when)

    if expression.ambiguous == "am_pm":
        for late in (False, True):
            half = in_half(expression, late=late)
            add(day, half.start, half.end)
    elif expression.ambiguous == "which_week":
        for weeks in (-7, 0, 7):
            add(day + timedelta(days=weeks), start, end)
        readings = readings[1:] if "周末" not in expression.text else readings
    elif "周末" in expression.text:
        add(day, start, end)
        add(day + _DAY, start, end)
    elif start == time(0, 0) and says_twelve(expression.text):
        add(day, start, end)
        add(day, time(12, 0), end)
    else:
        add(day - _DAY, start, end)
        add(day, start, end)
    return readings


def _when(expression: TimeExpression, day: date, start: time | None, end: time | None) -> CandidateTime:
    segment = expression.segment or ""
    if start is None and not segment:
        segment = "all_day"
    begins = start or (SEGMENT_BOUNDS[expression.segment][0] if expression.segment else time(0, 0))
    when = CandidateTime(
        start=_wall(day, begins),
        segment=segment if start is None else "",
        dated=names_day(expression.text),
        clocked=start is not None or segment != "all_day",
        weekday_only=is_bare_weekday(expression.text) and expression.recurrence is None,
    )
    length = (expression.end_date - expression.date) if expression.end_date and expression.date else None
    if expression.recurrence is not None:
        when = replace(when, recurrence=expression.recurrence.as_kept())
        if length is not None and expression.each_lasts:
            return replace(when, end=_wall(day + length, end or _LAST))
        if expression.end_date is not None:
            when = replace(when, until=expression.end_date.isoformat())
        length = None
    if end is not None:
        last = datetime.combine(day + (length or timedelta(0)), end)
        if last <= datetime.combine(day, begins):
            last += _DAY
        return replace(when, end=last.strftime(WALL))
    return replace(when, end=_wall(day + length, _LAST)) if length else when


def _past(when: CandidateTime, now: datetime) -> bool:
    if when.recurrence is not None:
        return bool(when.until) and when.until < now.date().isoformat()
    return last_moment(when) < now.replace(tzinfo=None)


def last_moment(when: CandidateTime) -> datetime:
    """Latest possible start: the clock, or the end of the segment or days."""
    start = datetime.strptime(when.start, WALL)
    if when.segment == "all_day" and when.end:
        return datetime.strptime(when.end, WALL)
    for segment, bounds in SEGMENT_BOUNDS.items():
        if segment == when.segment:
            return datetime.combine(start.date(), bounds[1])
    return start.replace(second=59)


def _span(expression: TimeExpression, when: CandidateTime) -> SearchSpan:
    if when.end and expression.recurrence is None:
        return SearchSpan(when.start, when.end)
    if not when.segment:
        return SearchSpan(when.start, when.start)
    return SearchSpan(when.start, last_moment(when).strftime(WALL))


def _wall(day: date, clock: time) -> str:
    return datetime.combine(day, clock).strftime(WALL)


def wall_time(text: str) -> datetime | None:
    """Naive time in seed 0's form; None for any other form."""
    if len(text) != 19:
        return None
    try:
        return datetime.strptime(text, WALL)
    except ValueError:
        return None


def is_past(when: CandidateTime, now: datetime) -> bool:
    """True if a time without recurrence is over."""
    return when.recurrence is None and last_moment(when) < now.replace(tzinfo=None)
