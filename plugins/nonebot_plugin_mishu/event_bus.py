"""What happens, told live: presence, decisions and drafts, per conversation, to whoever listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from .storage.records import Conversation

Kind = Literal["presence", "decision", "draft", "schedule", "task", "transaction", "reminder", "settings"]
_BACKLOG = 200


@dataclass(frozen=True, slots=True)
class BotEvent:
    """One thing that happened; `data` is ready for JSON."""

    kind: Kind
    conversation: Conversation
    data: dict[str, Any]


class EventBus:
    """Fan-out to any number of listeners. A listener that does not keep up loses the oldest news."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[BotEvent | None]] = set()

    @property
    def heard(self) -> bool:
        """Whether anybody listens: without listeners nothing has to be put into words."""
        return bool(self._listeners)

    def publish(self, news: BotEvent) -> None:
        """Tell every listener; never waits."""
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(news)

    async def listen(self) -> AsyncIterator[BotEvent]:
        """Everything published from now on, until the feed closes."""
        queue: asyncio.Queue[BotEvent | None] = asyncio.Queue(_BACKLOG)
        self._listeners.add(queue)
        try:
            while (news := await queue.get()) is not None:
                yield news
        finally:
            self._listeners.discard(queue)

    def close(self) -> None:
        """End every listener's iteration."""
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            with suppress(asyncio.QueueFull):
                queue.put_nowait(None)
