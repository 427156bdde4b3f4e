"""Locks by conversation: one holder each, conversations independent of one another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from ..storage.records import Conversation


@dataclass(slots=True)
class _Gate:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    people: int = 0


class ConversationLocks:
    """Locks by conversation, dropped when nobody holds or awaits them."""

    def __init__(self) -> None:
        self._gates: dict[Conversation, _Gate] = {}

    def busy(self, conversation: Conversation) -> bool:
        """True if the conversation's lock is held."""
        return conversation in self._gates

    @asynccontextmanager
    async def through(self, conversation: Conversation, seconds: float) -> AsyncGenerator[None]:
        """Hold the lock, waiting at most so many seconds (`TimeoutError`)."""
        gate = self._gates.setdefault(conversation, _Gate())
        gate.people += 1
        try:
            async with asyncio.timeout(seconds):
                await gate.lock.acquire()
            try:
                yield
            finally:
                gate.lock.release()
        finally:
            gate.people -= 1
            if not gate.people:
                del self._gates[conversation]
