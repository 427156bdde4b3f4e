"""Consequences of a task's new state: objections, reminders, next day. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....language.recognise.times import WEEKDAYS
from ....storage.reminders.queries import NewReminder
from ....storage.tasks.records import AGENT, TaskChanges, TaskRecord
from ...api.task_context import TaskContext
from .. import words
from ..frames import TaskQuery
from .policy import Taken, TaskQuestion, days_between, next_day, next_moment, overlapping
from .revision import described, when_of
from .task_time import TaskTime, Wish, repetition


def objection(
    fields: TaskChanges,
    when: TaskTime,
    open_tasks: Sequence[TaskRecord],
    context: TaskContext,
    allowed: frozenset[str],
    *,
    editing: bool,
) -> TaskQuestion | None:
    """Question about a conflict of concrete ranges, or a duplicate (same title and time)."""
    zone = context.clause.situation.zone
    if "conflict" not in allowed:
        taken = [Taken(one.id, when_of(one.fields, zone)) for one in open_tasks]
        hit = overlapping(when, taken, zone)
        if hit is not None:
            other = next(one for one in open_tasks if one.id == hit.task_id)
            here = other.conversation == context.conversation
            title = other.title if here else None
            question = words.conflict_question(title, other.fields, context.now, editing=editing)
            return TaskQuestion("conflict", "startTime", question)
    if "duplicate" not in allowed and not editing:
        for one in open_tasks:
            if one.conversation == context.conversation and _same(one.fields, fields):
                question = f"已经有一个一样的任务：{words.task_line(one, context.now)}。还要再记一个吗？"
                return TaskQuestion("duplicate", "title", question)
    return None


def _same(one: TaskChanges, other: TaskChanges) -> bool:
    timed = ("due_date", "start_time", "end_time", "time_segment", "remind_at", "recurrence")
    same_title = "".join(one.title.split()).lower() == "".join(other.title.split()).lower()
    return same_title and all(getattr(one, name) == getattr(other, name) for name in timed)


def reminder_of(task: TaskRecord) -> tuple[NewReminder, ...]:
    """Reminders of a task in its current state, with their text."""
    fields = task.fields
    if fields.remind_at is None or task.status == "completed":
        return ()
    return tuple(
        NewReminder(
            conversation=task.conversation,
            agent_code=AGENT,
            item_id=task.id,
            user_ids=[task.owner],
            text=words.reminder_text(fields, task.owner_name),
            due_at=at.timestamp(),
            wall=f"{at:%Y-%m-%d %H:%M}",
            zone=fields.zone,
            recurrence=rule_ahead(fields, at),
        )
        for at in map(datetime.fromisoformat, (fields.remind_at, *fields.remind_more))
    )


def rule_ahead(fields: TaskChanges, at: datetime) -> dict[str, Any] | None:
    """Recurrence of a reminder some days before its task (每月15号, 提前一天: on the 14th).

    The task's own rule if the lead is under a day, or if no rule expresses it."""
    rule = fields.recurrence
    days = (date.fromisoformat(fields.due_date) - at.date()).days if rule and fields.due_date else 0
    if rule is None or days <= 0:
        return rule
    moved = {name: _earlier(rule[name], days) for name in ("without",) if name in rule}
    moved |= {"until": _earlier([rule["until"]], days)[0]} if rule.get("until") else {}
    freq, on, month = rule["freq"], rule.get("bymonthday"), rule.get("bymonth")
    if freq == "weekly" and rule.get("byday"):
        codes = sorted({(WEEKDAYS.index(code) - days) % 7 for code in rule["byday"]})
        return {**rule, **moved, "byday": [WEEKDAYS[code] for code in codes]}
    if freq == "monthly" and on is not None and on > 0 and days < _SHORTEST_MONTH:
        return {**rule, **moved, "bymonthday": on - days if on > days else on - days - 1}
    if freq == "yearly" and on is not None and month is not None and on > 0:
        day = date(_PLAIN_YEAR, month, min(on, 28 if month == 2 else on)) - timedelta(days=days)
        return {**rule, **moved, "bymonth": day.month, "bymonthday": day.day}
    return {**rule, **moved} if freq == "daily" else rule


_SHORTEST_MONTH: Final = 28
_PLAIN_YEAR: Final = 2027


def _earlier(days: Sequence[str], by: int) -> list[str]:
    return [(date.fromisoformat(day) - timedelta(days=by)).isoformat() for day in days]


def without_weekdays(fields: TaskChanges, codes: Sequence[str], zone: ZoneInfo) -> Wish | None:
    """Recurrence without these weekdays; None if no rule expresses it, or none is left."""
    rule, when = fields.recurrence, when_of(fields, zone)
    if rule is None or rule["freq"] not in ("daily", "weekly") or rule.get("interval", 1) != 1:
        return None
    own = rule.get("byday") or (WEEKDAYS if rule["freq"] == "daily" else ())
    left = [code for code in own if code not in codes]
    if not left or len(left) == len(own):
        return None
    new = {**rule, "freq": "weekly", "byday": left}
    day = next_day(replace(when, recurrence=new), when.day - timedelta(days=1))
    return None if day is None else Wish(date=day, recurrence=new, phrase="重复")


def _called_on(when: TaskTime, day: date, now: datetime, zone: ZoneInfo) -> datetime | None:
    """Reminder of a recurring task on that day, with the current lead in days."""
    if when.remind_at is None or when.recurrence is None:
        return when.remind_at
    ahead = (when.day - when.remind_at.date()).days
    if ahead > 0:
        at = datetime.combine(day - timedelta(days=ahead), when.remind_at.timetz().replace(tzinfo=None), zone)
        return at if at > now else None
    last = datetime.combine(day - timedelta(days=1), datetime.max.time(), zone)
    return next_moment(when.recurrence, when.remind_at, max(last, now))


def following_of(task: TaskRecord, context: TaskContext) -> TaskChanges | None:
    """Recurring task on its next day; None if it ends, as one that is said until it is done."""
    if task.fields.recurrence is None or task.fields.recurrence.get("count"):
        return None
    zone = context.clause.situation.zone
    when = when_of(task.fields, zone)
    today = context.now.date()
    day = next_day(when, max(when.day, today) if when.day <= today else when.day)
    if day is None:
        return None
    remind = _called_on(when, day, context.now, zone)
    return described(task.fields, replace(when, day=day, remind_at=remind))


def without_days(
    fields: TaskChanges, stretches: Sequence[tuple[date, date]], now: datetime
) -> tuple[TaskChanges, list[date]] | None:
    """Recurring task without these days, and the list of them; None if no day is left, or it comes hourly or
    more often."""
    zone = ZoneInfo(fields.zone)
    when = when_of(fields, zone)
    assert when.recurrence is not None
    rule = repetition(when.recurrence)
    if rule.within_a_day:
        return None
    off: set[date] = set()
    for first, last in stretches:
        off |= set(days_between(when, max(first, now.date()), last))
    if not off:
        return fields, []
    kept = {*when.recurrence.get("without", ()), *(day.isoformat() for day in off)}
    left = replace(when, recurrence={**when.recurrence, "without": sorted(kept)})
    assert left.recurrence is not None
    if left.day in off:
        day = next_day(left, left.day)
        if day is None:
            return None
        left = replace(left, day=day, remind_at=_called_on(left, day, now, zone))
    return described(fields, left), sorted(off)


def fits(task: TaskRecord, query: TaskQuery) -> bool:
    """True if the task matches the filter; a recurring task matches on its next days too."""
    due = task.fields.due_date
    often = (task.fields.recurrence or {}).get("freq")
    if query.repeats and often != query.repeats and (often, query.repeats) != ("daily", "weekly"):
        return False
    if task.fields.recurrence is not None and query.first is not None and due < query.first:
        before = date.fromisoformat(query.first) - timedelta(days=1)
        following = next_day(when_of(task.fields, ZoneInfo(task.fields.zone)), before)
        due = following.isoformat() if following is not None else due
    if query.first is not None and due < query.first:
        return False
    if query.last is not None and due > query.last:
        return False
    return query.priority is None or task.fields.priority == query.priority


def clock_of(task: TaskRecord) -> str:
    """Sort key within a day."""
    return task.fields.start_time or (task.fields.remind_at or "")[11:16]
