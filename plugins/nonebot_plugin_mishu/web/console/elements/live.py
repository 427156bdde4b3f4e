"""Events for open pages: one listener for all, none while no page is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from ....events import BotEvent

Hears = Callable[[BotEvent], None]


class Live:
    """`join` delivers events until what it returns is called. Listeners neither raise nor wait."""

    def __init__(self, listen: Callable[[], AsyncIterator[BotEvent]]) -> None:
        self._listen = listen
        self._pages: set[Hears] = set()
        self._hearing: asyncio.Task[None] | None = None

    def join(self, hears: Hears) -> Callable[[], None]:
        """Add a page; returns its removal."""
        self._pages.add(hears)
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.create_task(self._hear(), name="mishu console news")

        def leave() -> None:
            self._pages.discard(hears)
            if not self._pages and self._hearing is not None:
                self._hearing.cancel()

        return leave

    async def close(self) -> None:
        """Stop listening."""
        self._pages.clear()
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.wait([self._hearing])

    async def _hear(self) -> None:
        async for news in self._listen():
            for hears in tuple(self._pages):
                hears(news)
