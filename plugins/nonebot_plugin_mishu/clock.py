"""The one clock. Pure rooms take `now`; whoever needs the time from outside asks here."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

SET = 0.05
"""Seconds by which the clocks have to move apart to mean that the machine's was set."""
FAR: Final = 6 * 3600.0
"""Seconds by which a clock that jumped is far from what it was. A zone taken for another one is not."""
SETTLED: Final = 600.0
"""Seconds after which a clock that was set is believed to be right: a machine whose clock has no battery
starts in the past, and is put right when it finds the network."""
BELIEVED: Final = 86400.0
"""Seconds after which one that jumped far ahead is: what is deleted by its age does not come back."""


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """What was seen of a wall clock beside one that only grows, look by look. Pure; all in seconds."""

    apart: float
    """Wall less monotonic, as last looked at."""
    since: float
    """When, in monotonic seconds, it was first as it is: at the first look, or where it jumped far."""
    before: float | None = None
    """How far they were apart before the clock jumped far ahead; None where it did not."""
    back: bool = True
    """Whether it may have come back from far ahead, so that what was done meanwhile was done too early. At
    the first look nobody knows."""

    @classmethod
    def first(cls, wall: float, monotonic: float) -> ClockSeen:
        """At the first look."""
        return cls(wall - monotonic, monotonic)

    def then(self, wall: float, monotonic: float) -> ClockSeen:
        """At the next look."""
        apart = wall - monotonic
        if apart > self.apart + FAR:
            before = self.apart if self.before is None else min(self.before, self.apart)
            return replace(self, apart=apart, since=monotonic, before=before)
        if apart < self.apart - FAR:
            if self.before is not None and abs(apart - self.before) <= FAR:
                # Where it was before: no need to wait and see.
                return ClockSeen(apart, monotonic - SETTLED)
            return replace(self, apart=apart, since=monotonic, back=True)
        return replace(self, apart=apart)

    def mending(self, monotonic: float) -> bool:
        """True if what was done too early is to be mended now."""
        return self.back and monotonic - self.since >= SETTLED

    def mended(self) -> ClockSeen:
        """After that."""
        return replace(self, back=False)

    def deletes(self, monotonic: float) -> bool:
        """True if what is old by this clock may be deleted."""
        return self.before is None or monotonic - self.since >= BELIEVED


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
