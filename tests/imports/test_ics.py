"""Files of calendars: their times are those of `recurring-ical-events`, and hostile ones cost nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import default_run
import icalendar
import pytest
import recurring_ical_events  # pyright: ignore[reportMissingTypeStubs]
from nonebot_plugin_mishu.imports.calendars.ics import (
    MOST_BYTES,
    MOST_ENTRIES,
    NO_CALENDAR,
    TOO_LARGE,
    TOO_LONG,
    TOO_MANY,
    ParsedCalendar,
    UnreadableCalendar,
    in_zone,
    known_zone,
    parse_calendar,
)
from nonebot_plugin_mishu.imports.calendars.occurrences import Occurrence, occurrences

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=SHANGHAI)
DATA = Path(__file__).parent / "data"
SHAPES = ("google", "outlook", "apple", "wakeup")


def parsed(name: str) -> ParsedCalendar:
    return parse_calendar((DATA / f"{name}.ics").read_bytes(), SHANGHAI, NOW)


def one(*lines: str, header: str = "") -> bytes:
    return "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            *([header] if header else []),
            "BEGIN:VEVENT",
            *lines,
            "END:VEVENT",
            "END:VCALENDAR",
        ]
    ).encode()


def of_range(calendar: ParsedCalendar, first: datetime, last: datetime) -> list[Occurrence]:
    return occurrences(calendar.header, calendar.entries, first, last, SHANGHAI)


def expected(data: bytes, first: datetime, last: datetime) -> list[tuple[str, datetime, datetime]]:
    """Times by the library itself, from the file as it is."""
    whole = icalendar.Calendar.from_ical(data)
    margin = timedelta(days=1)
    query: Any = recurring_ical_events.of(whole)
    found = [
        (str(event["SUMMARY"]), in_zone(event["DTSTART"].dt, SHANGHAI), in_zone(event["DTEND"].dt, SHANGHAI))
        for event in query.between(first - margin, last + margin)
        if event.get("STATUS") != "CANCELLED"
    ]
    return sorted(each for each in found if each[1] < last and each[2] > first)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("month", "days"), [(10, 31), (11, 7), (11, 31), (12, 62)])
def test_times_are_the_librarys(shape: str, month: int, days: int) -> None:
    first = datetime(2026, month, 1, tzinfo=SHANGHAI)
    last = first + timedelta(days=days)
    found = of_range(parsed(shape), first, last)
    wanted = expected((DATA / f"{shape}.ics").read_bytes(), first, last)
    assert sorted((each.title, each.begins, each.ends) for each in found) == wanted
    assert wanted or shape == "wakeup" or month == 10


def test_days_of_each_shape() -> None:
    def told(shape: str, day: int, month: int = 11) -> list[tuple[str, str, bool, bool]]:
        first = datetime(2026, month, day, tzinfo=SHANGHAI)
        found = of_range(parsed(shape), first, first + timedelta(days=1))
        return [(each.title, f"{each.begins:%H:%M}", each.all_day, each.busy) for each in found]

    assert told("google", 19) == []  # EXDATE
    assert told("google", 20) == [("牙医, 复查", "15:00", False, True)]
    assert told("google", 26) == []  # moved to the next day
    assert told("google", 27) == [("瑜伽（改期）", "20:00", False, True)]
    assert told("google", 26, 12) == [("去南京", "00:00", True, False)]
    assert told("google", 27, 12) == []  # the end of whole days is the midnight behind the last one
    berlin = ("Call with Berlin", "16:00", False, False)
    assert told("outlook", 16) == [("周会", "10:00", False, True), berlin]
    assert told("outlook", 23) == [("吃药", "08:30", False, True), berlin]
    assert told("outlook", 30) == [berlin]  # one time called off
    assert told("outlook", 11, 12) == [("年假", "00:00", True, True), ("吃药", "08:30", False, True)]
    assert told("apple", 25) == [("和姐姐视频", "10:00", False, True)]
    assert told("wakeup", 25) == [("大学物理实验", "14:00", False, True)]
    assert told("wakeup", 18) == []


def test_what_a_file_says_of_itself() -> None:
    google = parsed("google")
    assert (google.name, google.invites, google.skipped) == ("阿一的日历", False, 0)
    assert [each.uid for each in google.entries] == ["one@google.com", "weekly@google.com", "trip@google.com"]
    assert google.entries[0].place == "中山路 12 号"
    assert "医保卡" not in "".join(each.text for each in google.entries)


@pytest.mark.parametrize(
    ("given", "zone"),
    [
        ("China Standard Time", "Asia/Shanghai"),
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
        ("/mozilla.org/20070129_1/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Customized Time Zone", None),
        ("../../etc/passwd", None),
        ("", None),
    ],
)
def test_names_of_zones(given: str, zone: str | None) -> None:
    assert known_zone(given) == zone


def test_zones_of_two_files_are_not_each_others() -> None:
    def custom(offset: str) -> bytes:
        zone = (
            "BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
            f"TZOFFSETFROM:{offset}\r\nTZOFFSETTO:{offset}\r\nEND:STANDARD\r\nEND:VTIMEZONE"
        )
        return one("UID:a", "DTSTART;TZID=Mine:20261120T100000", "SUMMARY:会", header=zone)

    clocks = [
        of_range(parse_calendar(custom(offset), SHANGHAI, NOW), NOW, NOW + timedelta(days=4))[0].begins
        for offset in ("+0800", "+0300")
    ]
    assert [f"{each:%H:%M}" for each in clocks] == ["10:00", "15:00"]


_ENDLESS = [
    "RRULE:FREQ=SECONDLY",
    "RRULE:FREQ=MINUTELY;INTERVAL=5",
    "RRULE:FREQ=HOURLY",
    "RRULE:FREQ=DAILY;INTERVAL=0",
    "RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5;BYMINUTE=0,1,2,3,4,5",
    "RRULE:FREQ=SOMETIMES",
    "RRULE:",
]


@pytest.mark.parametrize("rule", _ENDLESS)
def test_endless_rules_are_left_out(rule: str) -> None:
    found = parse_calendar(one("UID:a", "DTSTART:20261120T100000Z", rule, "SUMMARY:会"), SHANGHAI, NOW)
    assert (found.entries, found.skipped) == ((), 1)


@default_run.first(1)
@pytest.mark.parametrize(
    "rule", ["RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=YEARLY;COUNT=3;BYMONTH=2;BYMONTHDAY=30"]
)
def test_a_rule_that_never_holds_ends_behind_the_range(rule: str) -> None:
    found = parse_calendar(one("UID:a", "DTSTART:20260101T100000Z", rule, "SUMMARY:会"), SHANGHAI, NOW)
    assert [each.title for each in of_range(found, NOW, NOW + timedelta(days=7))] == []


def test_repeats_of_centuries_are_refused() -> None:
    events = "\r\n".join(
        f"BEGIN:VEVENT\r\nUID:{number}\r\nDTSTART:19010101T100000Z\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT"
        for number in range(60)
    )
    with pytest.raises(UnreadableCalendar, match=TOO_LONG):
        parse_calendar(f"BEGIN:VCALENDAR\r\n{events}\r\nEND:VCALENDAR".encode(), SHANGHAI, NOW)


def test_limits_of_size_and_number() -> None:
    event = b"BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:20261120T100000Z\r\nEND:VEVENT\r\n"
    many = b"BEGIN:VCALENDAR\r\n" + b"".join(event % number for number in range(MOST_ENTRIES + 1))
    with pytest.raises(UnreadableCalendar, match=TOO_MANY):
        parse_calendar(many + b"END:VCALENDAR", SHANGHAI, NOW)
    with pytest.raises(UnreadableCalendar, match="5 MB"):
        parse_calendar(b"BEGIN:VCALENDAR\r\n" + b" " * MOST_BYTES, SHANGHAI, NOW)
    assert "5 MB" in TOO_LARGE


@pytest.mark.parametrize("data", [b"", b"<html>", b"\x00\xff" * 50, "日历".encode("gb18030"), b"PK\x03\x04"])
def test_what_is_no_calendar(data: bytes) -> None:
    with pytest.raises(UnreadableCalendar, match=NO_CALENDAR[:7]):
        parse_calendar(data, SHANGHAI, NOW)


@pytest.mark.parametrize(
    "broken",
    [
        ("UID:b", "SUMMARY:没有时间"),
        ("UID:b", "DTSTART:gestern"),
        ("UID:b", "DTSTART:20261120T100000Z", "DTEND:20261119T100000Z"),
        ("UID:b", "DTSTART:20261120T100000Z", "DTEND:20991119T100000Z", "RRULE:FREQ=DAILY"),
        ("UID:b", "DTSTART;VALUE=DATE:99991231", "RRULE:FREQ=DAILY"),
        ("UID:b", "DTSTART:20261120T100000Z", "RRULE:FREQ=DAILY;UNTIL=irgendwann"),
    ],
)
def test_a_broken_event_takes_no_other_with_it(broken: tuple[str, ...]) -> None:
    good = (
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:a",
        "DTSTART:20261120T100000Z",
        "SUMMARY:会",
        "???",
        ";;:",
        "X",
    )
    found = parse_calendar(one(*broken, *good), SHANGHAI, NOW)
    assert [(each.uid, each.title) for each in found.entries] == [("a", "会")]
    assert found.skipped == 1


def test_what_an_invitation_calls_off() -> None:
    off = one("UID:a", "DTSTART:20261120T100000Z", "SEQUENCE:2", header="METHOD:CANCEL")
    found = parse_calendar(off, SHANGHAI, NOW)
    assert (found.invites, found.cancelled, found.entries) == (True, ("a",), ())
    status = one("UID:a", "DTSTART:20261120T100000Z", "STATUS:CANCELLED")
    assert parse_calendar(status, SHANGHAI, NOW).cancelled == ("a",)


def test_entries_are_bounded_in_time() -> None:
    by_uid = {each.uid: each for each in parsed("outlook").entries}
    assert by_uid["berlin"].last_at is None
    meeting = by_uid["040000008200E00074C5B7101A82E00800000000A"]
    assert meeting.last_at is not None
    assert datetime.fromtimestamp(meeting.last_at, UTC).date().isoformat() == "2027-03-01"
