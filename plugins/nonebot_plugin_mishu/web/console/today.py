"""今天: the group's day, the visitor's tasks due, and open questions to them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ...services import open_questions, tasks
from ...services.access.actor import Actor, Write
from ...services.open_questions import QuestionView
from ...services.schedules import schedules
from ...services.schedules.schedules import Time
from ...storage.records import Conversation
from ...storage.tasks.records import TaskRecord
from .calendar.days import by_day
from .calendar.imported import draw_entry, load_entries
from .calendar.page import when_on
from .elements.panel import Panel
from .elements.parts import answer_line, box, button, card, empty, link, show_notice, text
from .elements.sentence import SentenceBox
from .elements.wording import day
from .shell.visit import Visit
from .tasks import complete, describe_details, draw_unsent, time_of

MOST = 200
_YES: Final = Pattern("吗[？?]|确认")
_CHOICE: Final = Pattern(r"(?:还是|哪|什么|几|谁)[^？?]*[？?]\s*$")


async def draw_today_page(visit: Visit) -> None:
    await SentenceBox(visit).show()
    panels = [Panel(visit, _draw_questions, ("draft", "decision"))]
    with box("mi-two"):
        panels.append(Panel(visit, _draw_schedules, ("schedule",)))
        panels.append(Panel(visit, _draw_tasks, ("task",)))
    panels.append(Panel(visit, _draw_imported))
    panels.append(Panel(visit, _draw_next_days, ("schedule",)))
    for each in panels:
        await each.show()


async def _draw_questions(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit = panel.visit
    if visit.me is None:
        return
    found = await open_questions.list_open_questions(visit.office, actor, place, visit.me)
    if found:
        with card("等你回答"):
            for each in found:
                _draw_question(panel, each)


def yes_answers(question: str) -> bool:
    """True if a bare yes is an answer: 早上还是晚上？ takes none."""
    return _YES.search(question) is not None or _CHOICE.search(question) is None


def _draw_question(panel: Panel, each: QuestionView) -> None:
    visit = panel.visit

    async def say(words: str) -> None:
        async def send_answer(write: Write, place: Conversation) -> None:
            name = await visit.office.name_of(place, each.user_id)
            answer = await visit.backend.ask(place.peer, each.user_id, name, words)
            show_notice(answer.reply or "好")

        if words:
            await panel.perform(send_answer)

    with box("mi-list"):
        for line in each.question.splitlines():
            text(line)
        with box("mi-row"):
            if yes_answers(each.question):
                button("确认", lambda: say("确认"), "mi-primary")
            button("不要了", lambda: say("不要了"))
            answer_line("或者直接回答", "回答", say, 200)


async def _draw_schedules(panel: Panel, actor: Actor, place: Conversation) -> None:
    now = panel.visit.office.now()
    first = now.replace(hour=0, minute=0, second=0, microsecond=0)
    page = await schedules.list_times(
        panel.visit.office, place, since=first, until=first + timedelta(days=1), limit=MOST, after=None
    )
    with card("群里今天的日程"):
        if not page.rows:
            empty("今天没有日程。", "下午三点开会")
        with box("mi-list"):
            for time in page.rows:
                _draw_time(time, now.date())


async def _draw_imported(panel: Panel, actor: Actor, place: Conversation) -> None:
    """Draw today's entries of imported calendars."""
    today = panel.visit.office.now().date()
    entries = await load_entries(panel.visit, actor, place, today, today + timedelta(days=1))
    if entries:
        with card("导入的日历，今天"), box("mi-list"):
            for each in entries.get(today, ()):
                draw_entry(each, today)


async def _draw_next_days(panel: Panel, actor: Actor, place: Conversation) -> None:
    """Draw the next seven days, each with its schedules."""
    visit, now = panel.visit, panel.visit.office.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since, until = midnight + timedelta(days=1), midnight + timedelta(days=8)
    page = await schedules.list_times(visit.office, place, since=since, until=until, limit=MOST, after=None)
    times = by_day(page.rows, since.date(), until.date())
    if not times:
        return
    with card("往后七天"):
        for on in sorted(times):
            text(day(on, now.date()), "mi-ondate", "h3")
            with box("mi-list"):
                for time in times[on]:
                    _draw_time(time, on)
        if page.cursor is not None:
            link("还有，到日历里看", f"{visit.root}/calendar", "mi-soft")


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


async def _draw_tasks(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit = panel.visit
    today = visit.office.now().date()
    found: Sequence[TaskRecord] = ()
    if visit.me is not None:
        page = await tasks.list_tasks(
            visit.office,
            actor,
            visit.me,
            group_id=place.peer,
            status="pending",
            last=today + timedelta(days=8),
            limit=MOST,
        )
        found = page.rows
    unsent = await tasks.list_unsent_reminders(visit.office, place)
    with card("我的任务"):
        draw_unsent(unsent)
        if visit.me is None:
            text("先在上面选好是谁的。", "mi-soft")
        elif not found:
            empty("没有要做的事。", "提醒我明早八点带伞")
        with box("mi-list"):
            for task in found:
                _draw_task(visit, task, today)


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
