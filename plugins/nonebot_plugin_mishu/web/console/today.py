"""今天: the group's day, the visitor's tasks due, and open questions to them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from datetime import date, timedelta
from typing import Final

from nicegui import ui

from ...patterns import Pattern
from ...services import open_questions, tasks
from ...services.access.actor import Actor
from ...services.open_questions import QuestionView
from ...services.schedules import schedules
from ...services.schedules.schedules import Time
from ...storage.records import Conversation
from ...storage.tasks.records import TaskRecord
from .calendar.days import by_day
from .calendar.imported import draw_entry, load_entries
from .calendar.page import when_on
from .elements.panel import Draw, Panel, perform
from .elements.parts import box, button, empty, heading, link, once, show_notice, text
from .elements.sentence import SentenceBox
from .elements.wording import day
from .shell.visit import Visit
from .tasks import complete, describe_details, draw_unsent, time_of

MOST = 200
_YES: Final = Pattern("吗[？?]|确认")
_CHOICE: Final = Pattern(r"(?:还是|哪|什么|几|谁)[^？?]*[？?]\s*$")


async def draw_today_page(visit: Visit) -> None:
    """Draw the page 今天."""
    await SentenceBox(visit).show()

    def asked(actor: Actor, place: Conversation) -> Awaitable[Draw]:
        return _load_questions(visit, actor, place, waiting)

    waiting = Panel(visit, asked, ("draft", "decision"))
    with box("mi-two"):
        planned = Panel(visit, lambda a, p: _load_planned(visit, a, p), ("schedule",))
        mine = Panel(visit, lambda a, p: _load_tasks(visit, a, p), ("task",))
    brought = Panel(visit, lambda a, p: _load_imported(visit, a, p))
    ahead = Panel(visit, lambda a, p: _load_ahead(visit, a, p), ("schedule",))
    for each in (waiting, planned, mine, brought, ahead):
        await each.show()


async def _load_questions(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found: Sequence[QuestionView] = []
    if visit.me is not None:
        found = await open_questions.list_open_questions(visit.office, actor, place, visit.me)

    def draw_questions() -> None:
        if not found:
            return
        with box("mi-card"):
            heading("等你回答")
            for each in found:
                _draw_question(visit, each, panel)

    return draw_questions


def yes_answers(question: str) -> bool:
    """True if a bare yes is an answer: 早上还是晚上？ takes none."""
    return _YES.search(question) is not None or _CHOICE.search(question) is None


def _draw_question(visit: Visit, each: QuestionView, panel: Panel) -> None:
    async def say(words: str) -> None:
        async def send_answer(actor: Actor, place: Conversation, _: bool) -> None:
            name = await visit.office.name_of(place, each.user_id)
            answer = await visit.backend.ask(place.peer, each.user_id, name, words)
            show_notice(answer.reply or "好")

        if words.strip() and await perform(visit, send_answer):
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


async def _load_planned(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    now = visit.office.now()
    first = now.replace(hour=0, minute=0, second=0, microsecond=0)
    page = await schedules.list_times(
        visit.office, place, since=first, until=first + timedelta(days=1), limit=MOST, after=None
    )

    def draw_planned() -> None:
        with box("mi-card"):
            heading("群里今天的日程")
            if not page.rows:
                empty("今天没有日程。", "下午三点开会")
            with box("mi-list"):
                for time in page.rows:
                    _draw_time(time, now.date())

    return draw_planned


async def _load_imported(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    """Today's entries of imported calendars."""
    today = visit.office.now().date()
    entries = await load_entries(visit, actor, place, today, today + timedelta(days=1))

    def draw_imported() -> None:
        if entries:
            with box("mi-card"):
                heading("导入的日历，今天")
                with box("mi-list"):
                    for each in entries.get(today, ()):
                        draw_entry(each, today)

    return draw_imported


async def _load_ahead(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    """The next seven days, each with its schedules."""
    now = visit.office.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since, until = midnight + timedelta(days=1), midnight + timedelta(days=8)
    page = await schedules.list_times(visit.office, place, since=since, until=until, limit=MOST, after=None)
    standing = by_day(page.rows, since.date(), until.date())

    def draw_ahead() -> None:
        if not standing:
            return
        with box("mi-card"):
            heading("往后七天")
            for on in sorted(standing):
                text(day(on, now.date()), "mi-ondate", "h3")
                with box("mi-list"):
                    for time in standing[on]:
                        _draw_time(time, on)
            if page.cursor is not None:
                link("还有，到日历里看", f"{visit.root}/calendar", "mi-soft")

    return draw_ahead


def _draw_time(time: Time, on: date) -> None:
    plan = time.schedule.plan
    with box(f"mi-item {'gone' if time.exception == 'cancelled' else ''}"):
        text(when_on(time, on), "mi-when")
        with box("mi-what"):
            text(plan.description)
            if plan.place:
                text(plan.place, "mi-soft")
        if time.exception is not None:
            text({"moved": "改过时间", "cancelled": "这次取消"}[time.exception], "mi-tag warn")


async def _load_tasks(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    today = visit.office.now().date()
    found: list[TaskRecord] = []
    if visit.me is not None:
        page = await tasks.list_tasks(
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
    unsent = await tasks.list_unsent_reminders(visit.office, place)

    def draw_tasks() -> None:
        with box("mi-card"):
            heading("我的任务")
            draw_unsent(unsent)
            if visit.me is None:
                text("先在上面选好是谁的。", "mi-soft")
            elif not found:
                empty("没有要做的事。", "提醒我明早八点带伞")
            with box("mi-list"):
                for task in found:
                    _draw_task(visit, task, today)

    return draw_tasks


def _draw_task(visit: Visit, task: TaskRecord, today: date) -> None:
    due = date.fromisoformat(task.fields.due_date)
    with box("mi-item"):
        with box("mi-when"):
            text(day(due, today), "mi-late" if due < today else "")
            if time_of(task):
                text(time_of(task))
        with box("mi-what"):
            text(task.title)
            more = describe_details(task, task.owner_name, task.owner)
            if due < today:
                more.insert(0, "过期了")
            if more:
                text(" · ".join(more), "mi-soft")
        button("完成", lambda: complete(visit, task), title=f"完成：{task.title}")
