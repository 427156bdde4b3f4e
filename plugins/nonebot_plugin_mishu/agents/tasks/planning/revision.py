"""Change of a task's time: values that stay, and seed 1's rules for the new ones. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....storage.tasks.records import TaskChanges, TaskRecord
from ..frames import Change, Cleared
from .policy import TaskQuestion, after_start, lasting, settle, with_end
from .task_time import TaskTime, Wish, clock_text, end_behind, pm, segment_of


def when_of(fields: TaskChanges, zone: ZoneInfo) -> TaskTime:
    """Time of a stored task."""
    day = datetime.fromisoformat(fields.due_date).date()
    remind = datetime.fromisoformat(fields.remind_at).astimezone(zone) if fields.remind_at else None
    start = time.fromisoformat(fields.start_time) if fields.start_time else None
    end = time.fromisoformat(fields.end_time) if fields.end_time else None
    segment: Any = fields.time_segment
    more = tuple(datetime.fromisoformat(each).astimezone(zone) for each in fields.remind_more)
    return TaskTime(day, start, end, segment, remind, fields.recurrence, more)


def revised(task: TaskRecord, change: Change, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    """Time of the task after the change, or a question."""
    old = when_of(task.fields, zone)
    if change.until is not None and old.recurrence is not None:
        return replace(old, recurrence={**old.recurrence, "until": change.until.isoformat()})
    if change.shift is not None:
        return _shifted(old, change.shift, now, zone)
    wish = change.wish
    if change.leads:
        return _called(old, change, _begins_noted(task.fields), now, zone)
    if wish.empty:
        return old
    if wish.date == now.date() and _names_no_day(wish.recurrence):
        wish = replace(wish, date=old.day)
    end = _new_end(old, wish)
    if end is None:
        settled = _checked(old, wanted(old, wish), now, zone)
        return _days_ahead_still(old, wish, _ahead_still(task.fields, old, change, settled, now), now)
    whole = wanted(old, replace(wish, start=None, end=None, segment=None, ambiguous=None, reminded=False))
    begins = old.start or (old.remind_at.timetz().replace(tzinfo=None) if old.remind_at else None)
    found = settle(with_end(replace(whole, start=begins, reminded=False), end), now, zone)
    return replace(found, remind_at=old.remind_at) if isinstance(found, TaskTime) else found


def _names_no_day(recurrence: Mapping[str, Any] | None) -> bool:
    """True for 改成每月, 改成每周: it comes on the day that the task has, not on today's."""
    if recurrence is None or recurrence["freq"] not in ("weekly", "monthly", "yearly"):
        return False
    return not recurrence.get("byday") and recurrence.get("bymonthday") is None


def _ahead_still(
    fields: TaskChanges, old: TaskTime, change: Change, settled: TaskTime | TaskQuestion, now: datetime
) -> TaskTime | TaskQuestion:
    """健身改到十点, start 21:30, reminder 21:20: the clock is the start's, the lead stays."""
    begins, called = _begins_noted(fields), old.remind_at
    moved = change.wish.start is not None and not change.wish.reminded and change.wish.remind_at is None
    if begins is None or called is None or old.start is not None or not moved:
        return settled
    if isinstance(settled, TaskQuestion) or settled.remind_at is None or settled.start is not None:
        return settled
    lead = timedelta(minutes=(_minutes(begins) - called.hour * 60 - called.minute) % 1440)
    thing = settled.remind_at
    note = f"{clock_text(thing.timetz().replace(tzinfo=None))}{_BEGINS}"
    return replace(settled, remind_at=thing - lead if thing - lead > now else thing, note=note)


def _days_ahead_still(
    old: TaskTime, wish: Wish, settled: TaskTime | TaskQuestion, now: datetime
) -> TaskTime | TaskQuestion:
    """改成每月18号, reminder on the day before: the lead stays, unless a reminder is given."""
    if isinstance(settled, TaskQuestion) or settled.remind_at is None or settled.start is not None:
        return settled
    days = _days_ahead(old)
    if (
        not days
        or wish.reminded
        or wish.remind_at is not None
        or (wish.date, wish.recurrence) == (None, None)
    ):
        return settled
    at = settled.remind_at - timedelta(days=days)
    return replace(settled, remind_at=at) if at > now else settled


def _days_ahead(old: TaskTime) -> int:
    """Lead of the reminder in days; 0 on the same day."""
    return max((old.day - old.remind_at.date()).days, 0) if old.remind_at is not None else 0


_BEGINS: Final = "开始"


def _begins_noted(fields: TaskChanges) -> time | None:
    """Start clock in the task's note (21:30开始)."""
    note = (fields.description or "").strip()
    if not note.endswith(_BEGINS):
        return None
    try:
        return time.fromisoformat(note.removesuffix(_BEGINS))
    except ValueError:
        return None


def _new_end(old: TaskTime, wish: Wish) -> time | None:
    """New end after the start; None if the clock is a start. 延到6点 is an end only if after the current
    end."""
    begins = old.start or (old.remind_at.timetz().replace(tzinfo=None) if old.remind_at else None)
    if not wish.closes or wish.start is None or begins is None:
        return None
    end = after_start(begins, wish.start)
    if wish.closes == "perhaps" and (old.end is None or end <= old.end):
        return None
    return end


def _called(
    old: TaskTime, change: Change, noted: time | None, now: datetime, zone: ZoneInfo
) -> TaskTime | TaskQuestion:
    """Task with reminders at the leads of a change (past ones left out), beside those it has where the change
    says so. `noted`: start clock from its note."""
    thing = datetime.combine(old.day, old.start, zone) if old.start is not None else old.remind_at
    if thing is not None and old.start is None:
        thing += timedelta(days=_days_ahead(old))
        thing = datetime.combine(old.day, noted, zone) if noted is not None else thing
    if thing is None:
        return TaskQuestion("remind", "remindAt", "这个任务没写几点，要几点提醒？")
    ahead = {thing - timedelta(minutes=each) for each in change.leads}
    if change.beside:
        ahead |= {old.remind_at or thing, *old.remind_more}
    ahead = sorted(each for each in ahead if each > now) or [thing]
    note = f"{clock_text(thing.time())}{_BEGINS}" if old.start is None and ahead[0] != thing else ""
    return replace(old, remind_at=ahead[0], remind_more=tuple(ahead[1:]), note=note)


def cleared(fields: TaskChanges, what: frozenset[Cleared]) -> TaskChanges:
    """Fields without the cleared ones. Without any time it is a whole-day task."""
    if "clock" in what:
        fields = replace(fields, start_time=None, end_time=None)
    if what & {"clock", "segment"}:
        segment = None if "segment" in what else fields.time_segment
        fields = replace(fields, time_segment=segment if segment or fields.start_time else "all_day")
    if "reminder" in what:
        fields = replace(fields, remind_at=None, remind_more=())
    if "recurrence" in what:
        fields = replace(fields, recurrence=None)
    if "priority" in what:
        fields = replace(fields, priority="medium")
    return replace(fields, description=None) if "description" in what else fields


def wanted(old: TaskTime, wish: Wish) -> Wish:
    """Wish completed with the task's old time."""
    clock = old.start or (old.remind_at.timetz().replace(tzinfo=None) if old.remind_at else None)
    if wish.ambiguous == "am_pm" and wish.start is not None and clock is not None:
        late = pm(wish.start)
        start = min((wish.start, late), key=lambda one: abs(_minutes(one) - _minutes(clock)))
        end = end_behind(start, wish.end) if wish.end is not None and start == late else wish.end
        wish = replace(wish, start=start, end=end, ambiguous=None)
    wish = replace(wish, date=wish.date or old.day, recurrence=_recurring(old, wish), next_day=False)
    reminds_only = old.remind_at is not None and old.start is None
    if wish.remind_at is not None and not reminds_only:
        wish = replace(wish, remind_at=None)
    if wish.start is None and wish.segment is None and wish.end is None:
        if reminds_only:
            return replace(wish, start=clock, reminded=True)
        wish = replace(wish, start=old.start, segment=old.segment)
        return with_end(wish, old.end) if old.end is not None else wish
    if reminds_only:
        return replace(wish, reminded=True)
    if wish.start is not None and wish.end is None and old.start is not None and old.end is not None:
        length = (_minutes(old.end) - _minutes(old.start)) % 1440 or 1440
        return lasting(wish, length) if length < 1440 else wish
    if wish.start is not None and wish.end is not None and wish.end_date is None:
        return with_end(wish, wish.end)
    return wish


def _recurring(old: TaskTime, wish: Wish) -> dict[str, Any] | None:
    """New recurrence with the old exceptions and last day (跑步改成周一到周五)."""
    if wish.recurrence is None or old.recurrence is None:
        return wish.recurrence or old.recurrence
    bounds = {
        name: old.recurrence[name] for name in ("without", "until", "count") if old.recurrence.get(name)
    }
    return {**bounds, **{name: of for name, of in wish.recurrence.items() if of or name not in bounds}}


def _checked(old: TaskTime, wish: Wish, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    settled = settle(wish, now, zone)
    if (
        isinstance(settled, TaskQuestion)
        or old.remind_at is None
        or old.start is None
        or settled.start is None
    ):
        return settled
    gap = old.remind_at - datetime.combine(old.day, old.start, zone)
    at = (datetime.combine(settled.day, settled.start, zone).astimezone(UTC) + gap).astimezone(zone)
    return replace(settled, remind_at=at if at > now else None)


def _shifted(old: TaskTime, minutes: int, now: datetime, zone: ZoneInfo) -> TaskTime | TaskQuestion:
    by = timedelta(minutes=minutes)
    if old.start is not None and old.end is not None:
        start = datetime.combine(old.day, old.start) + by
        wish = Wish(date=start.date(), start=start.time(), recurrence=old.recurrence)
        length = (_minutes(old.end) - _minutes(old.start)) % 1440
        return _checked(old, lasting(wish, length), now, zone)
    if old.remind_at is not None:
        at = (old.remind_at.astimezone(UTC) + by).astimezone(zone)
        wish = Wish(
            date=at.date(),
            start=at.timetz().replace(tzinfo=None),
            reminded=True,
            remind_at=None if old.recurrence else at,
            recurrence=old.recurrence,
        )
        settled = settle(wish, now, zone)
        if isinstance(settled, TaskTime):
            thing = at.date() + timedelta(days=_days_ahead(old))
            return replace(settled, day=thing, segment=segment_of(at.time()), note=None)
        return settled
    if minutes % 1440 == 0:
        wish = Wish(date=old.day + by, segment=old.segment, recurrence=old.recurrence)
        return settle(wish, now, zone)
    return TaskQuestion("what", "startTime", "这个任务没写几点，要改到几点到几点？")


def _minutes(clock: time) -> int:
    return clock.hour * 60 + clock.minute


def described(fields: TaskChanges, when: TaskTime) -> TaskChanges:
    """Fields with a new time."""
    ranged = when.start is not None and when.end is not None
    return replace(
        fields,
        due_date=when.day.isoformat(),
        start_time=clock_text(when.start) if ranged and when.start else None,
        end_time=clock_text(when.end) if ranged and when.end else None,
        time_segment=None if ranged else when.segment,
        remind_at=when.remind_at.isoformat(timespec="seconds") if when.remind_at else None,
        recurrence=when.recurrence,
        remind_more=_more(fields, when),
        description=(when.note or None)
        if when.note is not None and _begins_noted(fields)
        else fields.description,
    )


def _more(fields: TaskChanges, when: TaskTime) -> tuple[str, ...]:
    """Further reminders; existing ones move with the first."""
    if when.remind_at is None:
        return ()
    more = when.remind_more
    if not more and fields.remind_more and fields.remind_at is not None:
        by = when.remind_at - datetime.fromisoformat(fields.remind_at)
        more = tuple(datetime.fromisoformat(each) + by for each in fields.remind_more)
    return tuple(each.isoformat(timespec="seconds") for each in more)
