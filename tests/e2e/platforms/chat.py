"""A group as its members see it, whatever the platform: what the scenarios are written against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Someone:
    """A member: `id` is the platform's."""

    id: str
    name: str
    role: str = "member"


@dataclass(eq=False)
class Seen:
    """A message of the bot's as members see it."""

    id: str
    text: str
    ats: list[str] = field(default_factory=list)
    buttons: list[str] = field(default_factory=list)
    pictures: int = 0
    taken: bool = False


@dataclass(frozen=True)
class Line:
    """A member's line; `event` is the platform's."""

    id: str
    by: Someone
    text: str


class Chat(Protocol):
    """A group (or a friend's conversation) on one platform."""

    id: str
    """The group's id, as the API takes it."""
    recalls: bool
    """Members' recalls are told to the bot."""
    buttons: bool
    publishes: bool
    """The bot can put something among the group's announcements."""

    def member(self, name: str, role: str = "member") -> Someone:
        """A new member."""
        ...

    async def say(self, who: Someone, text: str) -> Line:
        """Say something."""
        ...

    async def call(self, who: Someone, text: str) -> Line:
        """Say something with an @ of the bot before it."""
        ...

    async def quote(self, who: Someone, seen: Seen, text: str) -> Line:
        """Say something as a reply to a message of the bot's."""
        ...

    async def press(self, who: Someone, seen: Seen, label: str) -> None:
        """Press a button."""
        ...

    async def recall(self, line: Line) -> None:
        """Take a line back."""
        ...

    def make_admin(self) -> None:
        """The bot is an admin of the group from now on."""
        ...

    def announcements(self) -> list[str]:
        """The group's announcements, the oldest first."""
        ...

    async def expect(
        self, matching: str | Callable[[Seen], bool] | None = None, within: float = 12.0
    ) -> Seen:
        """The next message of the bot's that fits and that no expectation took."""
        ...

    def left(self) -> list[Seen]:
        """Messages that no expectation took."""
        ...

    def take_all(self) -> None:
        """What was said until now is of no matter."""
        ...

    def alone(self, who: Someone) -> Chat:
        """The private conversation of a member with the bot."""
        ...


async def settled(chat: Chat, watch: Someone) -> Seen:
    """Ask for the status and take the answer: it comes behind everything decided before."""
    await chat.say(watch, "/秘书 状态")
    return await chat.expect(lambda seen: seen.text.startswith("我在，"))
