"""Actor of a request over HTTP or in the console, and their rights. Pure.

The guard names the actor: the owner of the bot (token, or this machine), or a member of one group by their
session. A member's rights end at their group; an owner has all, but every write is somebody's, so an owner
names whose (`Write`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["owner", "admin", "member"]


@dataclass(frozen=True, slots=True)
class Actor:
    """The person acting. Never taken from a body or a model, except whom an owner acts for."""

    role: Role
    """`owner` of the bot; `admin` (or owner) of the group, or `member` of it."""
    user_id: str | None = None
    """Their number; None for an owner who named nobody yet."""
    group_id: str | None = None
    """The one group in which an admin or a member has rights; None for an owner: all."""
    name: str = ""
    """Their card or nickname, only to be shown; empty: what the ledger knows."""

    @property
    def is_owner(self) -> bool:
        """True for an owner of the bot."""
        return self.role == "owner"


OWNER: Final = Actor("owner")
"""The owner of the bot, acting for nobody yet."""


def sees_group(actor: Actor, group_id: str) -> bool:
    """True if the actor may see a group: its calendar, books, members, messages, decisions."""
    return actor.is_owner or actor.group_id == group_id


def governs(actor: Actor, group_id: str) -> bool:
    """True if the actor may change what belongs to the group or to others in it."""
    return actor.is_owner or (actor.role == "admin" and actor.group_id == group_id)


def sees_person(actor: Actor, user_id: str) -> bool:
    """True if the actor may see a person's own items: their memory, their records."""
    return actor.is_owner or actor.user_id == user_id


def sees_tasks(actor: Actor, user_id: str) -> bool:
    """True if the actor may list a member's tasks; an admin sees those of their group."""
    return actor.role in ("owner", "admin") or actor.user_id == user_id


def sees_bot(actor: Actor) -> bool:
    """True if the actor may see the whole bot: all accounts, backups, total costs."""
    return actor.is_owner


@dataclass(frozen=True, slots=True)
class Write:
    """A write: who asks for it, under which name, for whom, and the answer to its question."""

    actor: Actor
    origin: str = ""
    """Names the write: the same for its repetitions, which write nothing twice."""
    user_id: str | None = None
    """Whom an owner acts for; of a member it is not looked at."""
    confirm: bool = False
    """True once the question of a 409 was answered with yes."""

    @property
    def person(self) -> str | None:
        """The person whose write it is: always themselves for a member; None where an owner names nobody."""
        return (self.user_id if self.actor.is_owner else None) or self.actor.user_id
