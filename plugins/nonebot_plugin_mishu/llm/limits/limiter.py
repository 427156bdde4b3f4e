"""So many calls at once, and who is next: what somebody waits for goes before what nobody asked for."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from itertools import count


class PriorityLimiter:
    """A queue for a number of slots. First come first served among those who are owed an answer; after them
    the others. Every wait stands under its caller's deadline, so that nobody waits for ever."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @asynccontextmanager
    async def hold_slot(
        self, *, owed: bool, lingers: Callable[[], float] = lambda: 0.0
    ) -> AsyncGenerator[None, None]:
        """One slot for the block. `owed`: somebody waits for what comes of it.

        `lingers` is asked where the block is cancelled: seconds for which the slot stays taken, because the
        endpoint still works on what nobody waits for any more.
        """
        await self._wait_for_slot(owed)
        stay = 0.0
        try:
            yield
        except asyncio.CancelledError:
            stay = lingers()
            raise
        finally:
            if stay > 0:
                asyncio.get_running_loop().call_later(stay, self._release_slot)
            else:
                self._release_slot()

    async def _wait_for_slot(self, owed: bool) -> None:
        if self._free:  # then nobody waits: a slot given back goes straight to the next
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not owed, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had just come
                self._release_slot()
            raise

    def _release_slot(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
