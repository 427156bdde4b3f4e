"""A member's imported calendars: taken in, kept up to date, told by day, shared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.util import find_spec
from typing import Final
from zoneinfo import ZoneInfo

from ...storage import Storage
from ...storage.calendars.queries import (
    MOST_SOURCES,
    CalendarSource,
    KeptEntry,
    NewContent,
    NewEntry,
    StoredCounts,
)
from ...storage.records import Conversation
from .addresses import RefusedAddress, read_address
from .fetching import CalendarFetcher, Fetch, FetchFailed
from .ics import ParsedCalendar, UnreadableCalendar, parse_calendar
from .occurrences import Occurrence, occurrences

EVERY: Final = 1800.0
"""Seconds between two looks at an address."""
AGAIN: Final = 3600.0
"""Seconds after one that failed."""
MISSING: Final = (
    "导入日历要先装一个组件，请机器人的主人运行 pip install 'nonebot-plugin-mishu[import]'，再重启。"
)
FULL: Final = f"导入的日历最多 {MOST_SOURCES} 个，先删掉用不着的。"
INVITES: Final = "邀请"
_LONGEST_NAME: Final = 40
_SOON: Final = timedelta(days=14)


class NotImported(Exception):
    """A calendar was not imported. The text is a Chinese sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A calendar that was taken in, and what that changed."""

    source: CalendarSource
    counts: StoredCounts
    coming: Occurrence | None
    """The next of its entries within `_SOON`."""


@dataclass(frozen=True, slots=True)
class MemberOccurrence:
    """One time of an entry of a member's. `told`: it may be named there, not only be told as busy."""

    user_id: str
    source: str
    occurrence: Occurrence
    told: bool


@dataclass(frozen=True, slots=True)
class BusySpan:
    """A time at which a member is busy; aware."""

    user_id: str
    begins: datetime
    ends: datetime


class CalendarSources:
    """Imported calendars over a storage. `wall` is in seconds; times without a zone are in `zone`."""

    def __init__(
        self,
        storage: Storage,
        zone: ZoneInfo,
        wall: Callable[[], float],
        fetch: Fetch | None = None,
    ) -> None:
        self._storage = storage
        self._zone = zone
        self._wall = wall
        self._fetch: Fetch = fetch or CalendarFetcher().fetch

    @property
    def installed(self) -> bool:
        """True if the extra `import` is there."""
        return find_spec("recurring_ical_events") is not None

    async def list_sources(self, user_id: str) -> list[CalendarSource]:
        """A member's calendars, the oldest first. Raises `StorageError`."""
        return await self._storage.imported_calendars.of_member(user_id)

    async def import_file(self, place: Conversation, user_id: str, name: str, data: bytes) -> Imported:
        """Take in a file: what it held before under this name is replaced, an invitation changes its own.

        Raises `NotImported`, `StorageError`.
        """
        parsed = await self._parse(data)
        label = INVITES if parsed.invites else _label(parsed.name or _stem(name))
        key = "invites" if parsed.invites else f"file:{label}"
        if not parsed.entries and not parsed.cancelled:
            raise NotImported("这个日历里一个日程也没有，没有导入。")
        return await self._keep(place, user_id, key, label, None, _content(parsed, None, None))

    async def subscribe(self, place: Conversation, user_id: str, address: str, name: str = "") -> Imported:
        """Take in an address, and look at it again every half hour. Raises `NotImported`, `StorageError`."""
        if not self.installed:
            raise NotImported(MISSING)
        try:
            checked = read_address(address)
            fetched = await self._fetch(checked.url, None, None)
        except RefusedAddress as refused:
            raise NotImported(str(refused)) from None
        except FetchFailed as failed:
            raise NotImported(f"{failed}，没有订阅。") from None
        parsed = await self._parse(fetched.content or b"")
        label = _label(name or parsed.name or checked.host)
        content = _content(parsed, fetched.etag, fetched.modified, whole=True)
        return await self._keep(place, user_id, f"url:{checked.url}", label, checked.url, content)

    async def refresh(self, source: CalendarSource) -> str | None:
        """Look at a subscription again; a sentence where it failed for the first time, to be told once.

        Raises `StorageError`.
        """
        assert source.address is not None
        kept, now = self._storage.imported_calendars, self._wall()
        trouble: str | None = None
        content: NewContent | None = None
        try:
            fetched = await self._fetch(source.address, source.etag, source.modified)
            if fetched.content is not None:
                parsed = await self._parse(fetched.content)
                content = _content(parsed, fetched.etag, fetched.modified, whole=True)
        except (RefusedAddress, FetchFailed, NotImported) as failed:
            trouble = str(failed).rstrip("。")
        if content is not None:
            await kept.refresh(source, content, at=now, next_at=now + EVERY)
            return None
        next_at = now + (EVERY if trouble is None else AGAIN)
        await kept.note_try(source.id, trouble, at=now, next_at=next_at)
        if trouble is None or source.trouble is not None:
            return None
        return f"「{source.name}」这个日历更新不了：{trouble}。先用上次的，好了我再接着更新。"

    async def remove(self, source: CalendarSource) -> None:
        """Take a calendar away, with its entries. Raises `StorageError`."""
        await self._storage.imported_calendars.remove(source.id)

    async def rename(self, source: CalendarSource, name: str) -> None:
        """Call a calendar otherwise. Raises `StorageError`."""
        await self._storage.imported_calendars.rename(source.id, _label(name))

    async def share(self, source: CalendarSource, groups: Sequence[str]) -> None:
        """Say which groups may see a calendar's entries. Raises `StorageError`."""
        await self._storage.imported_calendars.share(source.id, list(dict.fromkeys(groups)))

    async def day_list(
        self, user_id: str, first: datetime, last: datetime, group: str | None = None
    ) -> list[MemberOccurrence]:
        """Entries of a member between two moments, by begin; in a `group` those shared with it.

        Raises `StorageError`.
        """
        found = await self._occurrences(await self.list_sources(user_id), first, last)
        return [
            MemberOccurrence(user_id, source.name, each, told=True)
            for source, each in found
            if group is None or group in source.shared
        ]

    async def named_in(
        self, group: str, user_ids: Sequence[str], me: str | None, first: datetime, last: datetime
    ) -> list[MemberOccurrence]:
        """Entries that may be named to one member in a group, by begin: their own, and what others of
        `user_ids` share with it. Raises `StorageError`."""
        sources = await self._storage.imported_calendars.of_members(user_ids)
        seen = [each for each in sources if each.user_id == me or group in each.shared]
        return [
            MemberOccurrence(source.user_id, source.name, each, told=True)
            for source, each in await self._occurrences(seen, first, last)
        ]

    async def occurrences_of(
        self, user_ids: Sequence[str], first: datetime, last: datetime, group: str | None
    ) -> list[MemberOccurrence]:
        """Times of several members between two moments; `told` where shared with the group.

        Raises `StorageError`.
        """
        sources = await self._storage.imported_calendars.of_members(user_ids)
        return [
            MemberOccurrence(source.user_id, source.name, each, group is not None and group in source.shared)
            for source, each in await self._occurrences(sources, first, last)
        ]

    async def busy(self, user_ids: Sequence[str], first: datetime, last: datetime) -> list[BusySpan]:
        """When members are busy by their imported calendars, without a word of what it is, by begin.

        Raises `StorageError`.
        """
        found = await self.occurrences_of(user_ids, first, last, None)
        spans = [
            BusySpan(each.user_id, each.occurrence.begins, each.occurrence.ends)
            for each in found
            if each.occurrence.busy and each.occurrence.begins < each.occurrence.ends
        ]
        return sorted(set(spans), key=lambda each: (each.begins, each.ends, each.user_id))

    async def _occurrences(
        self, sources: Sequence[CalendarSource], first: datetime, last: datetime
    ) -> list[tuple[CalendarSource, Occurrence]]:
        if not sources or not self.installed:
            return []
        ids = [source.id for source in sources]
        kept = await self._storage.imported_calendars.entries(ids, first.timestamp(), last.timestamp())
        by_source: dict[int, list[KeptEntry]] = {}
        for entry in kept:
            by_source.setdefault(entry.source_id, []).append(entry)

        def work() -> list[tuple[CalendarSource, Occurrence]]:
            found: list[tuple[CalendarSource, Occurrence]] = []
            for source in sources:
                entries = by_source.get(source.id)
                if entries:
                    times = occurrences(source.header, entries, first, last, self._zone)
                    found += [(source, each) for each in times]
            return sorted(found, key=lambda one: (one[1].begins, one[1].ends, one[0].id, one[1].uid))

        return await asyncio.to_thread(work)

    async def _parse(self, data: bytes) -> ParsedCalendar:
        if not self.installed:
            raise NotImported(MISSING)
        now = datetime.fromtimestamp(self._wall(), self._zone)
        try:
            return await asyncio.to_thread(parse_calendar, data, self._zone, now)
        except UnreadableCalendar as error:
            raise NotImported(str(error)) from None

    async def _keep(
        self,
        place: Conversation,
        user_id: str,
        key: str,
        name: str,
        address: str | None,
        content: NewContent,
    ) -> Imported:
        now = self._wall()
        next_at = None if address is None else now + EVERY
        stored = await self._storage.imported_calendars.put(
            place, user_id, key, name, address, content, at=now, next_at=next_at
        )
        if stored is None:
            raise NotImported(FULL)
        source, counts = stored
        begins = datetime.fromtimestamp(now, self._zone)
        coming = await self._occurrences([source], begins, begins + _SOON)
        return Imported(source, counts, coming[0][1] if coming else None)


def _content(
    parsed: ParsedCalendar, etag: str | None, modified: str | None, *, whole: bool | None = None
) -> NewContent:
    entries = [
        NewEntry(each.uid, each.sequence, each.title, each.place, each.text, each.first_at, each.last_at)
        for each in parsed.entries
    ]
    replaces = not parsed.invites if whole is None else whole
    return NewContent(
        parsed.header, entries, parsed.skipped, etag, modified, whole=replaces, cancelled=parsed.cancelled
    )


def _label(name: str) -> str:
    words = " ".join(name.split())
    return words[:_LONGEST_NAME] or "日历"


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]
