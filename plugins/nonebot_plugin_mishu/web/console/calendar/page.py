"""日历: month, week and list; what repeats, what was moved or called off; lunar dates and days off."""

from __future__ import annotations

import calendar as months
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from functools import partial
from typing import Any, Final, Literal

from nicegui import ui

from ....services.access.actor import Actor
from ....services.refusals import Refused
from ....services.schedules import schedules
from ....services.schedules.days import note_day
from ....services.schedules.phrases import describe_schedule_recurrence, part_of_day
from ....services.schedules.schedules import Time
from ....services.sentences import ProposedItem
from ....storage.records import Conversation
from ..elements.panel import Panel, new_origin
from ..elements.parts import (
    await_answer,
    box,
    button,
    card,
    empty,
    form,
    heading,
    once,
    refuse,
    sheet,
    tabs,
    text,
)
from ..elements.person import ask_person
from ..elements.sentence import SentenceBox
from ..elements.undo_bar import perform_undoable
from ..elements.wording import WEEKDAYS, ahead, day, span
from ..shell.visit import Visit
from .days import DayBar, bars, by_day, last_day, lasts_days
from .form import FormValues, ScheduleForm, initial_values
from .free import draw_free_times
from .imported import Entries, ImportedTime, draw_entry, load_entries
from .week import WeekActions, draw_bar, draw_chip, draw_week, dropped

View = Literal["month", "week", "list"]
VIEWS: Final[dict[View, str]] = {"month": "月", "week": "周", "list": "列表"}
MOST: Final = 200
MOST_PAGES: Final = 10
_CHIPS: Final = 3
_DAY: Final = 1440
_TO_DAY: Final = (
    "[...document.querySelectorAll('[data-day=\"%s\"]')].find(e => e.checkVisibility())"
    "?.scrollIntoView({block: 'nearest'})"
)


@dataclass
class CalendarState:
    """State of the page."""

    view: View
    day: date
    """The day that is chosen; its month or week is shown."""
    dragged: Time | None = None
    """The occasion being dragged to another day."""


async def draw_calendar_page(visit: Visit) -> None:
    state = CalendarState("month", visit.office.now().date())

    async def kept(item: ProposedItem) -> None:
        begins = item.fields.get("starts_at")
        if isinstance(begins, datetime):
            await _show_day(state, panel, begins.astimezone(visit.office.zone).date())

    await SentenceBox(visit, kept=kept).show()
    panel = Panel(
        visit, lambda panel, actor, place: _draw_calendar(panel, actor, place, state), ("schedule",)
    )
    await panel.show()
    await Panel(visit, draw_free_times, ("schedule", "task")).show()


async def _show_day(state: CalendarState, panel: Panel, on: date | None) -> None:
    """Show the day on which something was put, if it was; on a phone its card stands below the month."""
    if on is None:
        return
    if state.view != "list":
        state.day = on
    await panel.show()
    _scroll_to(on)


def _scroll_to(on: date) -> None:
    ui.run_javascript(_TO_DAY % on.isoformat())


def _bounds(state: CalendarState) -> tuple[date, date]:
    """The first day shown, and the first day after it."""
    if state.view == "week":
        first = state.day - timedelta(days=state.day.weekday())
        return first, first + timedelta(days=7)
    if state.view == "list":
        return state.day, state.day + timedelta(days=60)
    month = state.day.replace(day=1)
    first = month - timedelta(days=month.weekday())
    length = months.monthrange(month.year, month.month)[1]
    weeks = (month.weekday() + length + 6) // 7
    return first, first + timedelta(days=7 * weeks)


async def _list_times(visit: Visit, place: Conversation, first: date, last: date) -> list[Time]:
    zone = visit.office.zone
    found: list[Time] = []
    after = None
    for _ in range(MOST_PAGES):
        page = await schedules.list_times(
            visit.office,
            place,
            since=datetime.combine(first, clock.min, zone),
            until=datetime.combine(last, clock.min, zone),
            limit=MOST,
            after=after,
        )
        found += page.rows
        if page.cursor is None:
            break
        after = schedules.time_key(page.rows[-1])
    return found


async def _draw_calendar(panel: Panel, actor: Actor, place: Conversation, state: CalendarState) -> None:
    visit = panel.visit
    first, last = _bounds(state)
    times = by_day(await _list_times(visit, place, first, last), first, last)
    entries = await load_entries(visit, actor, place, first, last)
    today = visit.office.now().date()

    async def show(view: View | None = None, at: date | None = None) -> None:
        state.view, state.day = view or state.view, at or state.day
        await panel.show()

    async def add_schedule(on: date) -> None:
        await _show_day(state, panel, await add_on(visit, on))

    with box("mi-row mi-between"):
        with box("mi-row tight"):
            button("", lambda: show(at=_turn_page(state, -1)), title="往前", sign="chevron_left")
            heading(_format_title(state))
            button("", lambda: show(at=_turn_page(state, 1)), title="往后", sign="chevron_right")
            button("今天", lambda: show(at=today))
        with box("mi-row tight"):
            tabs(VIEWS, state.view, show)
    if state.view != "list":
        _draw_grid(panel, state, times, entries, today)
    shown = [state.day] if state.view == "month" else sorted(times.keys() | entries.keys())
    for on in shown:
        title = _form_title(on)
        add = partial(button, "添一个", lambda on=on: add_schedule(on), mark="add", title=title)
        with card(day(on, today), add) as element:
            element.props["data-day"] = on.isoformat()
            if not times.get(on) and not entries.get(on):
                empty("这天没有日程。", f"{on.month}月{on.day}日下午三点开会")
            with box("mi-list"):
                for time in times.get(on, ()):
                    _draw_time(panel, state, time, on)
                for entry in entries.get(on, ()):
                    draw_entry(entry, on)
    if not shown:
        empty("没有日程。", "明天下午三点开会")


def _turn_page(state: CalendarState, way: int) -> date:
    if state.view == "week":
        return state.day + timedelta(days=7 * way)
    if state.view == "list":
        return state.day + timedelta(days=60 * way)
    month = state.day.replace(day=1)
    return (month + timedelta(days=31 if way > 0 else -1)).replace(day=1)


def _format_title(state: CalendarState) -> str:
    if state.view == "month":
        return f"{state.day.year}年{state.day.month}月"
    first, _ = _bounds(state)
    return f"{first.month}月{first.day}日起"


def _draw_grid(
    panel: Panel, state: CalendarState, times: dict[date, list[Time]], entries: Entries, today: date
) -> None:
    visit = panel.visit
    first, last = _bounds(state)

    def drag(time: Time) -> None:
        state.dragged = time

    async def drop(on: date) -> None:
        time, state.dragged = state.dragged, None
        if time is not None and time.starts_at.date() != on:
            start = datetime.combine(on, time.starts_at.time(), time.starts_at.tzinfo)
            if await move(visit, time, {"starts_at": start}):
                await _show_day(state, panel, on)

    async def drop_at(at: datetime) -> None:
        time, state.dragged = state.dragged, None
        if time is not None and (start := dropped(time, at)) != time.starts_at:
            await move(visit, time, {"starts_at": start})

    async def add(on: date, at: clock | None = None) -> None:
        await _show_day(state, panel, await add_on(visit, on, at))

    async def choose(on: date) -> None:
        if on == state.day and visit.me is not None:
            await add(on)
        else:
            state.day = on
            await panel.show()
            _scroll_to(on)

    lanes = bars(times, first, last)
    if state.view == "week":
        acts = WeekActions(lambda time: may_change(visit, time), drag, drop_at, add)
        draw_week(first, times, lanes, acts)
    with box(f"mi-month {'mi-strip' if state.view == 'week' else ''}"):
        for name in WEEKDAYS:
            text(name, "mi-weekday")
        for number in range((last - first).days):
            each = first + timedelta(days=number)
            classes = "mi-day"
            if state.view == "month" and each.month != state.day.month:
                classes += " out"
            classes += " today" if each == today else ""
            classes += " on" if each == state.day else ""
            cell = box(classes, "button")
            cell.props["type"] = "button"
            here, imported = times.get(each, []), entries.get(each, ())
            cell.props["aria-label"] = f"{each.month}月{each.day}日，{len(here) + len(imported)} 个日程"
            cell.on("click", once(lambda each=each: choose(each)))
            cell.on("dragover.prevent", js_handler="() => {}")
            cell.on("drop.prevent", once(lambda each=each: drop(each)))
            with cell:
                _draw_cell(each, here, imported, lanes.get(each, ()), drag, visit)


def _draw_cell(
    each: date,
    times: list[Time],
    entries: Sequence[ImportedTime],
    rows: Sequence[DayBar | None],
    drag: Callable[[Time], None],
    visit: Visit,
) -> None:
    said = note_day(each)
    with box("mi-row tight"):
        text(str(each.day), "mi-number", "span")
        if said.rest or said.works:
            text("休" if said.rest else "班", f"mi-lunar {'mi-rest' if said.rest else 'mi-works'}", "span")
    text(said.lunar, "mi-lunar", "span")
    for bar in rows:
        draw_bar(bar, lambda time: may_change(visit, time), drag)
    single = [time for time in times if not lasts_days(time)]
    with box("mi-dots", "span"):
        for _ in [*single, *entries][:5]:
            box("mi-dot", "span")
    most = max(1, _CHIPS - len(rows))
    for time in single[:most]:
        draw_chip(time, lambda time: may_change(visit, time), drag)
    room = max(0, most - len(single))
    for entry in entries[:room]:
        text(entry.times.title, "mi-chip mi-soft", "span")
    if left := len(single[most:]) + len(entries[room:]):
        text(f"还有 {left} 个", "mi-chip mi-soft", "span")


def _draw_time(panel: Panel, state: CalendarState, time: Time, on: date) -> None:
    async def edit_time() -> None:
        await _show_day(state, panel, await _edit(visit, time))

    visit, plan = panel.visit, time.schedule.plan
    gone = time.exception == "cancelled"
    with box(f"mi-item mi-stack {'gone' if gone else ''}"):
        text(when_on(time, on), "mi-when")
        with box("mi-what"):
            text(plan.description)
            text(" · ".join(_describe_details(visit, time)), "mi-soft")
        if time.exception is not None:
            text("改过时间" if time.exception == "moved" else "这次取消", "mi-tag warn")
        if not gone and may_change(visit, time):
            with box("mi-acts"):
                button("改", edit_time, title=f"改：{plan.description}")
                button("删", lambda: _delete(visit, time), "mi-danger", title=f"删：{plan.description}")


def when_on(time: Time, on: date) -> str:
    """Clock of an occasion on a day; of several days the number of that day."""
    segment = time.schedule.plan.segment
    if lasts_days(time):
        days = (last_day(time) - time.starts_at.date()).days + 1
        return f"第 {(on - time.starts_at.date()).days + 1}/{days} 天"
    return part_of_day(segment) or span(time.starts_at, time.ends_at, all_day=segment == "all_day")


def _describe_details(visit: Visit, time: Time) -> list[str]:
    """Details below the description: end, recurrence, reminder, people, place."""
    plan = time.schedule.plan
    found: list[str] = []
    if lasts_days(time):
        over = last_day(time)
        begun = time.starts_at
        found.append(f"{begun.month}月{begun.day}日到{over.month}月{over.day}日")
    if repeats := describe_schedule_recurrence(plan):
        until = date.fromisoformat(plan.until) if plan.until else None
        ends = f"，到{until.month}月{until.day}日为止" if until is not None else ""
        found.append(f"{repeats}{ends}")
    if plan.place:
        found.append(plan.place)
    leads = (plan.lead_minutes, *plan.further_leads)
    usual = visit.office.config.schedule.remind_before
    if plan.segment == "all_day" and all((each or 0) < _DAY for each in leads):
        found.append("当天早上提醒")
    else:
        found.append("、".join(ahead(usual if each is None else each) for each in leads))
    if plan.everybody or plan.to_group:
        found.append("提醒全体" if plan.everybody else "提醒大家")
    if time.schedule.creator:
        found.append(f"{time.schedule.creator}建的")
    if time.schedule.joined:
        found.append(f"参加：{'、'.join(each.name for each in time.schedule.joined)}")
    return found


def may_change(visit: Visit, time: Time) -> bool:
    """True if the visitor may change it: its creator, or whoever governs the group."""
    return visit.governs or time.schedule.created_by == visit.me


async def _ask_scope(time: Time) -> datetime | Literal["all"] | None:
    """This occasion or the whole series; None: neither."""
    if time.schedule.plan.recurrence is None:
        return "all"
    with sheet("这是重复的日程，动哪些？") as dialog:
        button("只这一次", lambda: dialog.submit("once"), "mi-primary", mark="once")
        button("每一次", lambda: dialog.submit("all"), mark="all")
        button("算了", lambda: dialog.submit(None))
    answer = await await_answer(dialog)
    return time.starts_at if answer == "once" else "all" if answer == "all" else None


async def move(visit: Visit, time: Time, fields: dict[str, Any]) -> bool:
    """Change one occasion, or the series; a change of the recurrence is of the series."""
    plan = time.schedule.plan
    every = plan.recurrence is not None and fields.keys() & {"recurrence", "until"}
    which = "all" if every else await _ask_scope(time)
    if which is None:
        return False
    if which == "all" and plan.recurrence is not None and "starts_at" in fields:
        start = plan.begins + (fields["starts_at"] - time.starts_at)
        lasts = None if fields.get("ends_at") is None else fields["ends_at"] - fields["starts_at"]
        fields = {**fields, "starts_at": start}
        if "ends_at" in fields:
            fields["ends_at"] = None if lasts is None else start + lasts

    return await perform_undoable(
        visit,
        lambda write, place: schedules.update_schedule(
            visit.office, write, place, time.schedule.id, fields, None if which == "all" else which
        ),
        f"改好了：{fields.get('description') or plan.description}",
    )


async def add_on(visit: Visit, on: date, at: clock | None = None) -> date | None:
    """Form for a new schedule of a day; returns its day, None where none was created."""
    if visit.me is None and not await ask_person(visit):
        return None
    asks = _make_form(visit, FormValues(day=on, start="" if at is None else f"{at:%H:%M}"))
    origin = new_origin()
    begins: list[date] = []

    async def make() -> bool:
        try:
            fields = {name: value for name, value in asks.fields().items() if value is not None}
        except Refused as why:
            refuse(why)
            return False
        begins[:] = [fields["starts_at"].date()]
        return await perform_undoable(
            visit,
            lambda write, place: schedules.create_schedule(visit.office, write, place, fields),
            f"记下了：{fields.get('description', '')}",
            origin=origin,
        )

    return begins[0] if await form(_form_title(on), asks.draw, make) else None


def _form_title(on: date) -> str:
    return f"添日程：{on.month}月{on.day}日"


def _make_form(visit: Visit, kept: FormValues) -> ScheduleForm:
    usual = visit.office.config.schedule.remind_before
    return ScheduleForm(kept, visit.office.zone, usual, governs=visit.governs)


async def _delete(visit: Visit, time: Time) -> None:
    which = await _ask_scope(time)
    if which is None:
        return
    await perform_undoable(
        visit,
        lambda write, place: schedules.delete_schedule(
            visit.office, write, place, time.schedule.id, None if which == "all" else which
        ),
        f"删掉了：{time.schedule.description}",
    )


async def _edit(visit: Visit, time: Time) -> date | None:
    """Form for a change; returns the day to which it was moved, if it was."""
    asks = _make_form(visit, initial_values(time))
    begins: list[date] = []

    async def keep() -> bool:
        try:
            fields = asks.fields()
        except Refused as why:
            refuse(why)
            return False
        begins[:] = [fields["starts_at"].date()] if "starts_at" in fields else []
        return not fields or await move(visit, time, fields)

    return begins[0] if await form("改日程", asks.draw, keep) and begins else None
