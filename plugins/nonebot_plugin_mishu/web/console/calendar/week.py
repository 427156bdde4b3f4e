"""The hours of a week, on screens that are wide enough: what is there is dragged to another hour."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from ....services.schedules.schedules import Time
from ..elements.parts import box, once, text
from ..elements.wording import WEEKDAYS
from .days import Bar, lasts_days

FIRST, LAST = 8, 21
"""The hours that are always shown."""
May = Callable[[Time], bool]
Drag = Callable[[Time], None]


@dataclass(frozen=True, slots=True)
class Acts:
    """What may be done with what is there, and with an hour that is free."""

    may: May
    drag: Drag
    drop: Callable[[datetime], Awaitable[None]]
    add: Callable[[date, time | None], Awaitable[None]]


_HOURLESS: Final = "全天"


def hours(times: Sequence[Time]) -> range:
    """Which hours are shown: the usual ones, and those in which something begins."""
    begun = [each.starts_at.hour for each in times if clocked(each)]
    return range(min([FIRST, *begun]), max([LAST, *begun]) + 1)


def clocked(each: Time) -> bool:
    """Whether it begins at a clock, and not some time of its day."""
    return each.schedule.plan.segment != "all_day"


def dropped(each: Time, on: datetime) -> datetime:
    """When it begins from now on: in the hour where it was let go, its minutes as they were."""
    if not clocked(each):
        return datetime.combine(on.date(), each.starts_at.time(), each.starts_at.tzinfo)
    return on.replace(minute=each.starts_at.minute, second=each.starts_at.second)


def week(
    first: date, by_day: Mapping[date, Sequence[Time]], lanes: Mapping[date, Sequence[Bar | None]], acts: Acts
) -> None:
    """Draw it; `acts.drop` gets the hour on which something was let go, `acts.add` one that was tapped."""
    days = [first + timedelta(days=number) for number in range(7)]
    whole = [each for day in days for each in by_day.get(day, ()) if not lasts_days(each)]
    with box("mi-week") as grid:
        grid.props["aria-hidden"] = "true"  # the list below says the same, with buttons
        text("", "mi-weekday")
        for day, name in zip(days, WEEKDAYS, strict=True):
            text(f"{name} {day.day}", "mi-weekday")
        text(_HOURLESS, "mi-hour")
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
                slot.on("drop.prevent", once(lambda day=day, hour=hour: acts.drop(_at(day, hour, whole))))
                slot.on("click.self", once(lambda day=day, hour=hour: acts.add(day, time(hour))))
                with slot:
                    for each in by_day.get(day, ()):
                        if clocked(each) and not lasts_days(each) and each.starts_at.hour == hour:
                            draw_chip(each, acts.may, acts.drag)


def _at(day: date, hour: int, times: Sequence[Time]) -> datetime:
    return datetime.combine(day, time(hour), times[0].starts_at.tzinfo if times else None)


def draw_chip(each: Time, may: May, drag: Drag) -> None:
    """One thing of a day, with its clock."""
    gone = each.exception == "cancelled"
    begins = f"{each.starts_at:%H:%M} " if each.schedule.plan.segment is None else ""
    chip = text(f"{begins}{each.schedule.description}", f"mi-chip {'gone' if gone else ''}", "span")
    if not gone and may(each):
        chip.props["draggable"] = "true"
        chip.on("dragstart", lambda _: drag(each))


def draw_bar(bar: Bar | None, may: May, drag: Drag) -> None:
    """A day of something that lasts several; an empty lane keeps the place."""
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
        drawn.props["draggable"] = "true"
        drawn.on("dragstart", lambda _: drag(bar.time))
