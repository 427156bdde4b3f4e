"""Questions before a write (understanding.md, section 3). No effects.

An order the rules are unsure of, and no model decided, becomes one question: 要把「交表」改到明天20:00吗？ A
yes writes it, a no changes nothing, another time corrects it. If the order itself needs a question (half of
the day, end), only that is asked: one question is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from ...storage.tasks.records import TaskRecord
from . import words
from .frames import Change, Creation, Draft
from .planning.consequences import without_days
from .planning.policy import TaskQuestion, settle
from .planning.revision import revised, wanted, when_of
from .planning.several import at_other
from .planning.task_time import TaskTime


def about_new(
    said: Creation, draft: Draft, now: datetime, zone: ZoneInfo, *, needs_yes: bool = False
) -> TaskQuestion | None:
    """Question before a new task is written; None if title or time must be asked first, or if the order is
    explicit (提醒我…, 创建任务：…, @阿凯 …). With `needs_yes` an explicit order is asked too."""
    if (said.plain or draft.assignee is not None) and not needs_yes:
        return None
    when = settle(draft.wish, now, zone)
    if not draft.title or not isinstance(when, TaskTime):
        return None
    whose = f"{draft.assignee_name}的" if draft.assignee_name else ""
    others = [settle(at_other(draft.wish, dict(one), zone), now, zone) for one in said.more]
    all_of_it = [when, *(one for one in others if isinstance(one, TaskTime))]
    line = f"{draft.title}，{'、'.join(words.say_when(one, now.date()) for one in all_of_it)}"
    note = f"，{when.note}" if when.note and when.recurrence is None else ""
    return _meant(f"要记成{whose}任务吗：{line}{note}？")


def about_kept(
    intent: str, tasks: Sequence[TaskRecord], change: Change, now: datetime, zone: ZoneInfo
) -> TaskQuestion | None:
    """Question before a change of these tasks; None if another question comes first."""
    named = "、".join(f"「{task.title}」" for task in tasks)
    if intent == "complete_task":
        return _meant(f"{named}做完了吗？回「好」就打勾。")
    if intent != "update_task" or change.empty:
        return None
    if len(tasks) != 1:
        return _meant(_all_alike(tasks, change, now, zone)) if change.title is None else None
    if change.shift is None and change.wish.empty and not (change.leads or change.until):
        return _meant(f"要{_other(named, change)}吗？")
    when = revised(tasks[0], change, now, zone)
    if not isinstance(when, TaskTime):
        return None
    renamed = f"，名字改成「{change.title}」" if change.title else ""
    if change.handing is not None:
        renamed += f"，交给{'你自己' if change.handing.own else change.handing.named}"
    return _meant(f"要把{named}改到{words.say_when(when, now.date())}{renamed}吗？")


def _all_alike(tasks: Sequence[TaskRecord], change: Change, now: datetime, zone: ZoneInfo) -> str:
    """Question about a common change of several tasks, each with its new time."""
    become = [revised(task, change, now, zone) for task in tasks]
    if change.wish.empty and change.shift is None and not change.leads:
        return f"{'、'.join(f'「{task.title}」' for task in tasks)}要一起改吗？"
    lines = [
        f"{number}. 「{task.title}」改到{words.say_when(when, now.date())}"
        for number, (task, when) in enumerate(zip(tasks, become, strict=True), start=1)
        if isinstance(when, TaskTime)
    ]
    if len(lines) < len(tasks):
        return f"{'、'.join(f'「{task.title}」' for task in tasks)}要一起改吗？"
    listed = "\n".join(lines)
    return f"要这样改吗？\n{listed}"


def about_series(tasks: Sequence[TaskRecord], change: Change, *, one_day: bool) -> TaskQuestion | None:
    """Question about the scope of a recurring task's change (把周五的跑步推迟一小时), if `one_day` names
    it."""
    timed = change.shift is not None or not change.wish.empty
    if not tasks or tasks[0].fields.recurrence is None or not timed:
        return None
    named = one_day and change.wish.recurrence is None
    return TaskQuestion("series", "dueDate", words.SERIES.format(title=tasks[0].title)) if named else None


def about_days(
    tasks: Sequence[TaskRecord], stretches: Sequence[tuple[date, date]], now: datetime
) -> TaskQuestion | None:
    """Question before skipping these days of recurring tasks and deleting the others; None if none is on
    these days."""
    if not any(_on(task, stretches, now) for task in tasks):
        return None
    lines: list[str] = []
    for task in tasks:
        on = _on(task, stretches, now) if task.fields.recurrence is not None else []
        days = f"{words.say_days(on, now)}的" if on else ""
        stays = "（其余照常）" if task.fields.recurrence is not None else ""
        lines.append(f"{days}「{task.title}」{stays}")
    return TaskQuestion("delete", "taskId", f"要取消{'、'.join(lines)}吗？")


def _on(task: TaskRecord, stretches: Sequence[tuple[date, date]], now: datetime) -> list[date]:
    """Occurrences to be skipped; the due date of a task without recurrence."""
    if task.fields.recurrence is None:
        return [date.fromisoformat(task.fields.due_date)]
    left = without_days(task.fields, stretches, now)
    return left[1] if left is not None else []


def time_of(tasks: Sequence[TaskRecord], change: Change, zone: ZoneInfo) -> dict[str, Any]:
    """Requested time, for an answer that completes or corrects it."""
    if len(tasks) != 1:
        return {}
    when = when_of(tasks[0].fields, zone)
    return {"_time": wanted(when, change.wish).as_json()}


def _other(named: str, change: Change) -> str:
    if change.handing is not None:
        return f"把{named}交给{'你自己' if change.handing.own else change.handing.named}"
    if change.title:
        return f"把{named}改名为「{change.title}」"
    if change.description:
        return f"给{named}加备注「{change.description}」"
    return f"把{named}改成{words.PRIORITIES.get(change.priority or '', '中优先级')}"


def _meant(question: str) -> TaskQuestion:
    return TaskQuestion("meant", "taskId", question)
