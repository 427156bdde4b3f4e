"""任务: own tasks, those assigned to others, completed ones: edited, postponed, handed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final, Literal

from nicegui import ui

from ...services import tasks
from ...services.access.actor import Actor
from ...services.paging import Key, Page
from ...services.schedules.phrases import describe_task_recurrence, part_of_day
from ...storage.records import Conversation
from ...storage.tasks.records import TaskRecord
from .calendar.repetition import KEPT, chosen, offers, rule_of
from .elements.panel import Panel
from .elements.parts import (
    await_answer,
    box,
    button,
    card,
    empty,
    field,
    form,
    select,
    sheet,
    show_notice,
    tabs,
    text,
)
from .elements.sentence import SentenceBox
from .elements.undo_bar import perform_undoable
from .elements.wording import day as day_words
from .shell.visit import Visit, list_names

View = Literal["own", "given", "done"]
VIEWS: Final[dict[View, str]] = {"own": "我的", "given": "我交代的", "done": "做完的"}
NOTHING: Final[dict[View, tuple[str, str]]] = {
    "own": ("没有要做的事。", "提醒我明早八点带伞"),
    "given": ("没有交代给别人的事。", "秘书 提醒@小雅 明天下午交表"),
    "done": ("还没有做完的。", "带伞那个做完了"),
}
MOST: Final = 50


@dataclass
class TasksState:
    """State of the page."""

    view: View = "own"
    after: Key | None = None


async def draw_tasks_page(visit: Visit) -> None:
    state = TasksState()
    await SentenceBox(visit, "说一句：提醒我明早八点带伞").show()
    panel = Panel(visit, lambda panel, actor, place: _draw_tasks(panel, actor, place, state), ("task",))
    await panel.show()


async def _list_view_tasks(
    visit: Visit, actor: Actor, me: str, place: Conversation, state: TasksState
) -> Page[TaskRecord]:
    """A page of the tasks of the view."""
    if state.view != "given":
        return await tasks.list_tasks(
            visit.office,
            actor,
            me,
            group_id=place.peer,
            status="completed" if state.view == "done" else "pending",
            limit=MOST,
            after=state.after,
            newest=state.view == "done",
        )
    # Open tasks assigned to others; after the last of them the completed ones.
    page = await tasks.list_assigned_tasks(
        visit.office, actor, me, group_id=place.peer, status="pending", limit=MOST, after=state.after
    )
    if page.cursor is not None:
        return page
    done = await tasks.list_assigned_tasks(
        visit.office, actor, me, group_id=place.peer, status="completed", limit=MOST, after=None, newest=True
    )
    return Page([*page.rows, *done.rows], None)


async def _draw_tasks(panel: Panel, actor: Actor, place: Conversation, state: TasksState) -> None:
    visit = panel.visit
    today = visit.office.now().date()
    found: Page[TaskRecord] = Page([], None)
    if visit.me is not None:
        found = await _list_view_tasks(visit, actor, visit.me, place, state)
    makers = await visit.office.names_of(place, {each.creator for each in found.rows})
    unsent = await tasks.list_unsent_reminders(visit.office, place)

    async def show(view: View, after: Key | None = None) -> None:
        state.view, state.after = view, after
        await panel.show()

    draw_unsent(unsent)
    with box("mi-row tight"):
        tabs(VIEWS, state.view, show)
    if not found.rows:
        with box("mi-card"):
            if visit.me is None:
                text("先在上面选好是谁的。", "mi-soft")
            else:
                empty(*NOTHING[state.view])
    near = {day_words(today + timedelta(days=days), today) for days in (0, 1)}
    for name, rows in _by_time(found.rows, today, state.view):
        with card(name, classes="mi-late" if name == LATE else ""), box("mi-list"):
            for each in rows:
                maker = makers.get(each.creator, each.creator)
                _draw_row(visit, each, maker, today, dated=name not in near)
    with box("mi-row mi-end"):
        if state.after is not None:
            button("回到开头", lambda: show(state.view))
        if found.cursor is not None:
            button("后面的", lambda: show(state.view, tasks.task_key(found.rows[-1])))


def draw_unsent(lines: Sequence[str]) -> None:
    """Reminders that could not be sent, with the reason."""
    for line in lines:
        text(line, "mi-trouble").props["data-mishu"] = "unsent"


LATE: Final = "过期了"


def _by_time(rows: Sequence[TaskRecord], today: date, view: View) -> list[tuple[str, list[TaskRecord]]]:
    """The rows under headings, in their order."""
    found: dict[str, list[TaskRecord]] = {}
    for each in rows:
        due = date.fromisoformat(each.fields.due_date)
        if view == "done" or each.status == "completed":
            name = "做完的"
        elif due < today:
            name = LATE
        elif due <= today + timedelta(days=1):
            name = day_words(due, today)
        elif due <= today + timedelta(days=7):
            name = "往后七天"
        else:
            name = "以后"
        found.setdefault(name, []).append(each)
    return list(found.items())


def time_of(task: TaskRecord) -> str:
    """14:00–14:30, 10:00, 上午; empty for a day alone."""
    fields = task.fields
    if fields.start_time:
        return f"{fields.start_time}–{fields.end_time}"
    return called_at(task) or part_of_day(fields.time_segment)


def called_at(task: TaskRecord) -> str:
    """Clock of the reminder, where it is on the task's day."""
    at = task.fields.remind_at or ""
    return at[11:16] if at[:10] == task.fields.due_date else ""


def describe_details(task: TaskRecord, maker: str, me: str | None) -> list[str]:
    """Details below a title: recurrence, owner, reminder."""
    fields = task.fields
    found: list[str] = []
    if fields.recurrence is not None:
        found.append(describe_task_recurrence(fields))
    if fields.remind_at and (fields.start_time or not called_at(task)):
        on = date.fromisoformat(fields.remind_at[:10])
        day = "" if called_at(task) else f"{on.month}月{on.day}日 "
        found.append(f"{day}{fields.remind_at[11:16]} 提醒")
    if task.owner != me:
        found.append(f"给{task.owner_name}")
    elif task.creator != task.owner:
        found.append(f"{maker}交代的")
    if fields.priority == "high":
        found.append("要紧")
    if fields.description:
        found.append(fields.description)
    return found


def _draw_row(visit: Visit, task: TaskRecord, maker: str, today: date, *, dated: bool) -> None:
    due = date.fromisoformat(task.fields.due_date)
    with box(f"mi-item mi-stack {'gone' if task.status == 'completed' else ''}"):
        with box("mi-when"):
            late = due < today and task.status == "pending"
            if dated or not time_of(task):
                text(day_words(due, today) if dated else "当天", "mi-late" if late else "")
            if time_of(task):
                text(time_of(task))
        with box("mi-what"):
            text(task.title)
            if more := describe_details(task, maker, visit.me):
                text(" · ".join(more), "mi-soft")
        with box("mi-acts"):
            if task.status == "pending":
                button("完成", lambda: complete(visit, task), title=f"完成：{task.title}")
                button("推迟", lambda: _postpone(visit, task, today), title=f"推迟：{task.title}")
                button("改", lambda: _edit(visit, task), title=f"改：{task.title}")
            else:
                button("删", lambda: _delete(visit, task), "mi-danger", title=f"删：{task.title}")


async def complete(visit: Visit, task: TaskRecord) -> None:
    """Mark it as done; what repeats goes on to its next day."""
    await perform_undoable(
        visit,
        lambda write, _: tasks.complete_task(visit.office, write, task.owner, task.id),
        f"完成了：{task.title}",
        place=task.conversation,
        origin=f"web:done:{task.id}:{task.fields.due_date}",
    )


async def _postpone(visit: Visit, task: TaskRecord, today: date) -> None:
    due = date.fromisoformat(task.fields.due_date)
    monday = today + timedelta(days=7 - today.weekday())
    days = {"明天": today + timedelta(days=1), "后天": today + timedelta(days=2), "下周一": monday}
    with sheet(f"「{task.title}」推到哪天？") as dialog:
        with box("mi-row"):
            for name, each in days.items():
                if each > due:
                    button(f"{name}（{each.month}/{each.day}）", lambda each=each: dialog.submit(each))
        other = field("别的日子", (max(due, today) + timedelta(days=1)).isoformat(), kind="date", mark="day")
        with box("mi-row mi-end"):
            button("算了", lambda: dialog.submit(None))
            button("推到这天", lambda: dialog.submit(str(other.value)), "mi-primary", mark="yes")
    answer = await await_answer(dialog)
    if answer is None:
        return
    try:
        to = answer if isinstance(answer, date) else date.fromisoformat(answer)
    except ValueError:
        show_notice("日期不对", bad=True)
        return
    await _update(visit, task, {"dueDate": to}, f"推到{day_words(to, today)}")


async def _edit(visit: Visit, task: TaskRecord) -> None:
    kept = task.fields
    due = date.fromisoformat(kept.due_date)
    inputs: dict[str, Any] = {}
    names = {task.owner: task.owner_name} | await list_names(visit.office, task.conversation)
    before = kept.start_time or called_at(task)
    says = describe_task_recurrence(kept)

    def draw_fields() -> None:
        inputs["title"] = field("什么事", task.title, mark="title")
        with box("mi-pair"):
            inputs["date"] = field("哪天", kept.due_date, kind="date", mark="date")
            repeats = offers(due, kept.recurrence, says)
            inputs["repeats"] = select(repeats, chosen(due, kept.recurrence), "重复", "repeats")
            inputs["time"] = field("几点（到点提醒）", before, kind="time", mark="time")
            inputs["end"] = field("到几点（可不填）", kept.end_time or "", kind="time", mark="end")
        if len(names) > 1:
            inputs["owner"] = select(names, task.owner, "谁来做", "owner")
        inputs["drop"] = ui.checkbox("删掉这个任务").classes("mi-danger")
        inputs["drop"].props["data-mishu"] = "drop"

    async def act() -> bool:
        if inputs["drop"].value:
            return await _delete(visit, task)
        try:
            fields = changes(task, {name: each.value for name, each in inputs.items()}, visit)
        except ValueError:
            show_notice("日期或时间不对", bad=True)
            return False
        to = str(inputs["owner"].value or task.owner) if "owner" in inputs else task.owner
        if fields and not await _update(visit, task, fields, "改好了"):
            return False
        return to == task.owner or await _hand_over(visit, task, to, names.get(to, to))

    await form("改任务", draw_fields, act)


def changes(task: TaskRecord, said: dict[str, Any], visit: Visit) -> dict[str, Any]:
    """The fields of the operation that a form changes. Raises `ValueError` for no date or clock."""
    kept = task.fields
    fields: dict[str, Any] = {}
    title = str(said["title"] or "").strip()
    if title != kept.title:
        fields["title"] = title
    day = date.fromisoformat(str(said["date"]))
    start, end = (clock.fromisoformat(str(said[each])) if said[each] else None for each in ("time", "end"))
    before = kept.start_time or called_at(task)
    moved = day.isoformat() != kept.due_date
    if str(said["time"] or "") != before or str(said["end"] or "") != (kept.end_time or ""):
        if start is None:
            if end is not None:
                raise ValueError("an end without a start")
            fields |= {"startTime": None, "endTime": None, "timeSegment": None, "remindAt": None}
        elif end is None:
            at = datetime.combine(day, start, visit.office.zone)
            fields |= {"startTime": None, "endTime": None, "timeSegment": None, "remindAt": at}
        else:
            fields |= {"timeSegment": None, "startTime": start, "endTime": end}
        moved = moved or start is not None
    if moved:
        fields["dueDate"] = day
    key = str(said["repeats"])
    due = date.fromisoformat(kept.due_date)
    if key != KEPT and (key != chosen(due, kept.recurrence) or (kept.recurrence and day != due)):
        fields["recurrence"] = rule_of(key, day)
        if fields["recurrence"] is None and kept.recurrence is None:
            del fields["recurrence"]
    return fields


async def _update(visit: Visit, task: TaskRecord, fields: dict[str, Any], done: str) -> bool:
    return await perform_undoable(
        visit,
        lambda write, _: tasks.update_task(visit.office, write, task.owner, task.id, fields),
        f"{done}：{fields.get('title') or task.title}",
        place=task.conversation,
    )


async def _hand_over(visit: Visit, task: TaskRecord, to: str, name: str) -> bool:
    return await perform_undoable(
        visit,
        lambda write, _: tasks.hand_over(visit.office, write, task.owner, task.id, to),
        f"交给{name}了：{task.title}",
        place=task.conversation,
    )


async def _delete(visit: Visit, task: TaskRecord) -> bool:
    # No question first: the bar at the page's foot brings it back.
    return await perform_undoable(
        visit,
        lambda write, _: tasks.delete_task(visit.office, replace(write, confirm=True), task.owner, task.id),
        f"删掉了：{task.title}",
        place=task.conversation,
    )
