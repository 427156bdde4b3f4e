"""Hours of a week, on wide screens: occasions are dragged to another hour."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from nicegui import ui

from ....services.schedules.schedules import Time
from ..elements.parts import box, once, text
from ..elements.wording import WEEKDAYS
from .days import DayBar, lasts_days

FIRST, LAST = 8, 21
"""The hours that are always shown."""
May = Callable[[Time], bool]
Drag = Callable[[Time], None]


@dataclass(frozen=True, slots=True)
class WeekActions:
    """Callbacks for an occasion and for a free hour."""

    may: May
    drag: Drag
    drop: Callable[[datetime], Awaitable[None]]
    add: Callable[[date, time | None], Awaitable[None]]


def hours(times: Sequence[Time]) -> range:
    """Hours shown: the usual ones, and those in which an occasion starts."""
    begun = [each.starts_at.hour for each in times if clocked(each)]
    return range(min([FIRST, *begun]), max([LAST, *begun]) + 1)


def clocked(each: Time) -> bool:
    """True if it starts at a clock time, not in a part of the day."""
    return each.schedule.plan.segment != "all_day"


def dropped(each: Time, on: datetime) -> datetime:
    """New start: the hour of the drop, with the old minutes."""
    if not clocked(each):
        return datetime.combine(on.date(), each.starts_at.time(), each.starts_at.tzinfo)
    return on.replace(minute=each.starts_at.minute, second=each.starts_at.second)


def draw_week(
    first: date,
    by_day: Mapping[date, Sequence[Time]],
    lanes: Mapping[date, Sequence[DayBar | None]],
    acts: WeekActions,
) -> None:
    """Draw a week; `acts.drop` gets the hour of a drop, `acts.add` that of a tap."""
    days = [first + timedelta(days=number) for number in range(7)]
    whole = [each for day in days for each in by_day.get(day, ()) if not lasts_days(each)]
    zone = whole[0].starts_at.tzinfo if whole else None
    with box("mi-week") as grid:
        grid.props["aria-hidden"] = "true"  # the list below says the same, with buttons
        text("", "mi-weekday")
        for day, name in zip(days, WEEKDAYS, strict=True):
            text(f"{name} {day.day}", "mi-weekday")
        text("全天", "mi-hour")
        for day in days:
            slot = box("mi-slot mi-allday")
            slot.on("click.self", once(lambda day=day: acts.add(day, None)))
            with slot:
                for bar in lanes.get(day, ()):
                    draw_bar(bar, acts.may, acts.drag)
                for each in by_day.get(day, ()):
                    if not clocked(each) and not lasts_days(each):
                        draw_chip(each, acts.may, acts.drag)
        for hour in hours(whole):
            text(f"{hour:02d}:00", "mi-hour")
            for day in days:
                slot = box("mi-slot")
                slot.on("dragover.prevent", js_handler="() => {}")
                at = datetime.combine(day, time(hour), zone)
                slot.on("drop.prevent", once(lambda at=at: acts.drop(at)))
                slot.on("click.self", once(lambda at=at: acts.add(at.date(), at.time())))
                with slot:
                    for each in by_day.get(day, ()):
                        if clocked(each) and not lasts_days(each) and each.starts_at.hour == hour:
                            draw_chip(each, acts.may, acts.drag)


def draw_chip(each: Time, may: May, drag: Drag) -> None:
    """Draw an occasion of a day, with its clock."""
    gone = each.exception == "cancelled"
    begins = f"{each.starts_at:%H:%M} " if each.schedule.plan.segment is None else ""
    chip = text(f"{begins}{each.schedule.description}", f"mi-chip {'gone' if gone else ''}", "span")
    if not gone and may(each):
        _make_draggable(chip, each, drag)


def draw_bar(bar: DayBar | None, may: May, drag: Drag) -> None:
    """Draw a day of an event of several; an empty lane keeps the place."""
    if bar is None:
        box("mi-bar none", "span")
        return
    gone = bar.time.exception == "cancelled"
    name = bar.time.schedule.description if bar.named else ""
    classes = f"mi-bar {bar.part} {'gone' if gone else ''} {'named' if bar.named else ''}"
    drawn = text(name or "\u00a0", classes, "span")
    if bar.named:
        drawn.style(f"--mi-days: {bar.named}")
    if not gone and bar.part == "first" and may(bar.time):
        _make_draggable(drawn, bar.time, drag)


def _make_draggable(element: ui.element, time: Time, drag: Drag) -> None:
    element.props["draggable"] = "true"
    element.on("dragstart", lambda _: drag(time))
