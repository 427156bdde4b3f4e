"""Time that passes only when everybody waits: an event loop whose clock jumps to the next timer.

What sleeps in the code under test takes no time here, and what waits for ever is found at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.clock import Clock

P = ParamSpec("P")
T = TypeVar("T")

BEGAN = 1_800_000_000.0
"""Wall seconds when every virtual loop begins: 2027-01-15 16:00 in Shanghai."""
_MONOTONIC = 5000.0


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that never sleeps. For code that waits for timers and tasks only, not for sockets."""

    def __init__(self) -> None:
        self._now = _MONOTONIC
        super().__init__()
        real = self._selector.select  # type: ignore[attr-defined]

        def select(timeout: float | None) -> Any:
            if timeout is None:
                raise RuntimeError("everything waits, and nothing will ever happen")
            self._now += max(0.0, timeout)
            return real(0)

        self._selector.select = select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now

    def jump(self, seconds: float) -> None:
        """Time passes at once, as while a callback keeps the loop busy."""
        self._now += seconds


class VirtualClock(Clock):
    """The product's clock over the running virtual loop."""

    def __init__(self, zone: str = "Asia/Shanghai") -> None:
        super().__init__(ZoneInfo(zone))
        self._receipts = 0
        self.ahead = 0.0
        """Seconds added to the wall clock, where a test needs days to pass."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> float:
        return BEGAN + self.ahead + self.monotonic() - _MONOTONIC

    def receipt(self) -> int:
        self._receipts += 1
        return int(self.wall() * 1e9) + self._receipts


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Run to its end on a loop of its own. Fails where a task is left behind, or an error nobody saw."""
    loop = VirtualLoop()
    unseen: list[str] = []
    loop.set_exception_handler(lambda _, context: unseen.append(str(context)))
    try:
        result = loop.run_until_complete(work)
        left = [task.get_name() for task in asyncio.all_tasks(loop)]
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        assert not left, f"left behind: {left}"
        assert not unseen, unseen
        return result
    finally:
        loop.close()


def virtual(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make an async test one that runs on a virtual loop."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_virtually(test(*args, **kwargs))

    return run


async def settle(turns: int = 60) -> None:
    """Let everything happen that needs no time."""
    for _ in range(turns):
        await asyncio.sleep(0)
