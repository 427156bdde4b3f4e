"""Ledger access of the record agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from ...storage.records import Conversation, LedgerMessage

Came = Callable[[Conversation, str], Awaitable[float | None]]
"""Time a member joined a conversation (wall seconds); None: before observation began."""


class RecordLedger(Protocol):
    """Messages of one conversation, without recalled ones. Raises `StorageError`."""

    async def between(
        self, conversation: Conversation, since: float, until: float, limit: int
    ) -> list[LedgerMessage]:
        """The newest `limit` messages from `since` to before `until` (wall seconds), oldest first."""
        ...

    async def last_said(self, conversation: Conversation, user_id: str, before: float) -> float | None:
        """Time of a member's last line before that moment; None if unknown."""
        ...

    async def containing(
        self,
        conversation: Conversation,
        words: Sequence[str],
        *,
        user_id: str | None,
        since: float,
        until: float,
        limit: int,
    ) -> list[LedgerMessage]:
        """Newest messages of members with all of these words, newest first."""
        ...
