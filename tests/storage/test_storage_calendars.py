"""Imported calendars on disk: by UID, updates and deletions follow; their owner's alone unless shared."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.imports.calendars.addresses import RefusedAddress
from nonebot_plugin_mishu.imports.calendars.fetching import Fetched, FetchFailed
from nonebot_plugin_mishu.imports.calendars.refreshing import Refreshing
from nonebot_plugin_mishu.imports.calendars.sources import EVERY, FULL, CalendarSources, NotImported
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
ME, OTHER = "30001", "30002"
HOME = Conversation("10000", "private", ME)
DATA = Path(__file__).parents[1] / "imports" / "data"
ADDRESS = "https://calendar.example.com/me.ics"


def event(uid: str, hour: int, title: str = "会", *more: str) -> str:
    lines = [f"UID:{uid}", f"DTSTART:20261119T{hour - 8:02d}0000Z", f"DTEND:20261119T{hour - 7:02d}0000Z"]
    return "\r\n".join(["BEGIN:VEVENT", *lines, f"SUMMARY:{title}", *more, "END:VEVENT"])


def file(*events: str, header: str = "X-WR-CALNAME:工作") -> bytes:
    return "\r\n".join(["BEGIN:VCALENDAR", header, *events, "END:VCALENDAR"]).encode()


class Site:
    """An address as it answers."""

    def __init__(self) -> None:
        self.content: bytes | Exception = file(event("a", 10))
        self.asked: list[tuple[str, str | None, str | None]] = []

    async def fetch(self, url: str, etag: str | None, modified: str | None) -> Fetched:
        self.asked.append((url, etag, modified))
        if isinstance(self.content, Exception):
            raise self.content
        tag = f'"{hash(self.content)}"'
        return Fetched(None if tag == etag else self.content, tag, None)


class FakeAnnouncer:
    """Keeps what was said, and where."""

    def __init__(self) -> None:
        self.said: list[tuple[Conversation, str]] = []

    async def announce(self, conversation: Conversation, text: str, **_: object) -> str:
        self.said.append((conversation, text))
        return "m"


class Clock:
    """Wall seconds that a test sets."""

    def __init__(self) -> None:
        self.at = NOW.timestamp()

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sources(storage: Storage, site: Site, clock: Clock) -> CalendarSources:
    return CalendarSources(storage, ZONE, clock, site.fetch)


def looking(
    storage: Storage, sources: CalendarSources, announcer: FakeAnnouncer, clock: Clock, account: str
) -> Refreshing:
    def report(what: str, error: BaseException) -> None:
        raise AssertionError(what) from error

    return Refreshing(storage, sources, announcer, clock, lambda: [account], report)  # type: ignore[arg-type]


async def told(sources: CalendarSources, user: str = ME, group: str | None = None) -> list[str]:
    found = await sources.day_list(user, NOW, NOW + timedelta(days=2), group)
    return [f"{each.occurrence.begins:%H:%M} {each.occurrence.title}" for each in found]


async def test_a_file_again_is_what_it_holds_now(sources: CalendarSources) -> None:
    first = await sources.import_file(HOME, ME, "a.ics", file(event("a", 10), event("b", 11), event("c", 12)))
    assert (first.counts.added, first.source.name, first.source.entries) == (3, "工作", 3)
    assert first.coming is not None
    assert first.coming.begins == NOW + timedelta(days=1)
    changed = file(event("a", 15, "改了的会"), event("b", 11), event("d", 16))
    again = await sources.import_file(HOME, ME, "别的名字.ics", changed)
    assert (again.counts.added, again.counts.changed, again.counts.deleted) == (1, 1, 1)
    assert again.source.id == first.source.id
    assert await told(sources) == ["11:00 会", "15:00 改了的会", "16:00 会"]
    same = await sources.import_file(HOME, ME, "a.ics", changed)
    assert (same.counts.added, same.counts.changed, same.counts.deleted) == (0, 0, 0)


async def test_invitations_change_only_their_own(sources: CalendarSources) -> None:
    async def sent(entry: str, method: str = "REQUEST") -> None:
        await sources.import_file(HOME, ME, "invite.ics", file(entry, header=f"METHOD:{method}"))

    await sent(event("a", 10, "一", "SEQUENCE:2"))
    await sent(event("b", 11, "二"))
    assert await told(sources) == ["10:00 一", "11:00 二"]
    await sent(event("a", 9, "旧的", "SEQUENCE:1"))
    assert await told(sources) == ["10:00 一", "11:00 二"]
    await sent(event("a", 10), "CANCEL")
    assert await told(sources) == ["11:00 二"]


async def test_nobody_else_sees_it_unless_shared(sources: CalendarSources) -> None:
    done = await sources.import_file(
        HOME, ME, "a.ics", file(event("a", 10, "看牙"), event("f", 12, "空", "TRANSP:TRANSPARENT"))
    )
    assert await told(sources, OTHER) == []
    assert await told(sources, ME, group="777001") == []
    span = (NOW, NOW + timedelta(days=2))
    busy = await sources.busy([ME, OTHER], *span)
    assert [(each.user_id, each.begins.hour, each.ends.hour) for each in busy] == [(ME, 10, 11)]
    assert "看牙" not in repr(busy)
    assert [each.told for each in await sources.occurrences_of([ME], *span, "777001")] == [False, False]
    await sources.share(done.source, ["777001"])
    assert await told(sources, ME, group="777001") == ["10:00 看牙", "12:00 空"]
    assert await told(sources, ME, group="777002") == []


async def test_a_subscription_follows_its_address(
    storage: Storage, sources: CalendarSources, site: Site, clock: Clock
) -> None:
    await sources.subscribe(HOME, ME, "webcal://calendar.example.com/me.ics#x")
    assert site.asked[0] == (ADDRESS, None, None)
    announcer = FakeAnnouncer()
    work = Refreshing(
        storage,
        sources,
        announcer,
        clock,  # type: ignore[arg-type]
        lambda: ["10000"],
        lambda what, error: None,
    )
    assert await work.look() == 0  # not yet
    clock.at += EVERY + 1
    assert await work.look() == 1
    assert site.asked[-1][1] is not None  # its ETag
    assert await told(sources) == ["10:00 会"]
    site.content = file(event("a", 14, "挪了"))
    clock.at += EVERY + 1
    await work.look()
    assert await told(sources) == ["14:00 挪了"]
    assert announcer.said == []


async def test_a_calendar_that_breaks_the_reader_is_reported_and_the_next_is_read(
    storage: Storage, sources: CalendarSources, site: Site, clock: Clock
) -> None:
    await sources.subscribe(HOME, ME, ADDRESS)
    reports: list[str] = []
    work = Refreshing(
        storage,
        sources,
        FakeAnnouncer(),
        clock,  # type: ignore[arg-type]
        lambda: ["10000"],
        lambda what, error: reports.append(f"{what} {type(error).__name__}"),
    )
    site.content = ValueError("unforeseen")
    clock.at += EVERY + 1
    assert await work.look() == 1
    assert reports == ["一个订阅的日历读不了，别的照常更新 ValueError"]


async def test_a_failure_is_told_once_and_what_was_there_stays(
    storage: Storage, sources: CalendarSources, site: Site, clock: Clock
) -> None:
    await sources.subscribe(HOME, ME, ADDRESS)
    announcer = FakeAnnouncer()
    work = Refreshing(
        storage,
        sources,
        announcer,
        clock,  # type: ignore[arg-type]
        lambda: ["10000"],
        lambda what, error: None,
    )
    for trouble in (
        FetchFailed("那个网站连不上"),
        RefusedAddress("这个地址在内网或本机，不能订阅。"),
        ValueError,
    ):
        site.content = trouble if isinstance(trouble, Exception) else b"<html>"
        clock.at += 2 * EVERY + 1
        assert await work.look() == 1
    (said,) = announcer.said
    assert said[0] == HOME
    assert "「工作」这个日历更新不了：那个网站连不上" in said[1]
    assert await told(sources) == ["10:00 会"]
    (source,) = await sources.list_sources(ME)
    assert source.trouble is not None
    site.content = file(event("a", 10))
    clock.at += 2 * EVERY + 1
    await work.look()
    (source,) = await sources.list_sources(ME)
    assert source.trouble is None


async def test_another_process_does_not_look_at_the_same(
    storage: Storage, sources: CalendarSources, site: Site, clock: Clock
) -> None:
    await sources.subscribe(HOME, ME, ADDRESS)
    clock.at += EVERY + 1
    (due,) = await storage.imported_calendars.due(clock.at, 5)
    assert await storage.imported_calendars.claim(due, clock.at + 60)
    assert not await storage.imported_calendars.claim(due, clock.at + 60)
    away = Refreshing(
        storage,
        sources,
        FakeAnnouncer(),
        clock,  # type: ignore[arg-type]
        lambda: ["20000"],
        lambda what, error: None,
    )
    clock.at += 120
    assert await away.look() == 0  # its account is another's


async def test_limits_and_refusals(sources: CalendarSources, site: Site) -> None:
    for number in range(10):
        await sources.import_file(HOME, ME, "x.ics", file(event("a", 10), header=f"X-WR-CALNAME:n{number}"))
    with pytest.raises(NotImported, match=FULL[:8]):
        await sources.import_file(HOME, ME, "x.ics", file(event("a", 10), header="X-WR-CALNAME:n10"))
    with pytest.raises(NotImported, match="读不出来"):
        await sources.import_file(HOME, ME, "x.ics", b"nothing")
    with pytest.raises(NotImported, match="一个日程也没有"):
        await sources.import_file(HOME, ME, "x.ics", file())
    with pytest.raises(NotImported, match="内网"):
        await sources.subscribe(HOME, ME, "https://10.0.0.1/a.ics")
    assert site.asked == []


async def test_whoever_is_forgotten_leaves_nothing(storage: Storage, sources: CalendarSources) -> None:
    await sources.import_file(HOME, ME, "a.ics", (DATA / "google.ics").read_bytes())
    kept = await storage.members.export(HOME, ME)
    assert kept.counts["导入的日历"] == 1
    assert kept.counts["导入的日程"] == 3
    forgotten = await storage.members.delete_member(HOME, ME)
    assert forgotten.gone == {"导入的日历": 1, "导入的日程": 3}
    assert await sources.list_sources(ME) == []


async def test_taken_away_with_its_entries(sources: CalendarSources) -> None:
    done = await sources.import_file(HOME, ME, "a.ics", file(event("a", 10)))
    await sources.remove(done.source)
    assert await sources.list_sources(ME) == []
    assert await told(sources) == []
