"""Access tokens of members' programs, with the member's rights in the one group.

A token is shown once, when it is made; only its hash is stored. It is good until it is revoked, its member
leaves or is forgotten, or asks for the end of all sessions. The role is asked of the platform anew every
hour, as a session's is."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...clock import Clock
from ...frontdesk.rooms.rosters import Rosters
from ...storage.access.sessions import Holder
from ...storage.access.tokens import MemberToken, TokenStore
from ...storage.records import Conversation
from ..office import Office
from ..refusals import forbidden, invalid, missing
from .actor import Actor, sees_group
from .standing import StandingCheck

PREFIX: Final = "mishu_"
"""Prefix of every token: tells it from the owner's, and lets scanners for leaked secrets find it."""
MOST: Final = 5
"""Tokens that a member may have in one group."""
LONGEST_LABEL: Final = 40
_BYTES: Final = 32
_LENGTH: Final = len(PREFIX) + 43


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made; `secret` is given out once."""

    secret: str
    token: MemberToken


async def create_token(office: Office, actor: Actor, place: Conversation, label: str) -> NewToken:
    """Make a token for the acting member. Raises `Refused`."""
    user_id = _require_member(actor, place)
    named = " ".join(label.split())
    if not named:
        raise invalid("label", "写上给谁用，比如：我的助手")
    if len(named) > LONGEST_LABEL:
        raise invalid("label", f"最多 {LONGEST_LABEL} 个字")
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    holder = Holder(place, user_id, actor.name, "admin" if actor.role == "admin" else "member")
    made = await office.storage.tokens.add(_hash_token(secret), holder, named, office.clock.wall(), MOST)
    if made is None:
        raise invalid("label", f"一个群里最多 {MOST} 个令牌，先停用一个")
    return NewToken(secret, made)


async def list_tokens(office: Office, actor: Actor, place: Conversation) -> Sequence[MemberToken]:
    """The acting member's tokens in a group, oldest first. Raises `Refused`."""
    return await office.storage.tokens.of_member(place, _require_member(actor, place))


async def revoke_token(office: Office, actor: Actor, place: Conversation, token_id: int) -> None:
    """End one of the acting member's tokens. Raises `Refused`."""
    if not await office.storage.tokens.revoke(place, _require_member(actor, place), token_id):
        raise missing("令牌")


class MemberTokens:
    """Reads the tokens that requests bring. Every call may raise `StorageError`."""

    def __init__(self, kept: TokenStore, clock: Clock, rosters: Rosters) -> None:
        self._kept = kept
        self._clock = clock
        self._standing = StandingCheck(clock, rosters)

    async def actor(self, token: str) -> Actor | None:
        """The actor of a token; None for a wrong or revoked one. Raises `Refused` (503) where the platform
        has to be asked and does not answer."""
        if not token.startswith(PREFIX) or len(token) != _LENGTH:
            return None
        digest = _hash_token(token)
        found = await self._kept.find(digest)
        if found is None:
            return None
        holder, role = found.holder, found.holder.role
        if self._standing.due(found.checked_at):
            asked = await self._standing.ask(digest, holder)
            if asked is None:
                await self._kept.revoke(holder.place, holder.user_id, found.id)
                return None
            role = asked
            await self._kept.checked(found.id, role, self._clock.wall())
        admin = role in ("owner", "admin")
        return Actor("admin" if admin else "member", holder.user_id, holder.place.peer, holder.name)

    async def close_all(self, user_id: str) -> None:
        """End all tokens of a person."""
        await self._kept.revoke_all(user_id)

    async def close_here(self, place: Conversation, user_id: str | None) -> None:
        """End the tokens of a person in one group; None: everybody's."""
        await self._kept.end_here(place, user_id)

    async def doubt(self, place: Conversation, user_id: str) -> None:
        """Have a person's role in a group asked anew by the next request."""
        await self._kept.doubt(place, user_id)


def _require_member(actor: Actor, place: Conversation) -> str:
    if actor.is_owner or actor.user_id is None:
        raise forbidden("访问令牌是成员自己的；机器人的主人用 MISHU__WEB__TOKEN")
    if not sees_group(actor, place.peer):
        raise forbidden("这不是你所在的群")
    return actor.user_id


def _hash_token(token: str) -> str:
    """Hash of a secret of 256 bits; one round is enough, as nobody can try it out."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
