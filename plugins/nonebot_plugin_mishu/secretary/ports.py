"""What the secretary needs of the world: somebody who speaks for it, and somewhere to note things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..storage.records import Conversation, DecisionRecord, LedgerMessage


class SendFailed(Exception):
    """What should have been said was not sent, or nobody knows whether it was. Says why, in words."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Something to be said: plain text, sent as text segments only."""

    text: str
    quote: str | None = None
    """Id of the message it answers."""
    urgent: bool = False
    """Waiting and patience lines: sent before anything else that waits."""
    answers: tuple[str, ...] = ()
    """Ids of the messages it answers."""


class Desk(Protocol):
    """The front desk, as the secretary sees it."""

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        """Send and store it; the platform's message id. Raises `SendFailed`."""
        ...

    async def claim(self, conversation: Conversation, message_ids: Sequence[str]) -> bool:
        """Claim the right to answer these messages, on disk; False where somebody answered before."""
        ...

    async def processed(self, conversation: Conversation, message_ids: Sequence[str]) -> None:
        """Mark messages as processed."""
        ...

    async def captioned(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        """Keep the descriptions of a message's pictures."""
        ...

    async def decided(self, record: DecisionRecord) -> None:
        """Keep a decision and tell who listens."""
        ...

    def persona(self, conversation: Conversation) -> str | None:
        """The persona set for the conversation."""
        ...

    def allows(self, conversation: Conversation, feature: str) -> bool:
        """Whether a feature is on."""
        ...
