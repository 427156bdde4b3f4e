"""The task that looks at subscribed calendars again when their time has come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Final

from ...agents import Announcer, NotAnnounced
from ...report import Report
from ...storage import Storage, StorageError
from ...storage.calendars.queries import CalendarSource
from .fetching import TIMEOUT
from .sources import CalendarSources

EVERY: Final = 60.0
"""Seconds between two looks at what is due."""
AT_ONCE: Final = 20
_LEASE: Final = 600.0
"""Seconds after which a look that another process began is begun anew."""


class Refreshing:
    """Refreshes what is due, one after the other. A subscription belongs to the process of its account."""

    def __init__(
        self,
        storage: Storage,
        sources: CalendarSources,
        announcer: Announcer,
        wall: Callable[[], float],
        accounts: Callable[[], Collection[str]],
        report: Report,
        foreign: Collection[str] = (),
    ) -> None:
        """`foreign` are accounts of nobody (calendars from pages, without a bot): any process's."""
        self._storage = storage
        self._sources = sources
        self._announcer = announcer
        self._wall = wall
        self._accounts = accounts
        self._report = report
        self._foreign = frozenset(foreign)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run(), name="mishu calendars")

    async def stop(self) -> None:
        """End, whatever is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except StorageError as error:
                self._report("订阅的日历这次没有更新", error)

    async def look(self) -> int:
        """Refresh what is due; how many. Raises `StorageError`."""
        now, done = self._wall(), 0
        ours = {*self._accounts(), *self._foreign}
        for source in await self._storage.imported_calendars.due(now, AT_ONCE):
            if source.place.self_id not in ours:
                continue
            if not await self._storage.imported_calendars.claim(source, now + _LEASE):
                continue
            done += 1
            try:
                async with asyncio.timeout(2 * TIMEOUT + 30.0):
                    said = await self._sources.refresh(source)
            except TimeoutError:
                continue  # its lease ends by itself
            except StorageError:
                raise
            except Exception as error:  # noqa: BLE001 - reported; one calendar keeps no other from being read
                self._report("一个订阅的日历读不了，别的照常更新", error)
                continue
            if said is not None:
                await self._tell(source, said)
        return done

    async def _tell(self, source: CalendarSource, said: str) -> None:
        try:
            await self._announcer.announce(source.place, said)
        except NotAnnounced as why:
            self._report("日历更新不了，没能告诉它的主人", why)
