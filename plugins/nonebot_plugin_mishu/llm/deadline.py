"""A point in time by which something must be over (pitfall 34)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """One deadline around queueing, every attempt and every wait between them.

    Deadlines are absolute, so handing one on never stretches it: a reply's deadline is made once, and each
    step takes an `earlier` one of it.
    """

    at: float
    """Monotonic seconds, of `clock`."""
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> Deadline:
        """A deadline so many seconds from now."""
        return cls(clock() + seconds, clock)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - self.clock())

    @property
    def expired(self) -> bool:
        """True if no time is left."""
        return self.remaining() <= 0

    def earlier(self, seconds: float) -> Deadline:
        """This deadline, or so many seconds from now where that is sooner."""
        return Deadline(min(self.at, self.clock() + seconds), self.clock)
