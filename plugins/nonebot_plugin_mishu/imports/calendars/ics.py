"""Files of calendars read into entries by UID. Pure.

A file is somebody else's: it may be broken, huge, or made so that working it out never ends. What it may
cost is settled here, before any of it is kept: a rule that repeats within the day, steps by nothing or has
run for centuries is left out and counted, and what is left costs at most `MOST_DAYS` steps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from importlib import import_module
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from .content_lines import Components, ContentLine, components, decoded, escaped_text, plain_text

MOST_BYTES: Final = 5 * 2**20
MOST_ENTRIES: Final = 5000
MOST_ZONES: Final = 100
MOST_DAYS: Final = 2_000_000
"""Days that all repeated entries of a file together may step through, from their first to two years on."""
_AHEAD: Final = timedelta(days=731)
_LONGEST: Final = timedelta(days=366)
_MOST_A_DAY: Final = 24
_TITLE: Final = 200
_PLACE: Final = 100
_STEPS: Final = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
NAMELESS: Final = "（没有名字）"
TOO_LARGE: Final = "这个日历超过 5 MB，太大了，导不进来。"
TOO_MANY: Final = f"这个日历里的日程超过 {MOST_ENTRIES} 个，太多了，导不进来。"
TOO_LONG: Final = "这个日历里的重复日程太多太久，算不过来，没有导入。"
NO_CALENDAR: Final = "这不是日历文件（.ics），或者没下载完整，读不出来。"


class UnreadableCalendar(ValueError):
    """A calendar file cannot be read. The text is a Chinese sentence with the reason."""


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """What one UID is: the event and the times of it that were moved.

    `first_at` and `last_at` (wall seconds) bound when it takes place; `last_at` is None where it has no end.
    `text` is its VEVENTs, with the zones by the names of `ParsedCalendar.header`.
    """

    uid: str
    sequence: int
    title: str
    place: str | None
    text: str
    first_at: float
    last_at: float | None


@dataclass(frozen=True, slots=True)
class ParsedCalendar:
    """A file read. `cancelled` are UIDs that it calls off; `skipped` events could not be taken."""

    name: str
    method: str
    header: str
    entries: tuple[CalendarEntry, ...]
    cancelled: tuple[str, ...]
    skipped: int

    @property
    def invites(self) -> bool:
        """True for an invitation, which says nothing of other entries."""
        return self.method not in ("", "PUBLISH")


def parse_calendar(data: bytes, zone: ZoneInfo, now: datetime) -> ParsedCalendar:
    """A file as entries; times without a zone are in `zone`. Raises `UnreadableCalendar`."""
    if len(data) > MOST_BYTES:
        raise UnreadableCalendar(TOO_LARGE)
    if data.upper().count(b"BEGIN:VEVENT") > MOST_ENTRIES:
        raise UnreadableCalendar(TOO_MANY)
    try:
        found = components(decoded(data))
    except ValueError:
        raise UnreadableCalendar(NO_CALENDAR) from None
    names, zones = _zones(found)
    header = "\r\n".join([*_zone_hint(found.header), *zones])
    by_uid: dict[str, list[Sequence[ContentLine]]] = {}
    for event in found.events:
        by_uid.setdefault(_uid(event), []).append(event)
    entries: list[CalendarEntry] = []
    cancelled: list[str] = []
    skipped, budget = 0, MOST_DAYS
    for uid, events in by_uid.items():
        if found.header.get("METHOD", "").upper() == "CANCEL" or _called_off(events):
            cancelled.append(uid)
            continue
        written = "\r\n".join(_written(each, names) for each in events)
        try:
            entry, cost = _entry(uid, events, header, written, zone, now)
        except (ValueError, OverflowError, KeyError, AttributeError, TypeError):
            skipped += len(events)
            continue
        budget -= cost
        if budget < 0:
            raise UnreadableCalendar(TOO_LONG)
        entries.append(entry)
    name = plain_text(found.header.get("X-WR-CALNAME") or found.header.get("NAME") or "")[:_PLACE]
    method = found.header.get("METHOD", "").upper()
    return ParsedCalendar(name, method, header, tuple(entries), tuple(cancelled), skipped)


def _zone_hint(header: Mapping[str, str]) -> list[str]:
    """The zone that a file is shown in, where it is one (Google writes UTC and names it)."""
    named = known_zone(header.get("X-WR-TIMEZONE", ""))
    return [] if named is None else [f"X-WR-TIMEZONE:{named}"]


def known_zone(name: str) -> str | None:
    """The IANA name of a zone, from that of Windows or of a vendor; None for an unknown one."""
    if not name:
        return None
    windows: Mapping[str, str] = import_module("icalendar.timezone.windows_to_olson").WINDOWS_TO_OLSON
    parts = name.strip("/").split("/")
    guesses = [name, windows.get(name, ""), *("/".join(parts[-count:]) for count in (3, 2))]
    for guess in guesses:
        if not guess:
            continue
        try:
            return ZoneInfo(guess).key
        except (KeyError, ValueError, OSError):
            continue
    return None


def _zones(found: Components) -> tuple[dict[str, str], list[str]]:
    """What each zone of a file is called here, and those that only the file knows, under names of ours.

    The library keeps zones by name for the whole process: without a name of its own, a zone of one member's
    file would be that of another's.
    """
    if len(found.zones) > MOST_ZONES:
        raise UnreadableCalendar(NO_CALENDAR)
    names: dict[str, str] = {}
    kept: list[str] = []
    for zone in found.zones:
        given = next((line.partition(":")[2].strip() for line in zone if line.startswith("TZID")), "")
        known = known_zone(given)
        if known is not None or not given:
            names[given] = known or given
            continue
        digest = hashlib.sha256("\n".join(zone).encode()).hexdigest()[:16]
        names[given] = f"mishu-{digest}"
        kept += [f"TZID:mishu-{digest}" if line.startswith("TZID") else line for line in zone]
    return names, kept


def _uid(event: Sequence[ContentLine]) -> str:
    given = next((line.value.strip() for line in event if line.name == "UID"), "")
    if given and len(given) <= 500:
        return given
    whole = "\n".join(line.text() for line in event)
    return f"mishu-{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _value(event: Sequence[ContentLine], name: str) -> str:
    return next((line.value for line in event if line.name == name), "")


def _called_off(events: Sequence[Sequence[ContentLine]]) -> bool:
    """True where the event itself is called off, not only one of its times."""
    whole = [each for each in events if not _value(each, "RECURRENCE-ID")] or events
    return all(_value(each, "STATUS").strip().upper() == "CANCELLED" for each in whole)


def _written(event: Sequence[ContentLine], names: Mapping[str, str]) -> str:
    """An event as it is kept: its zones under their names here, its texts cut."""
    lines = ["BEGIN:VEVENT"]
    seen: set[str] = set()
    for line in event:
        if line.name in ("SUMMARY", "LOCATION"):
            longest = _TITLE if line.name == "SUMMARY" else _PLACE
            lines.append(f"{line.name}:{escaped_text(plain_text(line.value)[:longest])}")
        elif line.name not in ("RDATE", "EXDATE", "RRULE") and line.name in seen:
            continue
        elif "TZID" in line.parameters:
            given = line.parameters["TZID"]
            zone = names.get(given) or known_zone(given)
            plain = {key: value for key, value in line.parameters.items() if key != "TZID"}
            bare = ContentLine(line.name, plain, line.value)
            lines.append(bare.text() if zone is None else bare.text(TZID=zone))
        else:
            lines.append(line.text())
        seen.add(line.name)
    return "\r\n".join([*lines, "END:VEVENT"])


def calendar_text(header: str, entries: Sequence[str]) -> str:
    """A whole calendar of entries, as the library reads it."""
    parts = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Mishu//import//ZH", header, *entries]
    return "\r\n".join([*(part for part in parts if part), "END:VCALENDAR", ""])


def _entry(
    uid: str,
    events: Sequence[Sequence[ContentLine]],
    header: str,
    written: str,
    zone: ZoneInfo,
    now: datetime,
) -> tuple[CalendarEntry, int]:
    """An entry, and what working out its times costs. Raises `ValueError` for one that cannot be."""
    icalendar: Any = import_module("icalendar")
    calendar = icalendar.Calendar.from_ical(calendar_text(header, [written]))
    first: float | None = None
    last: float | None = 0.0
    cost = 0
    for event in calendar.walk("VEVENT"):
        begins, lasts = _begins(event, zone), _lasts(event)
        if lasts < timedelta(0):
            raise ValueError("ends before it begins")
        rules = _rules(event)
        if rules and lasts > _LONGEST:
            raise ValueError("too long to be repeated")
        dates = [begins, *_dates(event, "RDATE", zone)]
        first = min(each.timestamp() for each in dates) if first is None else min(first, begins.timestamp())
        ends: float | None = max(each.timestamp() for each in dates) + lasts.total_seconds()
        for rule in rules:
            until = _checked(rule, zone)
            cost += _cost(rule, begins, until, now)
            ends = None if until is None or ends is None else max(ends, (until + lasts).timestamp())
        last = None if ends is None or last is None else max(last, ends)
    if first is None:
        raise ValueError("no event")
    whole = next((each for each in events if not _value(each, "RECURRENCE-ID")), events[0])
    title = plain_text(_value(whole, "SUMMARY"))[:_TITLE] or NAMELESS
    place = plain_text(_value(whole, "LOCATION"))[:_PLACE] or None
    digits = _value(whole, "SEQUENCE").strip()
    sequence = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    return CalendarEntry(uid, sequence, title, place, written, first, last), cost


def _begins(event: Any, zone: ZoneInfo) -> datetime:
    return in_zone(event["DTSTART"].dt, zone)


def _lasts(event: Any) -> timedelta:
    start: Any = event["DTSTART"].dt
    if "DTEND" in event:
        end: Any = event["DTEND"].dt
        same = isinstance(end, datetime) == isinstance(start, datetime)
        return end - start if same and _same_kind(start, end) else timedelta(0)
    if "DURATION" in event:
        lasts: timedelta = event["DURATION"].dt
        return lasts
    return timedelta(0) if isinstance(start, datetime) else timedelta(days=1)


def _same_kind(start: Any, end: Any) -> bool:
    if not isinstance(start, datetime):
        return True
    return (start.tzinfo is None) == (end.tzinfo is None)


def _dates(event: Any, name: str, zone: ZoneInfo) -> list[datetime]:
    lists = _listed(event.get(name, []))
    found: list[datetime] = []
    for each in lists:
        for one in each.dts:
            moment: Any = one.dt
            found.append(
                in_zone(cast("tuple[Any, ...]", moment)[0] if isinstance(moment, tuple) else moment, zone)
            )
    return found


def _rules(event: Any) -> list[Any]:
    return _listed(event.get("RRULE", []))


def _listed(given: Any) -> list[Any]:
    """A property that stands once, or several times, as a list."""
    return cast("list[Any]", given) if isinstance(given, list) else [given]


def _checked(rule: Any, zone: ZoneInfo) -> datetime | None:
    """When a rule ends; None where it says nothing of it. Raises `ValueError` for one that costs too much."""
    freq = str(_first(rule, "FREQ")).upper()
    if freq not in _STEPS:
        raise ValueError("repeats within the day")
    interval = _first(rule, "INTERVAL")
    if interval is not None and int(interval) < 1:
        raise ValueError("steps by nothing")
    a_day = 1
    for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
        a_day *= max(1, len(rule.get(name, [])))
    if a_day > _MOST_A_DAY:
        raise ValueError("too often a day")
    until = _first(rule, "UNTIL")
    return None if until is None else in_zone(until, zone)


def _first(rule: Any, name: str) -> Any:
    given = _listed(rule.get(name))
    return given[0] if given else None


def _cost(rule: Any, begins: datetime, until: datetime | None, now: datetime) -> int:
    """Days that the rule steps through until it is past what is ever looked at."""
    end = now + _AHEAD
    if until is not None and until < end:
        end = until
    days = max(0, (end - begins).days) + 1
    return (
        days
        if str(_first(rule, "FREQ")).upper() != "DAILY"
        else days // int(_first(rule, "INTERVAL") or 1) + 1
    )


def in_zone(moment: date | datetime, zone: tzinfo) -> datetime:
    """A date or time as a moment; what has no zone is in `zone`."""
    if not 1 < moment.year < 9998:
        raise ValueError("out of range")
    if not isinstance(moment, datetime):
        return datetime(moment.year, moment.month, moment.day, tzinfo=zone)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment


def utc_stamp(moment: datetime) -> str:
    """A moment as iCalendar writes it in UTC."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
