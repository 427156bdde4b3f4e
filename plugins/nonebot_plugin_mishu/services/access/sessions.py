"""Page sessions: one-time codes that members get privately, and the sessions these open.

A code is good for five minutes and once; a session for twelve hours, with its member's rights in the one
group. The role is asked of the platform anew every hour: whoever left, or is no admin any more, loses it.
Where the platform does not answer, a session waits and is not lost. Only hashes are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from ...clock import Clock
from ...frontdesk.rooms.rosters import Rosters
from ...storage.access.sessions import Holder, WebSession
from ...storage.access.sessions import SessionStore as Kept
from ...storage.records import Conversation, Role
from ..refusals import Refused
from .actor import OWNER, Actor
from .attempts import Attempts
from .standing import StandingCheck

CODE_LASTS: Final = 300.0
SESSION_LASTS: Final = 12 * 3600.0
_BYTES: Final = 32
_LONGEST: Final = 128
_NOBODY: Final = Conversation("", "private", "")


@dataclass(frozen=True, slots=True)
class Opened:
    """A session just opened; `token` is given out once. `lasts` in seconds."""

    token: str
    actor: Actor
    lasts: float


class Sessions:
    """Codes and sessions. Every call may raise `StorageError`."""

    def __init__(self, kept: Kept, clock: Clock, rosters: Rosters, token: Callable[[], str | None]) -> None:
        """`token` gives the owner's, None where none is configured."""
        self._kept = kept
        self._clock = clock
        self._standing = StandingCheck(clock, rosters)
        self._token = token
        self._attempts = Attempts()
        self._doubters: list[Callable[[str | None], None]] = []

    def on_doubt(self, doubt: Callable[[str | None], None]) -> None:
        """Call `doubt` when sessions ended or changed: with the group, or None for any."""
        self._doubters.append(doubt)

    def _notify_doubters(self, group_id: str | None) -> None:
        for doubt in self._doubters:
            doubt(group_id)

    async def invite(self, place: Conversation, user_id: str, name: str, role: Role) -> str:
        """A code for a member, with the role of the message they just sent."""
        code = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        await self._kept.give(_hash_secret(code), Holder(place, user_id, name, role), now, now + CODE_LASTS)
        return code

    async def take_back(self, code: str) -> None:
        """Cancel a code that could not be delivered."""
        await self._kept.take_back(_hash_secret(code))

    async def enter(self, code: str, address: str) -> Opened:
        """Open a session with a code. Raises `Refused`: 403 for a wrong one, 429 for too many wrong ones."""
        self._check_attempts(address)
        session = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        opened = None
        if 0 < len(code) <= _LONGEST:
            opened = await self._kept.redeem(
                _hash_secret(code), _hash_secret(session), now, SESSION_LASTS, CODE_LASTS
            )
        if opened is None:
            self._attempts.failed(address, self._clock.monotonic())
            raise Refused(403, "这个链接用过了，或者过期了")
        self._attempts.succeeded(address)
        return Opened(session, actor_of(opened), SESSION_LASTS)

    async def log_in(self, token: str, address: str) -> Opened:
        """Open an owner's session with the token. Raises `Refused`."""
        self._check_attempts(address)
        known = self._token()
        if not known or not hmac.compare_digest(token.encode(), known.encode()):
            self._attempts.failed(address, self._clock.monotonic())
            raise Refused(403, "令牌不对")
        self._attempts.succeeded(address)
        session = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        # The role of the row is never looked at: without a group it is the owner's.
        holder = Holder(_NOBODY, self._generation(), "", "owner")
        await self._kept.begin(_hash_secret(session), holder, now, now + SESSION_LASTS)
        return Opened(session, OWNER, SESSION_LASTS)

    async def actor(self, token: str) -> Actor | None:
        """The actor of a session; None for an invalid one. Raises `Refused` (503) where the platform has
        to be asked and does not answer."""
        if not 0 < len(token) <= _LONGEST:
            return None
        digest = _hash_secret(token)
        now = self._clock.wall()
        found = await self._kept.find(digest, now)
        if found is None:
            return None
        if not found.holder.place.is_group:
            return OWNER if found.holder.user_id == self._generation() else None
        if self._standing.due(found.checked_at):
            found = await self._refresh_role(digest, found, now)
        return None if found is None else actor_of(found)

    async def leave(self, token: str) -> None:
        """End one session."""
        await self._kept.end(_hash_secret(token))
        self._notify_doubters(None)

    async def leave_all(self, user_id: str) -> int:
        """End all sessions of a person; returns their number."""
        ended = await self._kept.end_all(user_id)
        self._notify_doubters(None)
        return ended

    async def moved(self, place: Conversation, user_id: str) -> None:
        """A member's role may have changed: their sessions wait for the platform's answer, open links are
        cancelled."""
        await self._kept.doubt(place, user_id)
        self._notify_doubters(place.peer)

    async def left(self, place: Conversation, user_id: str | None = None) -> None:
        """A member left, or (None) the bot did: the sessions of the group end."""
        await self._kept.end_here(place, user_id)
        self._notify_doubters(place.peer)

    def _check_attempts(self, address: str) -> None:
        wait = self._attempts.wait(address, self._clock.monotonic())
        if wait > 0:
            raise Refused(429, f"试错太多次了，{int(wait) + 1} 秒后再试")

    def _generation(self) -> str:
        """Holder of an owner's sessions: another token ends them."""
        return _hash_secret(f"owner {self._token() or ''}")[:32]

    async def _refresh_role(self, digest: str, found: WebSession, now: float) -> WebSession | None:
        holder = found.holder
        standing = await self._standing.ask(digest, holder)
        if standing is None:
            await self._kept.end(digest)
            return None
        await self._kept.checked(digest, standing, now)
        return replace(found, holder=replace(holder, role=standing), checked_at=now)


def actor_of(session: WebSession) -> Actor:
    """The actor of a member's session: an admin or a member of one group, never the bot's owner."""
    holder = session.holder
    role = "admin" if holder.role in ("owner", "admin") else "member"
    return Actor(role, holder.user_id, holder.place.peer, holder.name)


def _hash_secret(secret: str) -> str:
    """Hash of a secret of 256 bits; one round is enough, as nobody can try it out."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
