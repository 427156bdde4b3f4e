"""Event loops on which time passes faster than the machine's, for what waits for minutes and works for
moments."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from nonebot_plugin_mishu.clock import Clock

GRACE: Final = 0.003
"""Real seconds in which threads and sockets may still have something before an idle loop lets time pass."""
MOST: Final = 2.0
"""Seconds by which time jumps at most."""


class HurriedLoop(asyncio.SelectorEventLoop):
    """`speed` seconds of its time are one of the machine's. Sockets and threads work as they do, and so take
    that much longer by its time."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        super().__init__()
        selector = self._selector  # type: ignore[attr-defined]
        real = selector.select
        selector.select = lambda timeout=None: real(None if timeout is None else timeout / speed)

    def time(self) -> float:
        return super().time() * self._speed


class IdleLoop(asyncio.SelectorEventLoop):
    """Its time stands while anything works and jumps to the next timer once everything waits: a slow machine
    changes no time-out, and what takes an hour of waiting takes none."""

    def __init__(self) -> None:
        self._now = 5000.0
        super().__init__()
        selector = self._selector  # type: ignore[attr-defined]
        real = selector.select

        def select(timeout: float | None = None) -> Any:
            if timeout is None or timeout <= 0:
                return real(timeout)
            events = real(GRACE)
            if not events and not _works():
                self._now += min(timeout, MOST)
            return events

        selector.select = select

    def time(self) -> float:
        return self._now


def _works() -> bool:
    """True if a thread other than the loop's runs, would run, or waits for a disk."""
    own = threading.get_native_id()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            if task.name != str(own) and state in "RD":
                return True
    return False


def hurried_clock(zone: ZoneInfo, began: float) -> Clock:
    """The product's clock on such a loop. `began` is the wall time of its making, seconds."""
    from nonebot_plugin_mishu.clock import Clock

    class HurriedClock(Clock):
        def monotonic(self) -> float:
            return asyncio.get_running_loop().time()

        def wall(self) -> float:
            return origin + self.monotonic()

    clock = HurriedClock(zone)
    origin = began - clock.monotonic()
    return clock
