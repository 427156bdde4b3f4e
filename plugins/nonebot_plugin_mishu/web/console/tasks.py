"""任务: own tasks, those assigned to others, completed ones: edited, postponed, handed over."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final, Literal
from uuid import uuid4

from nicegui import ui

from ...services import groups, tasks
from ...services.access.actor import Actor
from ...services.paging import Key, Page
from ...services.refusals import Refused
from ...services.schedules.phrases import describe_task_recurrence, part_of_day
from ...storage.records import Conversation
from ...storage.tasks.records import TaskRecord
from .calendar.repetition import KEPT, chosen, offers, rule_of
from .elements.choices import select
from .elements.panel import Draw, Panel
from .elements.parts import await_answer, box, button, empty, field, form, heading, sheet, show_notice, text
from .elements.sentence import SentenceBox
from .elements.undo_bar import perform_undoable
from .elements.wording import day as day_words
from .shell.visit import Visit, try_read

View = Literal["mine", "given", "done"]
VIEWS: Final[dict[View, str]] = {"mine": "我的", "given": "我交代的", "done": "做完的"}
NOTHING: Final[dict[View, tuple[str, str]]] = {
    "mine": ("没有要做的事。", "提醒我明早八点带伞"),
    "given": ("没有交代给别人的事。", "秘书 提醒@小雅 明天下午交表"),
    "done": ("还没有做完的。", "带伞那个做完了"),
}
MOST: Final = 50


@dataclass
class TasksState:
    """State of the page."""

    view: View = "mine"
    after: Key | None = None


async def draw_tasks_page(visit: Visit) -> None:
    """Draw the page 任务."""
    state = TasksState()
    await SentenceBox(visit, "说一句：提醒我明早八点带伞").show()

    def load(actor: Actor, place: Conversation) -> Awaitable[Draw]:
        return _load(visit, actor, place, state, panel)

    panel = Panel(visit, load, ("task",))
    await panel.show()


async def list_view_tasks(
    visit: Visit, actor: Actor, place: Conversation, state: TasksState
) -> Page[TaskRecord]:
    """A page of the tasks of the view."""
    assert visit.me is not None
    if state.view == "given":
        return await _list_assigned(visit, actor, place, visit.me, state.after)
    return await tasks.list_tasks(
        visit.office,
        actor,
        visit.me,
        group_id=place.peer,
        status="completed" if state.view == "done" else "pending",
        first=None,
        last=None,
        limit=MOST,
        after=state.after,
        newest=state.view == "done",
    )


async def _list_assigned(
    visit: Visit, actor: Actor, place: Conversation, me: str, after: Key | None
) -> Page[TaskRecord]:
    """Open tasks assigned to others; after the last of them the completed ones."""
    where = place.peer
    page = await tasks.list_assigned_tasks(
        visit.office, actor, me, group_id=where, status="pending", limit=MOST, after=after
    )
    if page.cursor is not None:
        return page
    done = await tasks.list_assigned_tasks(
        visit.office, actor, me, group_id=where, status="completed", limit=MOST, after=None, newest=True
    )
    return Page([*page.rows, *done.rows], None)


async def _load(visit: Visit, actor: Actor, place: Conversation, state: TasksState, panel: Panel) -> Draw:
    today = visit.office.now().date()
    tomorrow = today + timedelta(days=1)
    found: Page[TaskRecord] = Page([], None)
    if visit.me is not None:
        found = await list_view_tasks(visit, actor, place, state)
    makers = await visit.office.names_of(place, {each.creator for each in found.rows})
    unsent = await tasks.list_unsent_reminders(visit.office, place)

    async def show(view: View, after: Key | None = None) -> None:
        state.view, state.after = view, after
        await panel.show()

    def draw_tasks() -> None:
        draw_unsent(unsent)
        with box("mi-row tight"):
            for view, name in VIEWS.items():
                on = view == state.view
                one = button(name, lambda view=view: show(view), "mi-on" if on else "")
                one.props["aria-pressed"] = "true" if on else "false"
        if not found.rows:
            with box("mi-card"):
                if visit.me is None:
                    text("先在上面选好是谁的。", "mi-soft")
                else:
                    empty(*NOTHING[state.view])
        for name, rows in _by_time(found.rows, today, state.view):
            with box("mi-card"):
                heading(name, "mi-late" if name == LATE else "")
                with box("mi-list"):
                    for each in rows:
                        dated = name not in (day_words(today, today), day_words(tomorrow, today))
                        _draw_row(visit, each, makers.get(each.creator, each.creator), today, dated=dated)
        with box("mi-row mi-end"):
            if state.after is not None:
                button("回到开头", lambda: show(state.view))
            if found.cursor is not None:
                button("后面的", lambda: show(state.view, tasks.task_key(found.rows[-1])))

    return draw_tasks


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

    async def complete_task(actor: Actor, place: Conversation, _: bool) -> None:
        origin = f"web:done:{task.id}:{task.fields.due_date}"
        await tasks.complete_task(
            visit.office, actor, task.owner, task.id, origin=origin, by=_as_whom(visit, actor)
        )

    await perform_undoable(visit, complete_task, f"完成了：{task.title}", place=task.conversation)


async def _postpone(visit: Visit, task: TaskRecord, today: date) -> None:
    due = date.fromisoformat(task.fields.due_date)
    monday = today + timedelta(days=7 - today.weekday())
    days = {"明天": today + timedelta(days=1), "后天": today + timedelta(days=2), "下周一": monday}
    picked: list[date] = []
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
        picked.append(answer if isinstance(answer, date) else date.fromisoformat(answer))
    except ValueError:
        show_notice("日期不对", bad=True)
        return
    origin = f"web:{uuid4().hex}"

    async def postpone_task(actor: Actor, place: Conversation, yes: bool) -> None:
        by = _as_whom(visit, actor)
        await tasks.postpone(
            visit.office, actor, task.owner, task.id, picked[0], origin=origin, by=by, confirm=yes
        )

    to = day_words(picked[0], today)
    await perform_undoable(visit, postpone_task, f"推到{to}：{task.title}", place=task.conversation)


async def _edit(visit: Visit, task: TaskRecord) -> None:
    kept = task.fields
    due = date.fromisoformat(kept.due_date)
    inputs: dict[str, Any] = {}
    names = {task.owner: task.owner_name}
    if task.conversation.is_group:
        here = await try_read(lambda: groups.find_all_members(visit.office, task.conversation))
        if not isinstance(here, Refused):
            names |= {each.id: each.name for each in here}
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
        if fields and not await _update(visit, task, fields):
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


async def _update(visit: Visit, task: TaskRecord, fields: dict[str, Any]) -> bool:
    origin = f"web:{uuid4().hex}"

    async def update_task(actor: Actor, place: Conversation, yes: bool) -> None:
        by = _as_whom(visit, actor)
        await tasks.update_task(
            visit.office, actor, task.owner, task.id, fields, origin=origin, by=by, confirm=yes
        )

    return await perform_undoable(
        visit, update_task, f"改好了：{fields.get('title') or task.title}", place=task.conversation
    )


async def _hand_over(visit: Visit, task: TaskRecord, to: str, name: str) -> bool:
    origin = f"web:{uuid4().hex}"

    async def hand_over(actor: Actor, place: Conversation, yes: bool) -> None:
        by = _as_whom(visit, actor)
        await tasks.hand_over(visit.office, actor, task.owner, task.id, to, origin=origin, by=by, confirm=yes)

    return await perform_undoable(visit, hand_over, f"交给{name}了：{task.title}", place=task.conversation)


async def _delete(visit: Visit, task: TaskRecord) -> bool:
    origin = f"web:{uuid4().hex}"

    async def delete_task(actor: Actor, place: Conversation, _: bool) -> None:
        by = _as_whom(visit, actor)
        # No question first: the bar at the page's foot brings it back.
        await tasks.delete_task(visit.office, actor, task.owner, task.id, origin=origin, by=by, confirm=True)

    return await perform_undoable(visit, delete_task, f"删掉了：{task.title}", place=task.conversation)


def _as_whom(visit: Visit, actor: Actor) -> str | None:
    return visit.me if actor.is_owner else None
