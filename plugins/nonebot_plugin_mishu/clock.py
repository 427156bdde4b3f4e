"""The one clock. Pure rooms take `now`; whoever needs the time from outside asks here."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

SET = 0.05
"""Seconds by which the clocks have to move apart to mean that the machine's was set."""


class Clock:
    """Wall time for what is stored and shown, monotonic time for what is waited for, both in seconds."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._last_receipt = 0
        self._apart = 0.0
        """Seconds from the monotonic clock's origin to the epoch, as last looked at."""

    def wall(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def on_the_machine(self, wall: float) -> float:
        """What the machine's own clock shows when this one shows `wall`, for those who know no other.

        The same, unless somebody gave us a clock of another time.
        """
        own = self.wall()
        return time.time() + (wall - own)

    def monotonic(self) -> float:
        """Seconds that only grow, of no fixed origin."""
        return time.monotonic()

    def receipt(self) -> int:
        """Nanoseconds since the epoch, for ordering receipts; each greater than the one before."""
        self._last_receipt = max(self._last_receipt + 1, int(self.wall() * 1e9))
        return self._last_receipt

    def today_began(self) -> float:
        """When the current day began in our zone, in seconds since the epoch: budgets count from here."""
        now = self.local(self.wall())
        return now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()

    def local(self, wall: float) -> datetime:
        """A stored time in our zone."""
        return datetime.fromtimestamp(wall, self.zone)

    def wall_of(self, monotonic: float) -> float:
        """The wall time at which the monotonic clock showed, or will show, `monotonic`.

        The same whenever it is asked, though the two clocks are never read at quite the same moment, until
        they differ from what they did by more than `SET`.
        """
        apart = self.wall() - self.monotonic()
        if abs(apart - self._apart) > SET:
            self._apart = apart
        return self._apart + monotonic
