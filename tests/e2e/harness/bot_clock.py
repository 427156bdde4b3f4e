"""The clock of a bot under test: its own, whatever the machine's says, so that tests pass at any hour."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

CLOCK = "2026-11-18T10:00"
"""When a bot starts, where nobody says otherwise: a Wednesday morning, no holiday, no end of a month."""
SHANGHAI = ZoneInfo("Asia/Shanghai")

_by_port: dict[int, BotClock] = {}


def instant(wall: str, zone: ZoneInfo = SHANGHAI) -> float:
    """Seconds since the epoch at a wall time of a zone, as ISO 8601 writes it."""
    return datetime.fromisoformat(wall).replace(tzinfo=zone).timestamp()


class BotClock:
    """Starts at a given moment and advances with real time; a test may set it, while the bot runs too.

    `foreign_clock`, under which every bot runs, reads the file.
    """

    def __init__(self, home: Path, port: int, start: str = CLOCK) -> None:
        self._file = home / "clock.txt"
        self._own = instant(start) - time.time()
        _by_port[port] = self

    def now(self) -> float:
        """What the bot's clock shows, in seconds since the epoch."""
        return time.time() + self.ahead

    def local(self, zone: ZoneInfo = SHANGHAI) -> datetime:
        """What it shows, in a zone."""
        return datetime.fromtimestamp(self.now(), zone)

    @property
    def ahead(self) -> float:
        """Seconds it is ahead of the machine's clock."""
        return float(self._file.read_text("utf-8")) if self._file.exists() else self._own

    def set(self, moment: float | str, zone: ZoneInfo = SHANGHAI) -> None:
        """Put it to a moment: seconds since the epoch, or a wall time of the zone."""
        self._put((instant(moment, zone) if isinstance(moment, str) else moment) - time.time())

    def advance(self, seconds: float) -> None:
        """Put it forward, or back."""
        self._put(self.ahead + seconds)

    def reset(self) -> None:
        """As though nobody had ever set it."""
        self._put(self._own)

    def keep(self) -> None:
        """Write it down for a bot that starts; one that starts again goes on with the clock it had."""
        self._put(self.ahead)

    def _put(self, ahead: float) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        new = self._file.with_suffix(".new")
        new.write_text(str(ahead), "utf-8")
        os.replace(new, self._file)


def now_at(url: str) -> float:
    """What the clock of the bot behind an address shows; the machine's clock where no bot of ours is."""
    port = urlsplit(url).port
    clock = _by_port.get(port) if port is not None else None
    return clock.now() if clock is not None else time.time()
