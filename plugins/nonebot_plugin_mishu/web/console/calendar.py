"""日历: month, week and list; what repeats, what was moved or called off; lunar dates and days off."""

from __future__ import annotations

import calendar as months
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final, Literal
from uuid import uuid4

from nicegui import ui

from ...operations import schedules
from ...operations.actor import Actor
from ...operations.days import note
from ...operations.schedules import Time
from ...storage.records import Conversation
from .calendar_week import dropped, week
from .panel import Draw, Panel, doing
from .parts import answered, box, button, empty, field, form, heading, once, sheet, tell, text
from .sentence import SentenceBox
from .visit import Visit
from .wording import WEEKDAYS, day, span

View = Literal["month", "week", "list"]
VIEWS: Final[dict[View, str]] = {"month": "月", "week": "周", "list": "列表"}
MOST: Final = 200
MOST_PAGES: Final = 10
_CHIPS: Final = 3


@dataclass
class CalendarState:
    """What is shown."""

    view: View
    day: date
    """The day that is chosen; its month or week is shown."""
    dragged: Time | None = None
    """What is being dragged to another day."""


async def page(visit: Visit) -> None:
    """Draw it."""
    state = CalendarState("month", visit.office.now().date())
    SentenceBox(visit)

    def load(_: Actor, place: Conversation) -> Awaitable[Draw]:
        return _load(visit, place, state, panel)

    panel = Panel(visit, load, ("schedule",))
    await panel.show()


def _bounds(state: CalendarState) -> tuple[date, date]:
    """The first day that is shown, and the first that is not any more."""
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


async def _times(visit: Visit, place: Conversation, first: date, last: date) -> list[Time]:
    zone = visit.office.zone
    found: list[Time] = []
    after = None
    for _ in range(MOST_PAGES):
        page = await schedules.expanded(
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


async def _load(visit: Visit, place: Conversation, state: CalendarState, panel: Panel) -> Draw:
    first, last = _bounds(state)
    found = await _times(visit, place, first, last)
    by_day: dict[date, list[Time]] = {}
    for each in found:
        by_day.setdefault(each.starts_at.date(), []).append(each)
    today = visit.office.now().date()

    async def show(view: View | None = None, at: date | None = None) -> None:
        state.view, state.day = view or state.view, at or state.day
        await panel.show()

    def draw() -> None:
        with box("mi-row mi-between"):
            with box("mi-row tight"):
                button("", lambda: show(at=_turned(state, -1)), title="往前", sign="chevron_left")
                heading(_titled(state))
                button("", lambda: show(at=_turned(state, 1)), title="往后", sign="chevron_right")
                button("今天", lambda: show(at=today))
            with box("mi-row tight"):
                for view, name in VIEWS.items():
                    element = button(
                        name, lambda view=view: show(view), "mi-on" if view == state.view else ""
                    )
                    element.props["aria-pressed"] = "true" if view == state.view else "false"
        if state.view != "list":
            _grid(visit, state, first, last, by_day, today, show)
        shown = [state.day] if state.view == "month" else sorted(by_day)
        for each in shown:
            with box("mi-card"):
                heading(day(each, today))
                if not by_day.get(each):
                    empty("这天没有日程。", f"{each.month}月{each.day}日下午三点开会")
                with box("mi-list"):
                    for time in by_day.get(each, ()):
                        _time(visit, time)
        if not shown:
            empty("没有日程。", "明天下午三点开会")

    return draw


def _turned(state: CalendarState, way: int) -> date:
    if state.view == "week":
        return state.day + timedelta(days=7 * way)
    if state.view == "list":
        return state.day + timedelta(days=60 * way)
    month = state.day.replace(day=1)
    return (
        (month + timedelta(days=31)).replace(day=1) if way > 0 else (month - timedelta(days=1)).replace(day=1)
    )


def _titled(state: CalendarState) -> str:
    if state.view == "month":
        return f"{state.day.year}年{state.day.month}月"
    first, _ = _bounds(state)
    return f"{first.month}月{first.day}日起"


def _grid(
    visit: Visit,
    state: CalendarState,
    first: date,
    last: date,
    by_day: dict[date, list[Time]],
    today: date,
    show: Any,
) -> None:
    async def drop(on: date) -> None:
        time, state.dragged = state.dragged, None
        if time is not None and time.starts_at.date() != on:
            start = datetime.combine(on, time.starts_at.time(), time.starts_at.tzinfo)
            await move(visit, time, {"starts_at": start})

    def drag(time: Time) -> None:
        state.dragged = time

    async def let_go(on: datetime) -> None:
        time, state.dragged = state.dragged, None
        if time is not None and (start := dropped(time, on)) != time.starts_at:
            await move(visit, time, {"starts_at": start})

    if state.view == "week":
        week(first, by_day, lambda time: may(visit, time), drag, let_go)
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
            times = by_day.get(each, [])
            cell.props["aria-label"] = f"{each.month}月{each.day}日，{len(times)} 个日程"
            cell.on("click", once(lambda each=each: show(at=each)))
            cell.on("dragover.prevent", js_handler="() => {}")
            cell.on("drop.prevent", once(lambda each=each: drop(each)))
            with cell:
                _cell(each, times, state, visit)


def _cell(each: date, times: list[Time], state: CalendarState, visit: Visit) -> None:
    said = note(each)
    with box("mi-row tight"):
        text(str(each.day), "mi-number", "span")
        if said.rest or said.works:
            text("休" if said.rest else "班", f"mi-lunar {'mi-rest' if said.rest else 'mi-works'}", "span")
    text(said.lunar, "mi-lunar", "span")
    with box("mi-dots", "span"):
        for _ in times[:5]:
            box("mi-dot", "span")
    for time in times[:_CHIPS]:
        gone = time.exception == "cancelled"
        chip = text(time.schedule.description, f"mi-chip {'gone' if gone else ''}", "span")
        if not gone and may(visit, time):
            chip.props["draggable"] = "true"
            chip.on("dragstart", lambda _, time=time: setattr(state, "dragged", time))
    if len(times) > _CHIPS:
        text(f"还有 {len(times) - _CHIPS} 个", "mi-chip mi-soft", "span")


def _time(visit: Visit, time: Time) -> None:
    plan = time.schedule.plan
    gone = time.exception == "cancelled"
    with box(f"mi-item {'gone' if gone else ''}"):
        text(span(time.starts_at, time.ends_at, all_day=plan.segment == "all_day"), "mi-when")
        with box("mi-what"):
            text(plan.description)
            more = [plan.place, "重复" if plan.recurrence else None, time.schedule.creator or None]
            joined = [each.name for each in time.schedule.joined]
            if joined:
                more.append(f"参加：{'、'.join(joined)}")
            text(" · ".join(each for each in more if each), "mi-soft")
        if time.exception is not None:
            text("改过时间" if time.exception == "moved" else "这次取消", "mi-tag warn")
        if not gone and may(visit, time):
            button("改", lambda: _edit(visit, time), title=f"改：{plan.description}")
            button("删", lambda: _remove(visit, time), "mi-danger", title=f"删：{plan.description}")


def may(visit: Visit, time: Time) -> bool:
    """Whether who looks may change it: who made it, and who governs the group."""
    return visit.governs or time.schedule.created_by == visit.me


async def _which(time: Time) -> datetime | Literal["all"] | None:
    """This one or all of what repeats; None: neither."""
    if time.schedule.plan.recurrence is None:
        return "all"
    with sheet("这是重复的日程，动哪些？") as dialog:
        button("只这一次", lambda: dialog.submit("once"), "mi-primary", mark="once")
        button("每一次", lambda: dialog.submit("all"), mark="all")
        button("算了", lambda: dialog.submit(None))
    answer = await answered(dialog)
    return time.starts_at if answer == "once" else "all" if answer == "all" else None


async def move(visit: Visit, time: Time, fields: dict[str, Any]) -> bool:
    """Change one time of it, or all."""
    which = await _which(time)
    if which is None:
        return False
    origin = f"web:{uuid4().hex}"
    if which == "all" and time.schedule.plan.recurrence is not None and "starts_at" in fields:
        plan = time.schedule.plan
        fields = {**fields, "starts_at": plan.begins + (fields["starts_at"] - time.starts_at)}

    async def work(actor: Actor, place: Conversation, yes: bool) -> None:
        await schedules.change(
            visit.office,
            actor,
            place,
            time.schedule.id,
            fields,
            origin=origin,
            occurrence=None if which == "all" else which,
            user_id=visit.me,
            confirm=yes,
        )

    return await doing(visit, work, "改好了")


async def _remove(visit: Visit, time: Time) -> None:
    which = await _which(time)
    if which is None:
        return
    origin = f"web:{uuid4().hex}"

    async def work(actor: Actor, place: Conversation, yes: bool) -> None:
        await schedules.remove(
            visit.office,
            actor,
            place,
            time.schedule.id,
            origin=origin,
            occurrence=None if which == "all" else which,
            user_id=visit.me,
            confirm=yes,
        )

    await doing(visit, work, "删掉了")


async def _edit(visit: Visit, time: Time) -> None:
    plan = time.schedule.plan
    inputs: dict[str, ui.input] = {}

    def draw() -> None:
        inputs["description"] = field("什么事", plan.description, mark="description")
        inputs["date"] = field("哪天", time.starts_at.date().isoformat(), kind="date", mark="date")
        if plan.segment != "all_day":
            inputs["time"] = field("几点", f"{time.starts_at:%H:%M}", kind="time", mark="time")
        inputs["place"] = field("地点", plan.place or "", mark="place", longest=100)

    await form("改日程", draw, lambda: _changed(visit, time, inputs))


async def _changed(visit: Visit, time: Time, inputs: Mapping[str, ui.input]) -> bool:
    plan = time.schedule.plan
    said = {name: str(each.value or "").strip() for name, each in inputs.items()}
    fields: dict[str, Any] = {}
    if said["description"] != plan.description:
        fields["description"] = said["description"]
    if said["place"] != (plan.place or ""):
        fields["place"] = said["place"] or None
    try:
        at = (
            clock.fromisoformat(said["time"])
            if "time" in said
            else time.starts_at.timetz().replace(tzinfo=None)
        )
        start = datetime.combine(date.fromisoformat(said["date"]), at, time.starts_at.tzinfo)
    except ValueError:
        tell("日期或时间不对", bad=True)
        return False
    if start.replace(second=0) != time.starts_at.replace(second=0):
        fields["starts_at"] = start
    return not fields or await move(visit, time, fields)
