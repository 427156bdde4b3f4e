"""The front desk's own tasks: every one has an owner that awaits or cancels it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from ..report import Report


class OwnedTasks:
    """Runs coroutines as tasks; one that fails is reported, and `close` ends all that are left."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any] | None:
        """Start it; None, and never started, once closed."""
        if self._closed:
            work.close()
            return None
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    @property
    def closed(self) -> bool:
        """True if no new task is accepted."""
        return self._closed

    async def close(self, grace: float) -> None:
        """Accept no more tasks; wait `grace` seconds for the running ones, then cancel and await them."""
        self._closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=grace)
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(set(self._running))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._report("前台任务出错", error)
