"""Ports of the secretary: sending replies, recording turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ..storage.records import Conversation, DecisionRecord, LedgerMessage

TALK_FEATURE: Final = "聊天"
"""The feature by which talk is answered; without it only work is."""
SIGN_FEATURE: Final = "表情"
"""The feature by which a ✅ takes the place of words that say no more."""


class SendFailed(Exception):
    """A reply was not sent, or its delivery is unknown. The message is the reason.

    `perhaps`: it may have been sent all the same. `not_now`: the platform takes nothing unasked there; it
    can be said as soon as somebody says something.
    """

    def __init__(self, reason: str, *, perhaps: bool = False, not_now: bool = False) -> None:
        super().__init__(reason)
        self.perhaps = perhaps
        self.not_now = not_now


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a speech; a press is a line of the member who pressed it, with the words it says."""

    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Speech:
    """Something to be said: plain text, sent as text segments only, with what goes along with it."""

    text: str
    quote: str | None = None
    """Id of the message it answers."""
    urgent: bool = False
    """Waiting and patience lines: sent before anything else that waits."""
    answers: tuple[str, ...] = ()
    """Ids of the messages it answers."""
    mentions: tuple[str, ...] = ()
    """Members @-mentioned before the text; in a group only."""
    everybody: bool = False
    """@ everybody before the text; in a group only."""
    pictures: tuple[bytes, ...] = ()
    """PNG pictures behind the text."""
    voice: bytes | None = None
    """The text spoken, sent behind it as a message of its own."""
    sign: bool = False
    """A ✅ on the quoted message says as much, where the platform has such reactions."""
    via: str | None = None
    """Through which group a member is reached who is no friend (a temporary session); in private only."""
    buttons: tuple[Button, ...] = ()
    """Shown where the platform has buttons; the text says all the same what can be answered."""
    noted: str | None = None
    """Ledger text in place of a private one (an export, an address)."""


class DeskPort(Protocol):
    """The front desk, as the secretary sees it."""

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        """Send and store it; the platform's message id. Raises `SendFailed`."""
        ...

    async def claim(
        self, conversation: Conversation, message_ids: Sequence[str], reply: str | None = None
    ) -> bool:
        """Claim the right to answer these messages, on disk; False where somebody answered before. A `reply`
        that is owed is kept with it until it was said."""
        ...

    async def set_captions(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        """Store the captions of a message's pictures."""
        ...

    async def store_decision(
        self, record: DecisionRecord, ids: Sequence[str], looked_at: Sequence[str] = (), *, wait: bool = True
    ) -> None:
        """Store a decision, mark the messages it was made on as processed, and tell the audience.

        `ids` are the turn's own; of what was `looked_at` beside them, what has to be answered by now stays
        open. Without `wait` the disk is not waited for.
        """
        ...

    def speak(self, conversation: Conversation, text: str) -> None:
        """Say a reply aloud as well, in a task of the desk's, where that is wanted."""
        ...

    def persona(self, conversation: Conversation) -> str | None:
        """The persona set for the conversation."""
        ...

    def allows(self, conversation: Conversation, feature: str) -> bool:
        """True if a feature is on."""
        ...
