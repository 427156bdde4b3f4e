"""One owner at a time per conversation: a token that is released by its owner or evicted by others.

A late release or result of an evicted owner is a no-op, because its token is no longer valid.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class LockToken:
    """The right to work on a conversation until `deadline` (monotonic seconds)."""

    deadline: float
    evicted: str | None = None
    """Why it was taken away, in words; None while valid."""
    sending: bool = False
    """The reply is being claimed or sent: a recall comes too late, for what is claimed is answered once."""

    @property
    def valid(self) -> bool:
        """True if the owner may still send and write."""
        return self.evicted is None


class Lock:
    """The lock of a conversation: at most one owner."""

    def __init__(self) -> None:
        self._owner: LockToken | None = None

    @property
    def busy(self) -> bool:
        """True if somebody owns it."""
        return self._owner is not None

    @property
    def owner(self) -> LockToken | None:
        """The valid token, if any."""
        return self._owner

    def acquire(self, now: float, timeout: float) -> LockToken:
        """Take it. Only where it is free: whoever calls looked, without an await in between."""
        if self._owner is not None:
            raise RuntimeError("the conversation is already owned")
        self._owner = LockToken(deadline=now + timeout)
        return self._owner

    def release(self, token: LockToken) -> bool:
        """Give it back; False where the token is not the owner any more."""
        if self._owner is not token:
            return False
        self._owner = None
        return True

    def evict(self, reason: str) -> LockToken | None:
        """Take it from its owner, who learns by its token; the evicted token, or None where it was free."""
        token, self._owner = self._owner, None
        if token is not None:
            token.evicted = reason
        return token
