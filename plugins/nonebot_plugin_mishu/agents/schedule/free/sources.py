"""Sources of free time in the database, and all sources asked together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from ....storage import Storage
from ....storage.records import Conversation
from ....storage.schedules.records import WALL
from .busy import Busy, BusySource, busy_of_schedule, busy_of_task
from .spans import KNOWN_WITHIN, Window


class ScheduleSource:
    """Schedules that members made or joined, of this group and of others."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def busy(
        self, place: Conversation, users: Collection[str], first: datetime, last: datetime
    ) -> Sequence[Busy]:
        """As `BusySource.busy`."""
        store = self._storage.schedules
        near = {
            each.id: each for each in await store.around(place, first.strftime(WALL), last.strftime(WALL))
        }
        elsewhere = await store.of_members(users, first.strftime(WALL), last.strftime(WALL))
        # What an admin put down for everybody holds in its own group only.
        near |= {each.id: each for each in elsewhere if each.conversation == place or not each.plan.everybody}
        return [busy for each in near.values() for busy in busy_of_schedule(each, users, first, last)]


class TaskSource:
    """Open tasks that stand at a clock or fill a part of the day, wherever they were made."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def busy(
        self, place: Conversation, users: Collection[str], first: datetime, last: datetime
    ) -> Sequence[Busy]:
        """As `BusySource.busy`."""
        kept = await self._storage.tasks.clocked_of(users)
        return [busy for each in kept for busy in busy_of_task(each, first, last)]


class BusyTimes:
    """All sources together. Others add theirs with `add`."""

    def __init__(self, storage: Storage, sources: Sequence[BusySource] = ()) -> None:
        self._sources: list[BusySource] = [ScheduleSource(storage), TaskSource(storage), *sources]

    def add(self, source: BusySource) -> None:
        """Ask one more source from now on."""
        self._sources.append(source)

    async def recorded(
        self, place: Conversation, users: Collection[str], windows: Sequence[Window]
    ) -> list[Busy]:
        """Entries of these members in the windows and `KNOWN_WITHIN` around them. Raises `StorageError`."""
        if not windows or not users:
            return []
        first, last = windows[0].begins - KNOWN_WITHIN, windows[-1].ends + KNOWN_WITHIN
        asked = list(dict.fromkeys(users))
        return [each for source in self._sources for each in await source.busy(place, asked, first, last)]
