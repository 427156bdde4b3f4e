"""Recurrence and part of day in the agents' wording, for pages. Pure."""

from __future__ import annotations

from ...agents.schedule import words as schedule_words
from ...agents.schedule.timetable import recurrence_of
from ...agents.tasks.planning.task_time import SEGMENT_NAMES
from ...agents.tasks.words import say_recurrence
from ...storage.schedules.records import SchedulePlan
from ...storage.tasks.records import TaskChanges


def describe_schedule_recurrence(plan: SchedulePlan) -> str:
    """每周三 15:00; empty without a recurrence."""
    repeats = recurrence_of(plan.recurrence)
    return "" if repeats is None else schedule_words.rule(repeats, plan)


def describe_task_recurrence(fields: TaskChanges) -> str:
    """每周三; empty without a recurrence."""
    return "" if fields.recurrence is None else say_recurrence(fields.recurrence)


def part_of_day(segment: str | None) -> str:
    """上午 of a schedule or a task; empty for none, and for a whole day."""
    if segment is None or segment == "all_day":
        return ""
    names = {str(key): name for key, name in SEGMENT_NAMES.items()}
    return schedule_words.SEGMENTS.get(segment) or names.get(segment, "")
