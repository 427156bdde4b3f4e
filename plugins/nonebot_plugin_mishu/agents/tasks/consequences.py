"""What a task as it will stand means: what speaks against it, its reminder, its next day. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice, takewhile
from typing import Final
from zoneinfo import ZoneInfo

from ...storage.reminders import NewReminder
from ...storage.task_records import AGENT, TaskFields, TaskRecord
from ...timeparse import dates
from ..task_context import TaskContext
from . import words
from .frames import TaskQuery
from .policy import Taken, TaskQuestion, next_day, next_moment, overlapping
from .revision import described, when_of
from .when import TaskTime, repetition


def objection(
    fields: TaskFields,
    when: TaskTime,
    open_tasks: Sequence[TaskRecord],
    context: TaskContext,
    allowed: frozenset[str],
    *,
    editing: bool,
) -> TaskQuestion | None:
    """A conflict between concrete ranges, or the same thing at the same time on the same day."""
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
                question = f"已经有一个一样的任务：{words.task_line(one, context.now)}。还要再建一个吗？"
                return TaskQuestion("duplicate", "title", question)
    return None


def _same(one: TaskFields, other: TaskFields) -> bool:
    timed = ("due_date", "start_time", "end_time", "time_segment", "remind_at", "recurrence")
    same_title = "".join(one.title.split()).lower() == "".join(other.title.split()).lower()
    return same_title and all(getattr(one, name) == getattr(other, name) for name in timed)


def reminder_of(task: TaskRecord) -> tuple[NewReminder, ...]:
    """The reminders of a task as it stands; their text is made now."""
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
            recurrence=fields.recurrence,
        )
        for at in map(datetime.fromisoformat, (fields.remind_at, *fields.remind_more))
    )


def following_of(task: TaskRecord, context: TaskContext) -> TaskFields | None:
    """A repeating task on its next day; None for one that ends."""
    if task.fields.recurrence is None:
        return None
    zone = context.clause.situation.zone
    when = when_of(task.fields, zone)
    today = context.now.date()
    day = next_day(when, max(when.day, today) if when.day <= today else when.day)
    if day is None:
        return None
    remind = when.remind_at
    if remind is not None:
        last = datetime.combine(day - timedelta(days=1), datetime.max.time(), zone)
        remind = next_moment(task.fields.recurrence, remind, max(last, context.now))
    return described(task.fields, replace(when, day=day, remind_at=remind))


def without_days(
    fields: TaskFields, stretches: Sequence[tuple[date, date]], now: datetime
) -> tuple[TaskFields, list[date]] | None:
    """What repeats without its times on these days, and which they are; None where nothing is left of it, or
    it comes more than once a day."""
    zone = ZoneInfo(fields.zone)
    when = when_of(fields, zone)
    assert when.recurrence is not None
    rule = repetition(when.recurrence)
    if rule.freq in ("minutely", "hourly"):
        return None
    off: set[date] = set()
    for first, last in stretches:
        begins = max(first, now.date())
        off |= set(
            islice(
                takewhile(lambda day, last=last: day <= last, dates(rule, when.day, skip_to=begins)), _MOST
            )
        )
    if not off:
        return fields, []
    kept = {*when.recurrence.get("without", ()), *(day.isoformat() for day in off)}
    left = replace(when, recurrence={**when.recurrence, "without": sorted(kept)})
    assert left.recurrence is not None
    if left.day in off:
        day = next_day(left, left.day)
        if day is None:
            return None
        remind = left.remind_at
        if remind is not None:
            eve = datetime.combine(day - timedelta(days=1), datetime.max.time(), zone)
            remind = next_moment(left.recurrence, remind, max(eve, now))
        left = replace(left, day=day, remind_at=remind)
    return described(fields, left), sorted(off)


_MOST: Final = 370
"""Times that one order may leave out."""


def fits(task: TaskRecord, query: TaskQuery) -> bool:
    """Whether a question asks for the task; one that repeats counts on the days it comes again."""
    due = task.fields.due_date
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
    """For the order of a day."""
    return task.fields.start_time or (task.fields.remind_at or "")[11:16]
