"""A circuit breaker: an endpoint that is down is left alone, so that nobody waits for it.

    closed --(failures in a row)--> open --(cool-down over)--> half open --(success)--> closed
                                     ^------(failure, twice the cool-down)------'

Half open admits one call at a time. Pure: the time is an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """When a breaker opens and for how long; seconds."""

    failures: int = 4
    """Calls in a row that found the endpoint down."""
    window: float = 120.0
    """They must lie within this time."""
    cool_down: float = 5.0
    longest: float = 60.0
    """Bound of the cool-down, which doubles with each failed trial."""
    fair_wait: float = 2.0
    """A call that timed out says something about the endpoint only if it waited at least so long for it."""


@dataclass(slots=True)
class Breaker:
    """The state of one endpoint. Every admitted call must end in `succeeded`, `failed` or `released`."""

    rules: BreakerRules = BreakerRules()
    _failures: tuple[float, ...] = ()
    _open_until: float | None = None
    _cool_down: float = 0.0
    _trial: bool = False

    def state(self, now: float) -> Literal["closed", "open", "half_open"]:
        """The state, for health and tests."""
        if self._open_until is None:
            return "closed"
        return "half_open" if now >= self._open_until else "open"

    def blocked(self, now: float) -> bool:
        """True if a call would be turned away now; changes nothing."""
        state = self.state(now)
        return state == "open" or (state == "half_open" and self._trial)

    def admit(self, now: float) -> bool:
        """Let a call through or not; in half open it becomes the one trial."""
        if self.blocked(now):
            return False
        self._trial = self.state(now) == "half_open"
        return True

    def succeeded(self) -> None:
        """The endpoint is alive: it answered, if only to refuse."""
        self._failures = ()
        self._open_until = None
        self._cool_down = 0.0
        self._trial = False

    def failed(self, now: float, *, at_once: bool = False) -> None:
        """The endpoint was down for an admitted call; `at_once`: no further failures are needed to open."""
        if self._open_until is not None:
            # A straggler that was admitted while closed does not stretch an opening; only the trial does.
            if self._trial:
                self._trial = False
                self._open(now)
            return
        self._failures = (*(at for at in self._failures if now - at <= self.rules.window), now)
        if at_once or len(self._failures) >= self.rules.failures:
            self._open(now)

    def released(self) -> None:
        """An admitted call ended without a word about the endpoint (cancelled, out of time in the queue)."""
        self._trial = False

    def _open(self, now: float) -> None:
        doubled = self._cool_down * 2 or self.rules.cool_down
        self._cool_down = min(doubled, self.rules.longest)
        self._open_until = now + self._cool_down
        self._failures = ()
