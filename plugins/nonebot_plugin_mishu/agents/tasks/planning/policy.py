"""Time policy (seed 1, section 4): from a wish to the task's time or one open question.

Pure. Nothing is shifted silently: past, ambiguous, invalid or incomplete times are asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import Any, Final, Literal, cast
from zoneinfo import ZoneInfo

from ....language.recognise.times import SEGMENT_BOUNDS, dates, occurrences
from ....language.timing.named_week import is_weekday
from .task_time import (
    SEGMENT_NAMES,
    TaskTime,
    Wish,
    clock_text,
    later,
    on,
    pm,
    repetition,
    say_day,
    segment_of,
)

AskKind = Literal[
    "title",
    "whom",
    "series",
    "meant",
    "end",
    "am_pm",
    "which_day",
    "past",
    "evening",
    "invalid",
    "remind",
    "conflict",
    "duplicate",
    "choose",
    "delete",
    "what",
    "free",
]
"""Kinds of questions about a task."""
ASKED: Final = "_ask"
"""Slot of an open task: the kind of its question."""


def asked_kind(slots: Mapping[str, Any]) -> AskKind | None:
    """Kind of the question that is open by these slots; None for none."""
    return cast("AskKind | None", slots.get(ASKED))


END_QUESTION: Final = "请问结束时间是几点？"
MORNING: Final = time(9, 0)
"""Clock of a reminder on a day without a clock"""
EVENING: Final = SEGMENT_BOUNDS["evening"][0]
_LOOK_AHEAD: Final = 60
_LAST_YEAR: Final = 9000


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """Question to the member. `offer`: wish that a plain yes accepts."""

    kind: AskKind
    slot: str
    question: str
    offer: dict[str, Any] | None = field(default=None)


@dataclass(frozen=True, slots=True)
class Taken:
    """Existing concrete range, for conflict search."""

    task_id: int
    when: TaskTime


def settle(wish: Wish, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    """Time of the task by seed 1's rules, or the first question.

    `now` is the message's time. Without a day it is today; a day without a clock or segment is the whole day,
    or this evening if it is evening.
    """
    now = now.astimezone(zone)
    wish = dated(wish, now)
    asked = _unclear(wish, now)
    if asked is not None:
        return asked
    if wish.reminded:
        return _reminder(wish, now, zone)
    if wish.start is not None and wish.end is None and not wish.deadline:
        if wish.spans and wish.recurrence is None:
            return TaskQuestion("end", "endTime", END_QUESTION)
        return _reminder(as_moment(wish), now, zone)
    day = wish.date or now.date()
    if wish.start is not None and wish.end is not None:
        return _range(wish, day, now, zone)
    return _segment(wish, day, now)


def as_moment(wish: Wish) -> Wish:
    """Start without an end (明天下午三点看牙): a reminder at the start."""
    return on(wish, end=None, end_date=None, segment=None, reminded=True, spans=False)


def dated(wish: Wish, now: datetime) -> Wish:
    """Wish dated today if it has a clock or segment without a day, even if that is past."""
    today = now.date()
    if wish.recurrence is not None or wish.invalid is not None or wish.remind_at is not None:
        return wish
    if wish.next_day and wish.date is not None:
        ambiguous = None if wish.ambiguous == "which_day" else wish.ambiguous
        return on(wish, date=today, end_date=_moved(wish, today), next_day=False, ambiguous=ambiguous)
    if wish.date is None and (wish.start is not None or wish.segment is not None):
        return on(wish, date=today)
    return wish


def _moved(wish: Wish, day: date) -> date | None:
    if wish.date is None or wish.end_date is None:
        return None
    return day + (wish.end_date - wish.date)


def _unclear(wish: Wish, now: datetime) -> TaskQuestion | None:
    if wish.invalid is not None:
        slot = "dueDate" if wish.start is None and wish.date is None else "startTime"
        ask = "。" if "请说" in wish.invalid else "，换个时间吧。"
        return TaskQuestion("invalid", slot, f"{wish.invalid}{ask}")
    if wish.date is not None and not now.year - 100 <= wish.date.year <= _LAST_YEAR:
        return TaskQuestion("invalid", "dueDate", "这个日期太远了，换一个吧。")
    if wish.ambiguous == "am_pm" and wish.start is not None:
        today = wish.date in (None, now.date()) and wish.recurrence is None
        if today and wish.end is None and pm(wish.start) <= now.time():
            late = on(wish, start=pm(wish.start), ambiguous=None)
            return _past(late, TaskTime(now.date()), clock_text(pm(wish.start)), now)
        said = wish.phrase or clock_text(wish.start)
        return TaskQuestion("am_pm", "startTime", f"{said}：{am_pm_question(wish)}")
    if wish.ambiguous in ("which_day", "which_week") and wish.date is not None:
        if wish.ambiguous == "which_week" and wish.date < now.date():
            week = timedelta(days=7)
            wish = on(wish, date=wish.date + week, end_date=wish.end_date + week if wish.end_date else None)
            assert wish.date is not None
        question = f"「{wish.phrase}」是指{say_day(wish.date, now.date())}吗？"
        return TaskQuestion("which_day", "dueDate", question, on(wish, ambiguous=None).as_json())
    return None


def am_pm_question(wish: Wish) -> str:
    """Question of am or pm for the clock."""
    assert wish.start is not None
    early, late = wish.start, pm(wish.start)
    before = "凌晨" if early.hour < 6 else "早上" if early.hour < 9 else "上午"
    after = "下午" if late.hour < 18 else "晚上"
    return f"是{before}（{clock_text(early)}）还是{after}（{clock_text(late)}）？"


def _range(wish: Wish, day: date, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    assert wish.start is not None
    assert wish.end is not None
    crosses = wish.end_date is not None and wish.end_date == day + timedelta(days=1)
    if wish.end_date is not None and wish.end_date > day + timedelta(days=1) and wish.recurrence is None:
        return TaskQuestion("end", "endTime", f"一个任务最长一天。{END_QUESTION}")
    midnight = wish.end == time(0, 0)
    if (wish.end <= wish.start and not (crosses or midnight)) or (crosses and wish.end > wish.start):
        question = f"结束要在开始之后（{clock_text(wish.start)}开始）。{END_QUESTION}"
        return TaskQuestion("end", "endTime", question)
    when = TaskTime(day, wish.start, wish.end, recurrence=wish.recurrence)
    span = when.span(zone)
    assert span is not None
    if wish.recurrence is not None:
        return _repeating(when, span[1], now, zone)
    if span[1].astimezone(UTC) <= now.astimezone(UTC):
        return _past(wish, when, f"{clock_text(wish.start)}–{clock_text(wish.end)}", now)
    return when


def _segment(wish: Wish, day: date, now: datetime) -> TaskTime | TaskQuestion:
    segment = wish.segment
    note = None
    if wish.deadline and wish.start is not None:
        segment, note = segment_of(wish.start), f"{clock_text(wish.start)}前"
    if wish.end_date is not None and wish.end_date > day and wish.recurrence is None:
        note = f"{say_day(day, now.date())}到{say_day(wish.end_date, now.date())}"
        day, segment = wish.end_date, segment or "all_day"
    evening = now.time() >= EVENING
    today = day == now.date()
    if segment is None:
        segment = "evening" if today and evening else "all_day"
    when = TaskTime(day, segment=segment, recurrence=wish.recurrence, note=note)
    ends = datetime.combine(day, SEGMENT_BOUNDS[segment][1], now.tzinfo)
    if wish.recurrence is not None:
        zone = now.tzinfo
        assert isinstance(zone, ZoneInfo)
        # 每天全天 in the evening: today's is over.
        return _repeating(when, now if today and evening and segment != "evening" else ends, now, zone)
    if today and evening and segment != "evening":
        offer = Wish(date=day, segment="evening", phrase=wish.phrase)
        what = SEGMENT_NAMES[segment]
        question = f"今天{what}已经过了，放今天晚上可以吗？"
        return TaskQuestion("evening", "timeSegment", question, offer.as_json())
    if ends <= now:
        return _past(wish, when, SEGMENT_NAMES[segment] if today else "", now)
    if today and wish.deadline and wish.start is not None and wish.start <= now.time():
        return _past(wish, when, f"{clock_text(wish.start)}", now)
    return when


def _past(wish: Wish, when: TaskTime, what: str, now: datetime) -> TaskQuestion:
    """Question about a past time; the same time tomorrow is only offered, of a weekday that is today's
    (周日, on a Sunday) that of next week."""
    week = is_weekday(wish.phrase) and when.day == now.date()
    tomorrow = now.date() + timedelta(days=7 if week else 1)
    late = say_day(when.day, now.date())
    moved = on(
        wish,
        date=tomorrow,
        end_date=_moved(on(wish, date=when.day), tomorrow) if wish.end_date else None,
        start=wish.remind_at.timetz().replace(tzinfo=None) if wish.remind_at is not None else wish.start,
        remind_at=None,
        next_day=False,
        ambiguous=None,
    )
    said = f"今天{what}" if when.day == now.date() else f"{late}{what}"
    offered = "" if week else "明天"
    question = f"{said}已经过了，要改到{offered}{say_day(tomorrow, now.date())}{what}吗？"
    return TaskQuestion("past", "dueDate", question, moved.as_json())


def _repeating(when: TaskTime, ends: datetime, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    """Recurrence from its first occurrence that is not over."""
    assert when.recurrence is not None
    begins = when.start or SEGMENT_BOUNDS[when.segment or "all_day"][0]
    lasts = ends - datetime.combine(when.day, begins, zone)
    first = datetime.combine(when.day, begins, zone)
    for each in islice(occurrences(repetition(when.recurrence), first), _LOOK_AHEAD):
        if each.at + lasts > now:
            day = each.at.date()
            return TaskTime(day, when.start, when.end, when.segment, None, when.recurrence, (), when.note)
    return TaskQuestion("past", "dueDate", "这个重复的时间都过了，换一个吧。")


def _reminder(wish: Wish, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    """提醒我 with a time: exactly then, without an end; day and segment are derived."""
    at = wish.remind_at
    day = wish.date or now.date()
    clock = wish.start
    if at is None and wish.empty:
        return TaskQuestion("remind", "remindAt", "什么时候提醒你？")
    ticks = {"minutely": 1, "hourly": 60}.get((wish.recurrence or {}).get("freq", ""))
    if at is None and clock is None and ticks is not None and wish.recurrence is not None:
        every = timedelta(minutes=ticks * int(wish.recurrence.get("interval", 1)))
        at = (now.astimezone(UTC).replace(microsecond=0) + every).astimezone(zone)
    if at is None and clock is None:
        clock = _reminding_clock(wish, day, now)
        if clock is None:
            return TaskQuestion("remind", "remindAt", f"{say_day(day, now.date())}几点提醒你？")
    if at is None:
        assert clock is not None
        at = moment(day, clock, zone)
        if wish.lead:
            at = (at.astimezone(UTC) - timedelta(minutes=wish.lead)).astimezone(zone)
    if wish.recurrence is not None and at <= now:
        thing = at if ticks is not None else moment(day, clock or at.timetz().replace(tzinfo=None), zone)
        ahead = thing - at
        following = next_moment(wish.recurrence, thing, now + ahead)
        if following is None:
            return TaskQuestion("past", "dueDate", "这个重复的时间都过了，换一个吧。")
        at, day = following - ahead, following.date()
    if at <= now and wish.recurrence is None:
        thing = moment(day, clock or at.time(), zone)
        if wish.lead and thing > now:  # the lead is past: the next shorter lead, else the task's own time
            lead = next((each for each in wish.further if thing - timedelta(minutes=each) > now), 0)
            left = tuple(each for each in wish.further if each < lead)
            return _reminder(on(wish, lead=lead or None, further=left), now, zone)
        return _past(wish, TaskTime(at.date(), segment=segment_of(at.time())), clock_text(at.time()), now)
    local = at.astimezone(zone)
    if wish.start is not None and wish.end is not None:
        ranged = _range(on(wish, date=day if wish.recurrence is None else local.date()), day, now, zone)
        if isinstance(ranged, TaskQuestion):
            return ranged
        return TaskTime(ranged.day, wish.start, wish.end, None, local, wish.recurrence)
    said_apart = wish.lead is not None or wish.remind_at is not None
    apart = clock is not None and said_apart and moment(day, clock, zone) != local.replace(second=0)
    thing = datetime.combine(day, clock, zone) if apart and clock is not None else local
    if clock is None and wish.remind_at is not None and wish.date is not None and ticks is None:
        thing = datetime.combine(day, local.timetz().replace(tzinfo=None), zone)  # 每月15号, 前一天晚上八点
    note = f"{clock_text(thing.time())}开始" if apart and wish.start is not None else None
    segment = wish.segment or segment_of(thing.time())
    lead = timedelta(minutes=wish.lead or 0)
    more = tuple(local + lead - timedelta(minutes=each) for each in wish.further)
    return TaskTime(thing.date(), None, None, segment, local, wish.recurrence, more, note)


def _reminding_clock(wish: Wish, day: date, now: datetime) -> time | None:
    """Clock of a reminder for a segment or day: its first minute, 09:00 of a whole day; None: to be asked."""
    clock = MORNING
    if wish.segment is not None and wish.segment != "all_day":
        clock = SEGMENT_BOUNDS[wish.segment][0]
    if wish.recurrence is None and day == now.date() and clock <= now.time():
        return None
    return clock


def moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Wall time as a moment; a time skipped by a clock change moves later by the gap."""
    return datetime.combine(day, clock, zone).astimezone(UTC).astimezone(zone)


def next_moment(recurrence: dict[str, Any], first: datetime, after: datetime) -> datetime | None:
    """First occurrence after `after`."""
    for each in occurrences(repetition(recurrence), first, after=after):
        return each.at
    return None


def next_day(when: TaskTime, after: date) -> date | None:
    """Day of the next occurrence after `after`; None if none."""
    assert when.recurrence is not None
    rule = repetition(when.recurrence)
    if rule.within_a_day:
        return after + timedelta(days=1)
    for day in dates(rule, when.day, skip_to=after + timedelta(days=1)):
        if day > after:
            return day
    return None


def days_between(when: TaskTime, first: date, last: date) -> list[date]:
    """Days of occurrences from `first` to `last`, both included; at most `_MOST_DAYS`."""
    assert when.recurrence is not None
    days = dates(repetition(when.recurrence), when.day, skip_to=first)
    return list(islice(takewhile(lambda day: day <= last, days), _MOST_DAYS))


_MOST_DAYS: Final = 370


def overlapping(new: TaskTime, taken: list[Taken], zone: ZoneInfo) -> Taken | None:
    """First overlapping concrete range (half open; seed 1, section 7)."""
    mine = _spans(new, zone)
    for other in taken:
        for start, end in _spans(other.when, zone):
            if any(start < own_end and end > own_start for own_start, own_end in mine):
                return other
    return None


def _spans(when: TaskTime, zone: ZoneInfo) -> list[tuple[datetime, datetime]]:
    """Ranges as moments (UTC); of a recurrence its next `_LOOK_AHEAD`."""
    if when.start is None or when.end is None:
        return []
    days = [when.day]
    if when.recurrence is not None:
        rule = repetition(when.recurrence)
        if not rule.within_a_day:
            days = list(islice(dates(rule, when.day), _LOOK_AHEAD)) or days
    found: list[tuple[datetime, datetime]] = []
    for day in days:
        span = TaskTime(day, when.start, when.end).span(zone)
        assert span is not None
        found.append((span[0].astimezone(UTC), span[1].astimezone(UTC)))
    return found


def with_end(wish: Wish, end: time, day: date | None = None) -> Wish:
    """Wish with an end; after an evening start, an earlier clock is on the next day."""
    assert wish.start is not None
    base = wish.date
    if day is not None:
        return on(wish, end=end, end_date=day)
    night = end <= wish.start and wish.start.hour >= 18 and end.hour < 12
    return on(wish, end=end, end_date=base + timedelta(days=1) if night and base is not None else None)


def after_start(start: time, end: time) -> time:
    """First reading of an end clock after the start: 五点 after 16:00 is 17:00."""
    if end <= start and end.hour < 12 and pm(end) > start:
        return pm(end)
    return end


def lasting(wish: Wish, minutes: int) -> Wish:
    """Wish with a duration in minutes."""
    assert wish.start is not None
    end = later(wish.start, minutes)
    over = end <= wish.start
    return on(wish, end=end, end_date=wish.date + timedelta(days=1) if over and wish.date else None)
