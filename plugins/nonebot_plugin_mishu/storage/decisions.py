"""The traces of decisions (product section 2, Trace)."""

from __future__ import annotations

from .records import Conversation, DecisionRecord


class Decisions:
    """Why the secretary spoke or stayed silent."""

    async def add(self, record: DecisionRecord) -> int:
        """Store a decision; its id, once it is on disk. Ids only grow and are never used again."""
        raise NotImplementedError

    async def latest(self, conversation: Conversation, limit: int) -> list[DecisionRecord]:
        """The newest `limit` decisions of a conversation, newest first."""
        raise NotImplementedError
