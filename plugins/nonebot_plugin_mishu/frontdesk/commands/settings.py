"""Changing what admins may change of a conversation: one way, for commands and for pages alike.

Every change is on disk, and known to the room, when its call returns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...storage import Storage
from ...storage.quiet.records import QuietHours
from ...storage.records import WordKind
from ..rooms.room import Room
from .features import Switched


class SettingDesk:
    """Words, features, persona, listening and the times of digests. Raises `StorageError`."""

    def __init__(self, storage: Storage, switched: Switched) -> None:
        self._storage = storage
        self._switched = switched

    async def add_word(self, room: Room, kind: WordKind, word: str) -> None:
        """Add a word; `word_guard.refusal` says which may be one."""
        await self._storage.settings.add_word(room.conversation, kind, word)
        await self._reload(room)

    async def remove_word(self, room: Room, kind: WordKind, word: str) -> None:
        """Remove a word, added or configured."""
        await self._storage.settings.remove_word(room.conversation, kind, word)
        await self._reload(room)

    async def switch(self, room: Room, feature: str, on: bool) -> None:
        """Switch a feature, and tell who has to know."""
        await self._storage.settings.set_feature(room.conversation, feature, on)
        await self._reload(room)
        await self._switched(room.conversation, feature, on)

    async def set_persona(self, room: Room, persona: str | None) -> None:
        """Set the persona; None: the configured one."""
        await self._storage.settings.set_persona(room.conversation, persona)
        await self._reload(room)

    async def set_times(self, room: Room, **values: str | None) -> None:
        """Set `listen`, `digest_time`, `weekly_time`, `quiet_hours`; None: as usual."""
        await self._storage.settings.set_times(room.conversation, **values)
        await self._reload(room)
        for name, feature in _TIMED.items():
            if name in values and room.allows(feature):
                await self._switched(room.conversation, feature, True)

    async def set_member_quiet(self, room: Room, user_id: str, hours: QuietHours | None) -> None:
        """Set a member's own quiet hours, on all of the account; None: none."""
        await self._storage.member_quiet.set_member(room.conversation, user_id, hours)

    async def _reload(self, room: Room) -> None:
        kept = await self._storage.settings.load(room.conversation)
        room.settings = replace(kept, silence=room.settings.silence)


_TIMED: Final = {"digest_time": "日报", "weekly_time": "周报"}
"""Settings that say when a feature speaks."""
