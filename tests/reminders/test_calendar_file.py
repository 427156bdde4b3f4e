"""Calendar files, read back by the library's own parser, and the address they have."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest
from dateutil.rrule import rrulestr
from fastapi import FastAPI
from fastapi.testclient import TestClient
from nonebot_plugin_mishu.reminders.calendars.calendars import ASKED_AGAIN, ASKED_ANEW, CalendarDesk
from nonebot_plugin_mishu.reminders.calendars.entries import DayEntry, of_schedule, of_task
from nonebot_plugin_mishu.reminders.calendars.ics import calendar_bytes
from nonebot_plugin_mishu.storage import Conversation, Storage, StorageError
from nonebot_plugin_mishu.storage.schedules.records import SchedulePlan
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges
from nonebot_plugin_mishu.web.routes import calendars as calendar_routes
from ready_database import ready_url
from reminder_support import GROUP

ZONE = "Asia/Shanghai"
NOW = datetime(2026, 11, 22, 1, 0, tzinfo=UTC).timestamp()


def entry(**changed: Any) -> DayEntry:
    values: dict[str, Any] = {
        "kind": "schedule",
        "id": 7,
        "title": "周会；A,B\n第二行",
        "start": datetime(2026, 11, 23, 15, 0),
        "zone": ZONE,
        "end": datetime(2026, 11, 23, 16, 0),
    }
    return DayEntry(**{**values, **changed})


def read(*entries: DayEntry) -> tuple[Any, list[Any]]:
    parsed = icalendar.Calendar.from_ical(calendar_bytes("群日程", entries, NOW))
    return parsed, parsed.walk("VEVENT")


def test_what_goes_in_comes_out():
    parsed, [event] = read(entry(place="会议室", details="带电脑", lead_minutes=10))
    assert event.decoded("dtstart") == entry().start.replace(tzinfo=event.decoded("dtstart").tzinfo)
    assert event.decoded("dtstart").utcoffset() == timedelta(hours=8)
    assert event.decoded("dtend").astimezone(UTC) == datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
    assert (str(event["summary"]), str(event["location"])) == ("周会；A,B\n第二行", "会议室")
    assert str(event["uid"]) == "schedule-7@mishu"
    [alarm] = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(minutes=-10)
    assert str(parsed["x-wr-calname"]) == "群日程"
    assert [str(zone["tzid"]) for zone in parsed.walk("VTIMEZONE")] == [ZONE]
    assert not [error for each in parsed.walk() for error in each.errors]


def test_an_empty_calendar_is_one():
    parsed, events = read()
    assert (str(parsed["version"]), events) == ("2.0", [])


def test_a_part_of_the_day_floats_and_a_day_is_a_date():
    _, [part, day] = read(
        of_schedule(1, SchedulePlan("2026-11-28 14:00:00", ZONE, "爬山", segment="afternoon"), 10),
        of_task(2, TaskChanges("交房租", "2026-11-30", ZONE)),
    )
    assert part.decoded("dtstart") == datetime(2026, 11, 28, 14, 0)
    assert part.decoded("dtend") == datetime(2026, 11, 28, 18, 0)
    assert (day.decoded("dtstart"), day.decoded("dtend")) == (date(2026, 11, 30), date(2026, 12, 1))


def test_days_in_a_row_end_when_the_next_begins_and_are_reminded_of_in_the_morning():
    """DTEND is not part of an event (RFC 5545): 3号到5号 would lose its last day."""
    plan = SchedulePlan("2026-12-03 00:00:00", ZONE, "团建", end="2026-12-05 23:59:00", segment="all_day")
    single = SchedulePlan("2026-12-07 00:00:00", ZONE, "运动会", end="2026-12-07 23:59:00", segment="all_day")
    over_http = SchedulePlan(
        "2026-12-03 00:00:00", ZONE, "团建", end="2026-12-05 23:59:59", segment="all_day"
    )
    _, [event, day, same] = read(
        of_schedule(1, plan, 10), of_schedule(2, single, None), of_schedule(3, over_http, None)
    )
    assert same.decoded("dtend") == date(2026, 12, 6)
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (date(2026, 12, 3), date(2026, 12, 6))
    assert (day.decoded("dtstart"), day.decoded("dtend")) == (date(2026, 12, 7), date(2026, 12, 8))
    [alarm] = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(hours=8, minutes=50)


def test_a_task_over_midnight_and_its_reminder():
    remind = "2026-11-30T21:30:00+08:00"
    fields = TaskChanges("值班", "2026-11-30", ZONE, start_time="22:00", end_time="02:00", remind_at=remind)
    _, [event] = read(of_task(3, fields))
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(hours=4)
    assert event.walk("VALARM")[0].decoded("trigger") == timedelta(minutes=-30)


RULES = [
    ({"freq": "daily", "interval": 2}, ["11-23", "11-25", "11-27"]),
    ({"freq": "weekly", "byday": ["MO", "TH"]}, ["11-23", "11-26", "11-30"]),
    ({"freq": "monthly", "bymonthday": -1}, ["11-30", "12-31", "01-31", "02-28"]),
    ({"freq": "monthly", "bymonthday": 31}, ["11-30", "12-31", "01-31", "02-28"]),
    ({"freq": "monthly", "byday": ["-1FR"]}, ["11-27", "12-25", "01-29"]),
    ({"freq": "yearly", "bymonth": 2, "bymonthday": 29}, ["02-28", "02-29"]),
    ({"freq": "hourly", "interval": 12}, ["11-23", "11-24", "11-24"]),
]


@pytest.mark.parametrize(("recurrence", "days"), RULES, ids=[str(each[0]) for each in RULES])
def test_pitfall_47_recurrences_as_another_program_reads_them(recurrence: dict, days: list[str]):
    """A short month's last day is kept, which a bare BYMONTHDAY would skip."""
    _, [event] = read(entry(recurrence=recurrence))
    start = datetime(2026, 11, 23, 15, 0)
    found = [f"{each:%m-%d}" for each in rrulestr(event["rrule"].to_ical().decode(), dtstart=start)[:60]]
    assert [day for day in days if day not in found] == []
    assert found[: len(days)] == days or recurrence["freq"] == "yearly"


def test_the_last_day_ends_it():
    until = date(2026, 11, 25)
    _, [event] = read(entry(recurrence={"freq": "daily"}, until=until))
    assert event["rrule"]["until"] == [datetime(2026, 11, 25, 15, 59, 59, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("freq", "first"), [("workday", date(2026, 11, 24)), ("lunar_yearly", date(2027, 2, 6))]
)
def test_what_no_rule_can_say_is_written_out(freq: str, first: date):
    _, [event] = read(entry(recurrence={"freq": freq, "interval": 1}))
    assert "rrule" not in event
    assert event["rdate"].dts[0].dt.date() == first


class Desk:
    async def make(self, storage: Storage, entries: list[DayEntry]) -> CalendarDesk:
        async def entries_of(conversation, user_id):
            return entries if not user_id else []

        return CalendarDesk(storage.calendars, entries_of, lambda: NOW, lambda: "http://127.0.0.1:8080")


@pytest.fixture
def client_of() -> Any:
    def make(backend: Any) -> TestClient:
        app = FastAPI()
        assert calendar_routes.mount(app, backend)
        return TestClient(app, client=("203.0.113.9", 1234))

    return make


async def test_an_address_opens_its_calendar_and_no_other(tmp_path: Path, client_of: Any):
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda sentence: None)
    desk = await Desk().make(storage, [entry()])
    address = await desk.address(GROUP)
    assert await desk.address(GROUP) == address
    assert await desk.address(GROUP, "1") != address
    token = address.removeprefix("http://127.0.0.1:8080/calendar/").removesuffix(".ics")
    assert len(token) >= 32
    content = await desk.calendar(token)
    assert content is not None
    assert b"BEGIN:VEVENT" in content
    assert (await desk.calendar_file(GROUP))[0] == "群日程.ics"
    await storage.calendars.renew(GROUP)
    assert await desk.calendar(token) is None
    await storage.close()


class Roster:
    """Says what somebody is, and counts how often it was asked."""

    def __init__(self) -> None:
        self.says = "member"
        self.asked = 0

    async def __call__(self, place: Conversation, user_id: str) -> str:
        self.asked += 1
        return self.says


def token_of(address: str) -> str:
    return address.rpartition("/")[2].removesuffix(".ics")


async def test_addresses_end_with_their_holders_membership(tmp_path: Path):
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda sentence: None)
    site = lambda: "http://127.0.0.1:8080"  # noqa: E731

    async def entries_of(conversation: Conversation, user_id: str) -> list[DayEntry]:
        return [entry()]

    desk = CalendarDesk(storage.calendars, entries_of, lambda: NOW, site)
    far = Conversation(GROUP.self_id, "group", "777002")
    given = {
        (who, whose): token_of(await desk.address(GROUP, who if whose == "own" else "", who))
        for who in ("1", "2")
        for whose in ("own", "group")
    }
    elsewhere = token_of(await desk.address(far, "", "1"))
    shared = token_of(await desk.address(GROUP))
    assert len({*given.values(), elsewhere, shared}) == 6, "each has an address of their own"
    assert token_of(await desk.address(GROUP, "", "1")) == given["1", "group"], "the same when asked again"

    async def opened() -> set[str]:
        tokens = [*given.values(), elsewhere, shared]
        return {token for token in tokens if await desk.calendar(token) is not None}

    assert await opened() == {*given.values(), elsewhere, shared}
    made_up = given["1", "group"].replace("g1-", "g2-")
    for wrong in (made_up, f"g1-{'A' * 43}", f"g1-{given['1', 'own']}", "g999-" + "A" * 43, "g-"):
        assert await desk.calendar(wrong) is None
    other_account = Conversation("20000", "group", GROUP.peer)
    await desk.end_here(other_account, "1")
    assert await opened() == {given["2", "own"], given["2", "group"], elsewhere}
    await desk.end_here(other_account, None)
    assert await opened() == {given["2", "own"], given["2", "group"], elsewhere}, "we are there still"
    await desk.end_here(GROUP, None)
    assert await opened() == {elsewhere}
    assert token_of(await desk.address(GROUP, "", "1")) != given["1", "group"], "who comes back asks anew"
    await storage.close()


async def test_what_no_notice_told_is_asked_of_the_platform(tmp_path: Path):
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda sentence: None)
    roster, moments = Roster(), [NOW]

    async def entries_of(conversation: Conversation, user_id: str) -> list[DayEntry]:
        return [entry()]

    desk = CalendarDesk(
        storage.calendars, entries_of, lambda: moments[0], lambda: "http://127.0.0.1:8080", roster
    )
    token = token_of(await desk.address(GROUP, "", "1"))
    assert await desk.calendar(token) is not None
    assert await desk.calendar(token) is not None
    assert roster.asked == 1, "once an hour"
    roster.says = "gone"
    moments[0] += ASKED_ANEW
    assert await desk.calendar(token) is None
    assert await desk.calendar(token) is None
    assert roster.asked == 2
    roster.says = "unknown"
    moments[0] += ASKED_AGAIN
    assert await desk.calendar(token) is not None, "nobody's right is taken on a guess"
    roster.says = "member"
    moments[0] += ASKED_AGAIN
    assert await desk.calendar(token) is not None
    assert roster.asked == 4
    await storage.close()


class Backend:
    def __init__(self, answer: bytes | Exception | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def calendar(self, token: str) -> bytes | None:
        self.asked.append(token)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_the_route(client_of: Any):
    backend = Backend(b"BEGIN:VCALENDAR")
    got = client_of(backend).get("/calendar/abc-_9.ics")
    assert (got.status_code, got.content, got.headers["content-type"]) == (
        200,
        b"BEGIN:VCALENDAR",
        "text/calendar; charset=utf-8",
    )
    assert backend.asked == ["abc-_9"]


@pytest.mark.parametrize(
    "path",
    ["/calendar/x.ics", "/calendar/" + "a" * 65 + ".ics", "/calendar/%E4%BD%A0.ics", "/calendar/a%20b.ics"],
)
def test_what_opens_nothing_is_404(client_of: Any, path: str):
    got = client_of(Backend(None)).get(path)
    assert (got.status_code, got.json()["error"]["code"]) == (404, "not_found")


def test_database_trouble_is_503(client_of: Any):
    got = client_of(Backend(StorageError("数据库连不上。"))).get("/calendar/abc.ics")
    assert (got.status_code, got.json()["error"]["message"]) == (503, "数据库连不上。")


def test_without_a_web_server_nothing_is_mounted():
    assert not calendar_routes.mount(object(), Backend(None))


def test_the_servers_log_of_requests_opens_no_calendar(caplog: pytest.LogCaptureFixture):
    """Uvicorn writes every path at INFO, and the path is the key."""

    class Nothing:
        async def calendar(self, token: str) -> bytes | None:
            return None

    assert calendar_routes.mount(FastAPI(), Nothing())
    log = logging.getLogger("uvicorn.access")
    with caplog.at_level("INFO", "uvicorn.access"):
        line = '%s - "%s %s HTTP/%s" %d'
        log.info(line, "127.0.0.1:5", "GET", "/calendar/S3cr3t-tok_en.ics?x=1", "1.1", 200)
        log.info(line, "127.0.0.1:5", "GET", "/api/health", "1.1", 200)
    assert "S3cr3t" not in caplog.text
    assert "GET /calendar/….ics?x=1" in caplog.text
    assert "GET /api/health" in caplog.text


def test_days_that_are_left_out_are_exceptions():
    """RFC 5545, EXDATE: in the same zone and form as the start."""
    weekly = {"freq": "weekly", "interval": 1, "byday": ["MO"], "without": ["2026-11-30"]}
    _, [event] = read(entry(recurrence=weekly))
    assert [each.dt.isoformat() for each in event["exdate"].dts] == ["2026-11-30T15:00:00+08:00"]
    _, [event] = read(entry(recurrence=weekly, all_day=True, start=datetime(2026, 11, 23), end=None))
    assert [each.dt for each in event["exdate"].dts] == [date(2026, 11, 30)]
    workdays = {"freq": "workday", "interval": 1, "without": ["2026-11-24"]}
    _, [event] = read(entry(recurrence=workdays))
    assert "2026-11-24" not in [each.dt.date().isoformat() for each in event["rdate"].dts]
