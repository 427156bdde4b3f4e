"""Records in the order in which a member just saw them: what 第二个 and 最后那笔 mean. In memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...storage.records import Conversation

WITHIN: Final = 1800.0
"""Seconds in which the places of a list hold."""
_MOST: Final = 2000
"""Members whose lists are remembered."""


@dataclass
class ListedRecords:
    """The records last recorded with, or listed to, each member. Times are wall seconds."""

    _seen: dict[tuple[Conversation, str], tuple[tuple[int, ...], float]] = field(
        default_factory=dict[tuple[Conversation, str], tuple[tuple[int, ...], float]]
    )
    _changed: dict[tuple[Conversation, str], tuple[int, float]] = field(
        default_factory=dict[tuple[Conversation, str], tuple[int, float]]
    )

    def note(self, conversation: Conversation, user_id: str, ids: Sequence[int], at: float) -> None:
        """These were just recorded or listed, in this order."""
        self._changed.pop((conversation, user_id), None)
        self._seen.pop((conversation, user_id), None)
        self._seen[conversation, user_id] = (tuple(ids), at)
        while len(self._seen) > _MOST:
            del self._seen[next(iter(self._seen))]

    def note_changed(self, conversation: Conversation, user_id: str, record: int, at: float) -> None:
        """This one was just changed: what names none means it, and the places of the list stay."""
        self._changed.pop((conversation, user_id), None)
        self._changed[conversation, user_id] = (record, at)
        while len(self._changed) > _MOST:
            del self._changed[next(iter(self._changed))]

    def newest(self, conversation: Conversation, user_id: str, now: float) -> int | None:
        """The one record that was just changed, recorded or listed alone; None where there is none."""
        changed = self._changed.get((conversation, user_id))
        if changed is not None:
            return changed[0] if 0 <= now - changed[1] <= WITHIN else None
        ids = self.of(conversation, user_id, now)
        return ids[0] if len(ids) == 1 else None

    def of(
        self, conversation: Conversation, user_id: str, now: float, since: float | None = None
    ) -> tuple[int, ...]:
        """The ids in their order; none where they are older than `since`, or than their places hold."""
        ids, at = self._seen.get((conversation, user_id), ((), 0.0))
        held = 0 <= now - at <= WITHIN and (since is None or at >= since)
        return ids if held else ()
