"""What the record agent needs of the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from ...storage.records import Conversation, LedgerMessage

Came = Callable[[Conversation, str], Awaitable[float | None]]
"""When a member came into a conversation (wall seconds); None: they were there before anybody looked."""


class RecordLedger(Protocol):
    """Reads one conversation's messages; recalled ones are in nothing it gives. Raises `StorageError`."""

    async def between(
        self, conversation: Conversation, since: float, until: float, limit: int
    ) -> list[LedgerMessage]:
        """The newest `limit` messages from `since` to before `until` (wall seconds), oldest first."""
        ...

    async def last_said(self, conversation: Conversation, user_id: str, before: float) -> float | None:
        """When a member last said something before that moment; None: never, as far as is known."""
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
        """The newest messages of members that hold all of these words, newest first."""
        ...
