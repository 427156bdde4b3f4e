"""The ledger on disk (product section 1): every message heard, unique by `(self_id, message_id)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .records import Conversation, LedgerMessage


class Ledger:
    """Messages of all conversations. Order is `(time, receipt)`. What is queued is always seen too."""

    def append(self, message: LedgerMessage) -> None:
        """Queue a message; never blocks, never raises for trouble of the database.

        On disk after 0.25 s and one commit. A message whose `(self_id, message_id)` is known is ignored.
        """
        raise NotImplementedError

    def hasten(self) -> None:
        """Have what is queued written now; used where a message is an obligation."""
        raise NotImplementedError

    async def flush(self) -> None:
        """Return once everything queued before this call is on disk."""
        raise NotImplementedError

    async def exists(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """Those of `message_ids` that the ledger knows."""
        raise NotImplementedError

    async def load(self, conversation: Conversation, limit: int) -> list[LedgerMessage]:
        """The newest `limit` messages, oldest first."""
        raise NotImplementedError

    async def page(
        self, conversation: Conversation, limit: int, after: str | None = None
    ) -> list[LedgerMessage]:
        """The first `limit` messages behind `after`, oldest first; without `after` the newest `limit`.

        An `after` that the conversation does not know gives an empty list.
        """
        raise NotImplementedError

    async def mark_processed(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as processed; on disk when this returns."""
        raise NotImplementedError

    async def mark_recalled(self, conversation: Conversation, message_ids: Iterable[str]) -> None:
        """Mark messages as recalled; on disk when this returns."""
        raise NotImplementedError

    async def set_captions(
        self, conversation: Conversation, message_id: str, captions: Sequence[str]
    ) -> None:
        """Store the descriptions of a message's pictures; on disk when this returns."""
        raise NotImplementedError

    async def pending(self, self_id: str, since: float) -> list[LedgerMessage]:
        """Addressed messages not processed, recalled or claimed, of `since` (seconds) or later, in order."""
        raise NotImplementedError

    async def expire_pending(self, self_id: str, before: float) -> int:
        """Mark addressed, unprocessed messages older than `before` (seconds) processed; how many."""
        raise NotImplementedError

    async def recent_conversations(self, self_id: str, limit: int = 1000) -> list[Conversation]:
        """Conversations with messages, the one with the newest first."""
        raise NotImplementedError

    async def of_member(self, conversation: Conversation, user_id: str) -> list[LedgerMessage]:
        """Everything a member said here, oldest first (product section 11)."""
        raise NotImplementedError

    async def forget_member(self, conversation: Conversation, user_id: str) -> int:
        """Delete what a member said here and the decisions about it; how many messages."""
        raise NotImplementedError
