"""An event loop on which time passes many times as fast, for what waits for minutes and works for moments."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from nonebot_plugin_mishu.clock import Clock


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
