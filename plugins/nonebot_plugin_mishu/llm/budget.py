"""The day's tokens (DAILY_TOKENS, GROUP_DAILY_TOKENS), checked before a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from ..storage.records import Conversation

Spent = Callable[[Conversation | None], Awaitable[int]]
Limits = Callable[[], tuple[int, int]]
"""Tokens a day now, of all and of one conversation; 0 for no limit."""


class TokenBudget:
    """What was spent comes from outside; what is being spent right now is counted here.

    A call is allowed as long as the limit is not reached, so the last one may go over it. The group's limit
    holds for each conversation, private ones included.
    """

    def __init__(self, limits: Limits, spent: Spent) -> None:
        """`spent` is asked only where there is a limit."""
        self._limits = limits
        self._spent = spent
        self._flying: Counter[Conversation | None] = Counter()

    async def allows(self, conversation: Conversation | None) -> bool:
        """Whether there is anything left."""
        daily, per_conversation = self._limits()
        if daily and await self._spent(None) + self._flying.total() >= daily:
            return False
        if per_conversation and conversation is not None:
            own = await self._spent(conversation) + self._flying[conversation]
            return own < per_conversation
        return True

    @contextmanager
    def flying(self, conversation: Conversation | None, tokens: int) -> Generator[None]:
        """Count an estimate while its call is under way."""
        self._flying[conversation] += tokens
        try:
            yield
        finally:
            self._flying[conversation] -= tokens
            if self._flying[conversation] <= 0:
                del self._flying[conversation]
