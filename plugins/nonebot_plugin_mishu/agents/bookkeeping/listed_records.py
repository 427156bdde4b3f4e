"""Records in the order last shown to a member, as referents of 第二个 and 最后那笔. In memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...storage.records import Conversation

WITHIN: Final = 1800.0
"""Seconds of validity of a list"""
_MOST: Final = 2000
"""Number of members with remembered lists"""


@dataclass
class ListedRecords:
    """Records last recorded for, or listed to, each member. Times are wall seconds."""

    _seen: dict[tuple[Conversation, str], tuple[tuple[int, ...], float]] = field(
        default_factory=dict[tuple[Conversation, str], tuple[tuple[int, ...], float]]
    )
    _changed: dict[tuple[Conversation, str], tuple[int, float]] = field(
        default_factory=dict[tuple[Conversation, str], tuple[int, float]]
    )

    def note(self, conversation: Conversation, user_id: str, ids: Sequence[int], at: float) -> None:
        """Note records just recorded or listed, in this order."""
        self._changed.pop((conversation, user_id), None)
        self._seen.pop((conversation, user_id), None)
        self._seen[conversation, user_id] = (tuple(ids), at)
        while len(self._seen) > _MOST:
            del self._seen[next(iter(self._seen))]

    def note_changed(self, conversation: Conversation, user_id: str, record: int, at: float) -> None:
        """Note a changed record, as the referent of a line without a name; the list stays."""
        self._changed.pop((conversation, user_id), None)
        self._changed[conversation, user_id] = (record, at)
        while len(self._changed) > _MOST:
            del self._changed[next(iter(self._changed))]

    def newest(self, conversation: Conversation, user_id: str, now: float) -> int | None:
        """Id of the record just changed, or recorded or listed alone; None if none."""
        changed = self._changed.get((conversation, user_id))
        if changed is not None:
            return changed[0] if 0 <= now - changed[1] <= WITHIN else None
        ids = self.of(conversation, user_id, now)
        return ids[0] if len(ids) == 1 else None

    def of(
        self, conversation: Conversation, user_id: str, now: float, since: float | None = None
    ) -> tuple[int, ...]:
        """Ids in their order; empty if older than `since`, or expired."""
        ids, at = self._seen.get((conversation, user_id), ((), 0.0))
        held = 0 <= now - at <= WITHIN and (since is None or at >= since)
        return ids if held else ()
