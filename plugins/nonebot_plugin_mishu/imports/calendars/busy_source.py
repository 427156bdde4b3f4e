"""Imported calendars as a source of busy times: others learn that a member is busy, never with what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from ...agents.schedule.free.busy import Busy
from ...storage.records import Conversation
from .sources import CalendarSources


class ImportedBusySource:
    """`agents.schedule.BusySource` over imported calendars."""

    def __init__(self, sources: CalendarSources) -> None:
        self._sources = sources

    async def busy(
        self, place: Conversation, users: Collection[str], first: datetime, last: datetime
    ) -> Sequence[Busy]:
        """Stretches of these members by their imported calendars, without names. Raises `StorageError`."""
        spans = await self._sources.busy(sorted(users), first, last)
        return [Busy(each.user_id, each.begins, each.ends, private=True) for each in spans]
