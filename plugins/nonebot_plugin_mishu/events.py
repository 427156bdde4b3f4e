"""Live events per conversation: presence, decisions, drafts and changes, sent to subscribers."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

from .storage.records import Conversation

Kind = Literal[
    "presence", "decision", "draft", "schedule", "task", "transaction", "reminder", "settings", "poll"
]
_BACKLOG = 200
_KEPT = 2000
"""Events that are kept for who comes back after their connection broke."""


@dataclass(slots=True)
class BotEvent:
    """One thing that happened; `data` is ready for JSON. When it is published, the bus gives it `number` and
    `at` (wall seconds)."""

    kind: Kind
    conversation: Conversation
    data: dict[str, Any]
    table: str = field(default="", compare=False)
    """The table of the row that changed; empty for what is no row."""
    number: int = field(default=0, compare=False)
    at: float = field(default=0.0, compare=False)


class EventBus:
    """Fan-out to any number of listeners. A listener that does not keep up loses the oldest news."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._listeners: set[asyncio.Queue[BotEvent | None]] = set()
        self._wall = wall
        self._run = uuid4().hex[:8]
        self._number = 0
        self._past: deque[BotEvent] = deque(maxlen=_KEPT)

    @property
    def heard(self) -> bool:
        """True if anybody listens: without listeners nothing has to be put into words."""
        return bool(self._listeners)

    @property
    def newest(self) -> str:
        """The id of the last event there was."""
        return self.id_of(self._number)

    def id_of(self, number: int) -> str:
        """The id of an event: of this run of the bot, since numbers begin anew with each."""
        return f"{self._run}-{number}"

    def publish(self, news: BotEvent) -> None:
        """Tell every listener; never waits."""
        self._number += 1
        news.number, news.at = self._number, self._wall()
        self._past.append(news)
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(news)

    def after(self, event_id: str) -> list[BotEvent] | None:
        """Events published after a given one; None if it is no longer in the buffer."""
        run, _, number = event_id.rpartition("-")
        if run != self._run or not (number.isascii() and number.isdecimal() and len(number) < 19):
            return None
        last = int(number)
        first = self._past[0].number if self._past else self._number + 1
        if last > self._number or last + 1 < first:
            return None
        return [each for each in self._past if each.number > last]

    def find(self, event_id: str) -> BotEvent | None:
        """One event that is kept still."""
        return next((each for each in self._past if self.id_of(each.number) == event_id), None)

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
