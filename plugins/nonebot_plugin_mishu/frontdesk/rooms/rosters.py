"""Groups and their members as a platform lists them, for pages: values and one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ...storage.records import Conversation, Role

Standing = Role | Literal["gone", "unknown"]
"""Status of somebody in a group: a role, `gone` for no member, or `unknown` at the moment."""


@dataclass(frozen=True, slots=True)
class GroupCard:
    """A group."""

    name: str
    member_count: int


@dataclass(frozen=True, slots=True)
class MemberCard:
    """A member; `last_spoke_at` wall seconds, None where it does not tell."""

    user_id: str
    name: str
    role: Role
    last_spoke_at: float | None


class Rosters(Protocol):
    """Asks the platform, and remembers for a while. Neither raises: what cannot be had is empty."""

    async def groups(self, self_id: str) -> Mapping[str, GroupCard]:
        """The groups of one of our accounts by their ids."""
        ...

    async def members(self, conversation: Conversation) -> Sequence[MemberCard]:
        """Members of a group."""
        ...

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        """Role of a member in a group, asked of the platform anew; a superuser counts as an admin."""
        ...

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """When somebody came into a group (wall seconds); None where the platform does not tell."""
        ...

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Name of a member in a group: the card, else the nickname; None if the platform gives neither."""
        ...


class NoRosters:
    """There is no platform to ask."""

    async def groups(self, self_id: str) -> Mapping[str, GroupCard]:
        """None."""
        return {}

    async def members(self, conversation: Conversation) -> Sequence[MemberCard]:
        """Nobody."""
        return ()

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        """Nobody can tell."""
        return "unknown"

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """Nobody can tell."""
        return None

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Nobody can tell."""
        return None
