"""Chat platform protocol, implemented by an adapter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..secretary import Speech
from ..storage.records import Conversation


@dataclass(frozen=True, slots=True)
class Means:
    """Capabilities of a platform in a conversation, on which our texts depend."""

    recalls: bool = True
    """It tells when somebody takes a message back."""
    unasked: bool = True
    """Something may be said there though nobody has said anything."""
    announcements: bool = True
    """Accounts can put something among a group's announcements (群公告), as far as the protocol goes."""


class Platform(Protocol):
    """Sends, and knows whose accounts are ours."""

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send it as text (folded where it is long); the platform's message id.

        Raises `SendFailed` where it was refused, where no account is connected, or where nobody knows.
        """
        ...

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Hand a file to the conversation; False where the platform refuses."""
        ...

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Put a text among the group's announcements (群公告). Raises `SendFailed`."""
        ...

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording by its name or link, at most `largest` bytes, within `timeout` seconds;
        or None."""
        ...

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """Content of a file in a message, at most `largest` bytes, within `timeout` seconds; None where the
        platform does not give it."""
        ...

    def names_of(self, where: Conversation) -> Collection[str]:
        """Names of our accounts in a conversation, beside the names common to all."""
        ...

    def can_speak(self, where: Conversation) -> bool:
        """True if a connected account of this process is on duty and can speak there now."""
        ...

    def means(self, where: Conversation) -> Means:
        """What can be done there."""
        ...

    def trouble(self, account: str) -> str:
        """Why nothing can be said through one of our accounts, in a few Chinese words without anything
        secret; empty where it can, as far as is known."""
        ...

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        """Note that an old line (wall seconds) is answered now: on platforms whose replies have to name a
        recent line, it may be named."""
        ...

    def speaker(self, where: Conversation) -> str:
        """The account through which we speak there."""
        ...

    def accounts(self) -> Collection[str]:
        """Our own accounts that are connected: what they say is never obeyed."""
        ...
