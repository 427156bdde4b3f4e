"""今天: the group's day, what is due of mine, and what waits for an answer of mine."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Sequence
from datetime import date, timedelta
from typing import Final

from nicegui import ui

from ...operations import open_questions, schedules, tasks
from ...operations.actor import Actor
from ...operations.open_questions import OpenQuestion
from ...operations.schedules import Time
from ...storage.records import Conversation
from ...storage.task_records import TaskRecord
from .panel import Draw, Panel, doing
from .parts import box, button, empty, heading, once, tell, text
from .sentence import SentenceBox
from .visit import Visit
from .wording import day, span

MOST = 100
_YES: Final = re.compile("吗[？?]|确认")
_CHOICE: Final = re.compile(r"(?:还是|哪|什么|几|谁)[^？?]*[？?]\s*$")


async def page(visit: Visit) -> None:
    """Draw it."""
    SentenceBox(visit)

    def asked(actor: Actor, place: Conversation) -> Awaitable[Draw]:
        return _questions(visit, actor, place, waiting)

    waiting = Panel(visit, asked, ("draft", "decision"))
    with box("mi-two"):
        planned = Panel(visit, lambda a, p: _planned(visit, a, p), ("schedule",))
        mine = Panel(visit, lambda a, p: _tasks(visit, a, p), ("task",))
    for each in (waiting, planned, mine):
        await each.show()


async def _questions(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found: Sequence[OpenQuestion] = []
    if visit.me is not None:
        found = await open_questions.waiting(visit.office, actor, place, visit.me)

    def draw() -> None:
        if not found:
            return
        with box("mi-card"):
            heading("等你回答")
            for each in found:
                _question(visit, each, panel)

    return draw


def yes_answers(question: str) -> bool:
    """Whether a bare yes is an answer: 早上还是晚上？ takes none."""
    return _YES.search(question) is not None or _CHOICE.search(question) is None


def _question(visit: Visit, each: OpenQuestion, panel: Panel) -> None:
    async def say(words: str) -> None:
        async def work(actor: Actor, place: Conversation, _: bool) -> None:
            name = await visit.office.name_of(place, each.user_id)
            answer = await visit.backend.ask(place.peer, each.user_id, name, words)
            tell(answer.reply or "好")

        if words.strip() and await doing(visit, work):
            await panel.show()

    with box("mi-list"):
        for line in each.question.splitlines():
            text(line)
        with box("mi-row"):
            if yes_answers(each.question):
                button("确认", lambda: say("确认"), "mi-primary")
            button("不要了", lambda: say("不要了"))
            answer = ui.input(placeholder="或者直接回答").props("outlined dense maxlength=200")
            answer.classes("mi-field").props["aria-label"] = "回答"
            answer.on("keydown.enter", once(lambda: say(str(answer.value))))


async def _planned(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    now = visit.office.now()
    first = now.replace(hour=0, minute=0, second=0, microsecond=0)
    page = await schedules.expanded(
        visit.office, place, since=first, until=first + timedelta(days=1), limit=MOST, after=None
    )
    later = await schedules.expanded(
        visit.office,
        place,
        since=first + timedelta(days=1),
        until=first + timedelta(days=8),
        limit=8,
        after=None,
    )

    def draw() -> None:
        with box("mi-card"):
            heading("群里今天的日程")
            if not page.rows:
                empty("今天没有日程。", "下午三点开会")
            with box("mi-list"):
                for time in page.rows:
                    _time(time, now.date())
        if later.rows:
            with box("mi-card"):
                heading("往后七天")
                with box("mi-list"):
                    for time in later.rows:
                        _time(time, now.date(), dated=True)

    return draw


def _time(time: Time, today: date, *, dated: bool = False) -> None:
    plan = time.schedule.plan
    with box(f"mi-item {'gone' if time.exception == 'cancelled' else ''}"):
        with box("mi-when"):
            if dated:
                text(day(time.starts_at.date(), today))
            text(span(time.starts_at, time.ends_at, all_day=plan.segment == "all_day"))
        with box("mi-what"):
            text(plan.description)
            if plan.place:
                text(plan.place, "mi-soft")
        if time.exception is not None:
            text({"moved": "改过时间", "cancelled": "这次取消"}[time.exception], "mi-tag warn")


async def _tasks(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    today = visit.office.now().date()
    found: list[TaskRecord] = []
    if visit.me is not None:
        page = await tasks.listed(
            visit.office,
            actor,
            visit.me,
            group_id=place.peer,
            status="pending",
            first=None,
            last=today + timedelta(days=8),
            limit=MOST,
            after=None,
        )
        found = list(page.rows)

    def draw() -> None:
        with box("mi-card"):
            heading("我的任务")
            if visit.me is None:
                text("先在设置里选好替谁看。", "mi-soft")
            elif not found:
                empty("没有要做的事。", "提醒我明早八点带伞")
            with box("mi-list"):
                for task in found:
                    _task(visit, task, today)

    return draw


def _task(visit: Visit, task: TaskRecord, today: date) -> None:
    async def done() -> None:
        async def work(actor: Actor, place: Conversation, _: bool) -> None:
            origin = f"web:done:{task.id}:{task.fields.due_date}"
            by = visit.me if actor.is_owner else None
            await tasks.complete(visit.office, actor, task.owner, task.id, origin=origin, by=by)

        await doing(visit, work, f"完成了：{task.title}")

    due = date.fromisoformat(task.fields.due_date)
    shown = task.as_json()
    with box("mi-item"):
        with box("mi-when"):
            text(day(due, today), "mi-trouble-text" if due < today else "")
            if shown["startTime"]:
                text(f"{shown['startTime']}–{shown['endTime']}")
            elif shown["remindAt"]:
                text(str(shown["remindAt"])[11:16])
        with box("mi-what"):
            text(task.title)
            if due < today:
                text("过期了", "mi-soft")
        button("完成", done, title=f"完成：{task.title}")
