"""Arrivals: lines owed an answer that are on their way to their turn in one conversation.

Between hearing a line and its turn stand waits of different length: the room is loaded, a member's card asked
for, a quoted line read, a line of a former process looked up and marked. A later line would overtake there.
Whoever comes to its turn therefore waits for those before it, as long as one of them arrives every `PATIENCE`
seconds: one that does not come holds up nobody for longer. The waiting lines are owed on disk already.
"""

from __future__ import annotations

import asyncio

PATIENCE = 2.0
"""Seconds for which a line waits for the next of those before it."""
FORGOTTEN = 60.0
"""Seconds after which a line that never arrived is no longer waited for."""

Order = tuple[float, int]
"""A place in the ledger (`LedgerMessage.order`)."""


class Arrivals:
    """The lines of one conversation that are on their way. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._coming: dict[str, tuple[Order, float]] = {}
        self._arrived = asyncio.Event()
        """Set, and made anew, whenever a line arrives."""

    def expect(self, message_id: str, order: Order, now: float) -> None:
        """Note a line that is on its way from `now` on."""
        self._coming[message_id] = (order, now)

    def arrive(self, message_id: str) -> None:
        """A line has come to its turn, or needs none."""
        if self._coming.pop(message_id, None) is not None:
            self._arrived.set()
            self._arrived = asyncio.Event()

    async def await_older(self, order: Order, now: float) -> None:
        """Wait until no line before this place is on its way, or none has arrived for `PATIENCE` seconds."""
        while self.is_older_coming(order, now):
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._arrived.wait()
            except TimeoutError:
                return

    def is_older_coming(self, order: Order, now: float) -> bool:
        """True if a line before this place is on its way."""
        return any(place < order and since > now - FORGOTTEN for place, since in self._coming.values())
