"""Times of imported entries within a range, by `recurring-ical-events`. Pure.

A rule without an end is given one behind the range: a rule that never holds (30 February) would else be
tried until the year 9999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from .content_lines import content_line
from .ics import NAMELESS, calendar_text, in_zone, utc_stamp

_BEHIND: Final = timedelta(days=2)
_FREE: Final = "FREE"
_DAY: Final = timedelta(days=1)


class KeptText(Protocol):
    """An entry as it is kept."""

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time of an entry; aware, in the zone asked for. `ends` of a whole day is the midnight behind it."""

    uid: str
    title: str
    place: str | None
    begins: datetime
    ends: datetime
    all_day: bool
    busy: bool


def occurrences(
    header: str, entries: Sequence[KeptText], first: datetime, last: datetime, zone: ZoneInfo
) -> list[Occurrence]:
    """Times that overlap `first` to `last`, by begin. Raises `ImportError` without the extra `import`."""
    icalendar: Any = import_module("icalendar")
    recurring: Any = import_module("recurring_ical_events")
    bounded = [_bounded(each.text, last) for each in entries]
    calendar = icalendar.Calendar.from_ical(calendar_text(header, bounded))
    events: Any = recurring.of(calendar, skip_bad_series=True).between(first - _DAY, last + _DAY)
    found = [
        _occurrence(event, zone) for event in events if str(event.get("STATUS", "")).upper() != "CANCELLED"
    ]
    inside = [each for each in found if _overlaps(each, first, last)]
    return sorted(inside, key=lambda each: (each.begins, each.ends, each.title, each.uid))


def _overlaps(each: Occurrence, first: datetime, last: datetime) -> bool:
    if each.begins == each.ends:
        return first <= each.begins < last
    return each.begins < last and each.ends > first


def _occurrence(event: Any, zone: ZoneInfo) -> Occurrence:
    start: Any = event["DTSTART"].dt
    end: Any = event["DTEND"].dt if "DTEND" in event else start
    begins, ends = in_zone(start, zone).astimezone(zone), in_zone(end, zone).astimezone(zone)
    free = str(event.get("TRANSP", "")).upper() == "TRANSPARENT"
    free = free or str(event.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper() == _FREE
    place = str(event.get("LOCATION", "")) or None
    title = str(event.get("SUMMARY", "")) or NAMELESS
    all_day = not isinstance(start, datetime)
    return Occurrence(str(event.get("UID", "")), title, place, begins, max(begins, ends), all_day, not free)


def _bounded(text: str, last: datetime) -> str:
    """An entry whose rules end behind the range."""
    lines = text.split("\r\n")
    whole_day = any(_is_date(line) for line in lines if line.startswith("DTSTART"))
    end = utc_stamp(last + _BEHIND)
    end = end[:8] if whole_day else end
    floating = any(_is_floating(line) for line in lines if line.startswith("DTSTART"))
    end = end.removesuffix("Z") if floating else end
    return "\r\n".join(_until(line, end) if line.startswith("RRULE") else line for line in lines)


def _is_date(line: str) -> bool:
    read = content_line(line)
    return read is not None and "T" not in read.value


def _is_floating(line: str) -> bool:
    read = content_line(line)
    return read is not None and "TZID" not in read.parameters and not read.value.strip().endswith("Z")


def _until(line: str, end: str) -> str:
    name, _, value = line.partition(":")
    parts = [part for part in value.split(";") if part]
    said = next((part[6:] for part in parts if part.upper().startswith("UNTIL=")), None)
    if said is not None and said[:8] < end[:8]:
        return line
    kept = [part for part in parts if not part.upper().startswith("UNTIL=")]
    return f"{name}:{';'.join([*kept, f'UNTIL={end}'])}"
