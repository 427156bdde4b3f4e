"""Delay after wrong codes and tokens, doubled each time. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

FREE: Final = 3
"""Wrong ones that cost nothing: people mistype."""
LONGEST: Final = 60.0
"""Seconds that one waits at most."""
FORGOTTEN: Final = 900.0
"""Seconds after which wrong ones are forgotten."""
_MOST: Final = 2000
"""Addresses that are remembered."""


@dataclass
class Attempts:
    """By address: number of wrong attempts and time of the last (seconds of one clock)."""

    _wrong: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])

    def wait(self, address: str, now: float) -> float:
        """Seconds until this address may try again; 0: now."""
        count, last = self._wrong.get(address, (0, 0.0))
        if count < FREE or now - last >= FORGOTTEN:
            return 0.0
        return max(0.0, last + min(LONGEST, 2.0 ** (count - FREE)) - now)

    def failed(self, address: str, now: float) -> None:
        """Count a wrong attempt."""
        count, last = self._wrong.pop(address, (0, 0.0))
        if now - last >= FORGOTTEN:
            count = 0
        self._wrong[address] = (count + 1, now)
        while len(self._wrong) > _MOST:
            del self._wrong[next(iter(self._wrong))]

    def succeeded(self, address: str) -> None:
        """Forget the wrong attempts."""
        self._wrong.pop(address, None)
