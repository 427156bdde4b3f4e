"""The hours of a week, on screens that are wide enough: what is there is dragged to another hour."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final

from ...operations.schedules import Time
from .parts import box, once, text
from .wording import WEEKDAYS

FIRST, LAST = 8, 21
"""The hours that are always shown."""
May = Callable[[Time], bool]
Drag = Callable[[Time], None]
Drop = Callable[[datetime], Awaitable[None]]
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


def week(first: date, by_day: Mapping[date, Sequence[Time]], may: May, drag: Drag, drop: Drop) -> None:
    """Draw it; `drop` gets the hour on which something was let go."""
    days = [first + timedelta(days=number) for number in range(7)]
    whole = [each for day in days for each in by_day.get(day, ())]
    with box("mi-week") as grid:
        grid.props["aria-hidden"] = "true"  # the list below says the same, with buttons
        text("", "mi-weekday")
        for day, name in zip(days, WEEKDAYS, strict=True):
            text(f"{name} {day.day}", "mi-weekday")
        text(_HOURLESS, "mi-hour")
        for day in days:
            with box("mi-slot"):
                _chips([each for each in by_day.get(day, ()) if not clocked(each)], may, drag)
        for hour in hours(whole):
            text(f"{hour:02d}:00", "mi-hour")
            for day in days:
                slot = box("mi-slot")
                slot.on("dragover.prevent", js_handler="() => {}")
                slot.on("drop.prevent", once(lambda day=day, hour=hour: drop(_at(day, hour, whole))))
                here = [each for each in by_day.get(day, ()) if clocked(each) and each.starts_at.hour == hour]
                with slot:
                    _chips(here, may, drag)


def _at(day: date, hour: int, times: Sequence[Time]) -> datetime:
    return datetime.combine(day, time(hour), times[0].starts_at.tzinfo if times else None)


def _chips(times: Sequence[Time], may: May, drag: Drag) -> None:
    for each in times:
        gone = each.exception == "cancelled"
        clock = f"{each.starts_at:%H:%M} " if clocked(each) else ""
        chip = text(f"{clock}{each.schedule.description}", f"mi-chip {'gone' if gone else ''}", "span")
        if not gone and may(each):
            chip.props["draggable"] = "true"
            chip.on("dragstart", lambda _, each=each: drag(each))
