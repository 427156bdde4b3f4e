"""Ports of agents to the front desk, for speaking up by themselves, and to each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from ...storage.records import Conversation
from .task_context import TaskContext


class NotAnnounced(Exception):
    """An announcement was not sent. `perhaps` is True where nobody knows: then it may be sent once more,
    marked. `not_now`: the platform takes nothing unasked there, until somebody says something."""

    def __init__(self, reason: str, *, perhaps: bool = False, not_now: bool = False) -> None:
        super().__init__(reason)
        self.perhaps = perhaps
        self.not_now = not_now


@dataclass(frozen=True, slots=True)
class Handed:
    """Parts that reached a member in private."""

    file: bool = False
    words: bool = False

    def __bool__(self) -> bool:
        return self.file or self.words


class DayList(Protocol):
    """An agent's stored items on some days: a question about a day means those of all agents."""

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """The list with its heading, both days included; empty where there is nothing."""
        ...


TalkLookup = Callable[[TaskContext], Awaitable[str | None]]
"""Answer from the group's talk to a question without stored items; None where it has none."""


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
        buttons: Sequence[tuple[str, str]] = (),
    ) -> str:
        """Send through the conversation's outbox and put it into the ledger; the platform's message id.

        `mentions` are members who are @-mentioned before the text, `buttons` labels with the words they say.
        Moves no presence. Raises `NotAnnounced`.
        """
        ...

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Hand a file to the conversation; False where the platform refuses or cannot."""
        ...

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        """Give one member of a conversation what is theirs alone, in private and nowhere else.

        The file (name, content) goes first, then the words: `told` makes them, knowing whether it went. Our
        ledger keeps neither. Whoever is no friend is reached through the group where the platform allows.
        """
        ...

    def publishes_as(self, conversation: Conversation) -> str | None:
        """Id of our account that can put something among the group's announcements (群公告), as far as the
        protocol goes; None where there is no way."""
        ...

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Put a text among the group's announcements. Raises `NotAnnounced`."""
        ...

    def silent_until(self, conversation: Conversation) -> float | None:
        """Wall seconds until which nothing may be said there; None where we may speak."""
        ...

    def connected(self, conversation: Conversation) -> bool:
        """True if something can be said there now: by an account of ours that is connected and on duty."""
        ...

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        """True if a feature is on there."""
        ...
