"""Entries as an iCalendar file (RFC 5545), which any calendar program subscribes to or imports.

What no rule of the standard can say (workdays by the published holidays, lunar days) is written out date by
date. A part of the day is floating time: 下午 is 下午 wherever it is read. The library is imported when the
first file is wanted: it takes half a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from ...language.recognise.times import Recurrence, occurrences
from .entries import DayEntry

PRODUCT = "-//Mishu//nonebot-plugin-mishu//ZH"
WRITTEN_OUT = 260
"""Occurrences of a recurrence that has no rule: a year of workdays."""
_RULES = {"minutely", "hourly", "daily", "weekly", "monthly", "yearly"}


def calendar_bytes(name: str, entries: Iterable[DayEntry], now: float) -> bytes:
    """The file. `now` (wall seconds) is when it was made."""
    icalendar: Any = import_module("icalendar")
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for entry in entries:
        calendar.add_component(_build_event(icalendar, entry, datetime.fromtimestamp(now, UTC)))
    calendar.add_missing_timezones()
    return calendar.to_ical()


def _build_event(icalendar: Any, entry: DayEntry, stamp: datetime) -> Any:
    event = icalendar.Event()
    event.add("uid", f"{entry.kind}-{entry.id}@mishu")
    event.add("dtstamp", stamp)
    event.add("summary", entry.title)
    event.add("dtstart", _entry_moment(entry, entry.start))
    if entry.end is not None and entry.end > entry.start:
        event.add("dtend", _entry_moment(entry, entry.end))
    if entry.place:
        event.add("location", entry.place)
    if entry.details:
        event.add("description", entry.details)
    if entry.recurrence is not None:
        _add_recurrence(event, entry, entry.recurrence)
    if entry.lead_minutes is not None:
        alarm = icalendar.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", entry.title)
        alarm.add("trigger", timedelta(minutes=-entry.lead_minutes))
        event.add_component(alarm)
    return event


def _entry_moment(entry: DayEntry, wall: datetime) -> Any:
    if entry.all_day:
        return wall.date()
    return wall if entry.part else wall.replace(tzinfo=ZoneInfo(entry.zone))


def _add_recurrence(event: Any, entry: DayEntry, kept: dict[str, Any]) -> None:
    left_out = [datetime.combine(day, entry.start.time()) for day in Recurrence.kept(kept).without]
    if left_out:
        event.add("exdate", [_entry_moment(entry, each) for each in left_out])
    if kept["freq"] in _RULES:
        event.add("rrule", rule(kept, entry))
        return
    start = entry.start.replace(tzinfo=ZoneInfo(entry.zone))
    coming = occurrences(Recurrence.kept(kept), start, after=start, until=entry.until)
    written = [_entry_moment(entry, each.at.replace(tzinfo=None)) for each in islice(coming, WRITTEN_OUT)]
    if written:
        event.add("rdate", written)


def rule(kept: dict[str, Any], entry: DayEntry) -> dict[str, Any]:
    """The RRULE of a recurrence. A day that a month does not have is its last one, as everywhere here."""
    freq: str = kept["freq"]
    parts: dict[str, Any] = {"freq": [freq.upper()], "interval": [kept.get("interval", 1)]}
    if kept.get("byday"):
        parts["byday"] = list(kept["byday"])
    if kept.get("count"):
        parts["count"] = [kept["count"]]
    if freq == "weekly":
        parts["wkst"] = ["MO"]
    if freq in ("monthly", "yearly") and "byday" not in parts:
        day = kept.get("bymonthday") or entry.start.day
        parts["bymonthday"] = [day] if day <= 28 else list(range(28, day + 1))
        if day > 28:
            parts["bysetpos"] = [-1]
    if freq == "yearly":
        parts["bymonth"] = [kept.get("bymonth") or entry.start.month]
    if entry.until is not None:
        end = datetime.combine(entry.until, datetime.max.time().replace(microsecond=0))
        if entry.all_day:
            parts["until"] = [entry.until]
        elif entry.part:
            parts["until"] = [end]
        else:
            parts["until"] = [end.replace(tzinfo=ZoneInfo(entry.zone)).astimezone(UTC)]
    return parts
