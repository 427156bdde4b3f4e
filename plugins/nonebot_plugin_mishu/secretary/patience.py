"""Patience: a line or two while a summons takes long (product section 2, reply path)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType


class Patience:
    """Says its lines at their times until left; leaving cancels it and waits for it to be gone.

    Used as `async with Patience(lines, say):` around the work. A line never counts as the reply, and one
    that cannot be sent is no trouble of the work's.
    """

    def __init__(self, lines: Sequence[tuple[float, str]], say: Callable[[str], Awaitable[None]]) -> None:
        self._lines = sorted(lines)
        self._say = say
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Patience:
        if self._lines:
            self._task = asyncio.create_task(self._run(), name="mishu patience")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        waited = 0.0
        for seconds, text in self._lines:
            if seconds > waited:
                await asyncio.sleep(seconds - waited)
                waited = seconds
            await self._say(text)
