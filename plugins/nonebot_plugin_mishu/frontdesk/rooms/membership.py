"""Times at which members joined a group: older lines are not shown to them."""

from __future__ import annotations

from ...storage.record.joins import Joins
from ...storage.records import Conversation
from .rosters import Rosters


class Membership:
    """Group membership as observed; for times of absence, as the platform reports it."""

    def __init__(self, joins: Joins, rosters: Rosters) -> None:
        self._joins = joins
        self._rosters = rosters

    async def since(self, conversation: Conversation, user_id: str) -> float | None:
        """Wall seconds; None where nobody can tell: they were there before. Raises `StorageError`."""
        seen = await self._joins.since(conversation, user_id)
        if seen is not None or not conversation.is_group:
            return seen
        told = await self._rosters.joined_at(conversation, user_id)
        if told is not None:
            # Kept: the platform need not be asked again, and may be away when it is needed.
            await self._joins.store_join(conversation, user_id, told)
        return told
