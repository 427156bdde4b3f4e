"""Who may look at pages: one-time codes that members get privately, and the sessions that these open.

A code is good for five minutes and once; a session for twelve hours, with the rights its member has in the
one group. What they are in the group is asked of the platform anew every hour: who is no member any more, or
no admin, is not let in as one. Where the platform cannot be asked just then, a session waits, and is not
lost. Only hashes are kept.
"""

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

CODE_LASTS: Final = 300.0
SESSION_LASTS: Final = 12 * 3600.0
ASKED_ANEW: Final = 3600.0
"""Seconds for which the platform's word on somebody's role holds."""
ASKED_AGAIN: Final = 30.0
"""Seconds between two questions that the platform does not answer."""
_BYTES: Final = 32
_LONGEST: Final = 128
_NOBODY: Final = Conversation("", "private", "")
_MOST_WAITING: Final = 1000


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that was just opened; `token` is told once, to who opened it. `lasts` in seconds."""

    token: str
    actor: Actor
    lasts: float


class Sessions:
    """The doors. Every call may raise `StorageError`."""

    def __init__(self, kept: Kept, clock: Clock, rosters: Rosters, token: Callable[[], str | None]) -> None:
        """`token` gives the owner's, None where none is configured."""
        self._kept = kept
        self._clock = clock
        self._rosters = rosters
        self._token = token
        self._attempts = Attempts()
        self._unanswered: dict[str, float] = {}
        self._doubters: list[Callable[[str | None], None]] = []

    def on_doubt(self, doubt: Callable[[str | None], None]) -> None:
        """Tell where sessions ended or changed: of a group, or (None) anywhere. What is open asks anew."""
        self._doubters.append(doubt)

    def _doubt(self, group_id: str | None) -> None:
        for doubt in self._doubters:
            doubt(group_id)

    async def invite(self, place: Conversation, user_id: str, name: str, role: Role) -> str:
        """A code for a member, who has this role by the message they sent just now."""
        code = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        await self._kept.give(_hashed(code), Holder(place, user_id, name, role), now, now + CODE_LASTS)
        return code

    async def take_back(self, code: str) -> None:
        """A code that could not be handed over opens nothing."""
        await self._kept.take_back(_hashed(code))

    async def enter(self, code: str, address: str) -> Opened:
        """Open a session with a code. Raises `Refused`: 403 for a wrong one, 429 for too many wrong ones."""
        self._listen(address)
        session = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        opened = None
        if 0 < len(code) <= _LONGEST:
            opened = await self._kept.redeem(_hashed(code), _hashed(session), now, SESSION_LASTS, CODE_LASTS)
        if opened is None:
            self._attempts.failed(address, self._clock.monotonic())
            raise Refused(403, "这个链接用过了，或者过期了")
        self._attempts.succeeded(address)
        return Opened(session, actor_of(opened), SESSION_LASTS)

    async def log_in(self, token: str, address: str) -> Opened:
        """Open an owner's session with the token. Raises `Refused`."""
        self._listen(address)
        known = self._token()
        if not known or not hmac.compare_digest(token.encode(), known.encode()):
            self._attempts.failed(address, self._clock.monotonic())
            raise Refused(403, "令牌不对")
        self._attempts.succeeded(address)
        session = secrets.token_urlsafe(_BYTES)
        now = self._clock.wall()
        # The role of the row is never looked at: without a group it is the owner's.
        holder = Holder(_NOBODY, self._generation(), "", "owner")
        await self._kept.begin(_hashed(session), holder, now, now + SESSION_LASTS)
        return Opened(session, OWNER, SESSION_LASTS)

    async def actor(self, token: str) -> Actor | None:
        """Whose a session is now; None for one that opens nothing. Raises `Refused` (503) where the platform
        has to be asked and does not answer."""
        if not 0 < len(token) <= _LONGEST:
            return None
        digest = _hashed(token)
        now = self._clock.wall()
        found = await self._kept.find(digest, now)
        if found is None:
            return None
        if not found.holder.place.is_group:
            return OWNER if found.holder.user_id == self._generation() else None
        if now - found.checked_at >= ASKED_ANEW:
            found = await self._asked(digest, found, now)
        return None if found is None else actor_of(found)

    async def leave(self, token: str) -> None:
        """End one session."""
        await self._kept.end(_hashed(token))
        self._doubt(None)

    async def leave_all(self, user_id: str) -> int:
        """End all sessions of a person; how many there were."""
        ended = await self._kept.end_all(user_id)
        self._doubt(None)
        return ended

    async def moved(self, place: Conversation, user_id: str) -> None:
        """The platform told that somebody's standing in a group changed: what was opened there waits until it
        told what they are now, and a link that waits opens nothing."""
        await self._kept.doubt(place, user_id)
        self._doubt(place.peer)

    async def left(self, place: Conversation, user_id: str | None = None) -> None:
        """Somebody left a group, or we did (None): what was opened there ends."""
        await self._kept.end_here(place, user_id)
        self._doubt(place.peer)

    def _listen(self, address: str) -> None:
        wait = self._attempts.wait(address, self._clock.monotonic())
        if wait > 0:
            raise Refused(429, f"试错太多次了，{int(wait) + 1} 秒后再试")

    def _generation(self) -> str:
        """What an owner's sessions are bound to: another token ends them."""
        return _hashed(f"owner {self._token() or ''}")[:32]

    async def _asked(self, digest: str, found: WebSession, now: float) -> WebSession | None:
        at = self._clock.monotonic()
        if self._unanswered.get(digest, 0.0) > at:
            raise _unanswered()
        holder = found.holder
        standing = await self._rosters.standing(holder.place, holder.user_id)
        if standing == "unknown":
            self._unanswered = {each: until for each, until in self._unanswered.items() if until > at}
            if len(self._unanswered) < _MOST_WAITING:
                self._unanswered[digest] = at + ASKED_AGAIN
            raise _unanswered()
        self._unanswered.pop(digest, None)
        if standing == "gone":
            await self._kept.end(digest)
            return None
        await self._kept.checked(digest, standing, now)
        return replace(found, holder=replace(holder, role=standing), checked_at=now)


def actor_of(session: WebSession) -> Actor:
    """A member's session as who acts: an admin or a member of one group, never the bot's owner."""
    holder = session.holder
    role = "admin" if holder.role in ("owner", "admin") else "member"
    return Actor(role, holder.user_id, holder.place.peer, holder.name)


def _unanswered() -> Refused:
    return Refused(503, "现在问不到你在群里的身份，机器人连上以后再试")


def _hashed(secret: str) -> str:
    """What is kept of a secret of 256 bits that nobody can try out: one round is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
