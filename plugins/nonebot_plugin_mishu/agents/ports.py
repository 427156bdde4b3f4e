"""What agents need of the front desk beyond a reply: a way to speak up by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..storage.records import Conversation


class NotAnnounced(Exception):
    """It was not said. `perhaps` is True where nobody knows: then it may be said once more, marked."""

    def __init__(self, reason: str, *, perhaps: bool = False) -> None:
        super().__init__(reason)
        self.perhaps = perhaps


class Announcer(Protocol):
    """Speaks up in a conversation without having been asked: due reminders, expired drafts, digests."""

    async def announce(
        self,
        conversation: Conversation,
        text: str,
        *,
        mentions: Sequence[str] = (),
        everybody: bool = False,
        timeout: float = 30.0,
    ) -> str:
        """Send through the conversation's outbox and put it into the ledger; the platform's message id.

        `mentions` are members who are @-mentioned before the text. Moves no presence. Raises `NotAnnounced`.
        """
        ...

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Hand a file to the conversation; False where the platform refuses or cannot."""
        ...

    def silent_until(self, conversation: Conversation) -> float | None:
        """Wall seconds until which nothing may be said there; None where we may speak."""
        ...

    def connected(self, self_id: str) -> bool:
        """Whether the account can send now."""
        ...

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        """Whether a feature is on there."""
        ...
