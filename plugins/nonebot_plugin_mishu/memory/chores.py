"""Background work: at most one task for each key, each with a deadline, ended on closing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable


class Chores:
    """Owns the tasks. What does not fit (`most` at a time) is not done: it is not owed to anybody."""

    def __init__(self, most: int, seconds: float, report: Callable[[BaseException], None]) -> None:
        """`report` hears of errors, the deadline's `TimeoutError` among them; it must not raise."""
        self._most = most
        self._seconds = seconds
        self._report = report
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, key: Hashable, work: Callable[[], Awaitable[None]]) -> bool:
        """Begin, unless the key is busy, too much is under way, or everything is closed; whether it began."""
        if self._closed or key in self._tasks or len(self._tasks) >= self._most:
            return False
        task = asyncio.create_task(self._run_work(work), name="mishu memory")
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._remove_task(key, done))
        return True

    def drop(self, key: Hashable) -> None:
        """End the key's work, if any is under way."""
        if (task := self._tasks.get(key)) is not None:
            task.cancel()

    async def wait_idle(self) -> None:
        """Return once nothing is under way; each has its deadline."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=self._seconds)

    async def close(self) -> None:
        """End everything and begin nothing any more."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=self._seconds)

    async def _run_work(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await work()
        except Exception as error:  # noqa: BLE001 - nobody waits for it: it is told here or nowhere
            self._report(error)

    def _remove_task(self, key: Hashable, done: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is done:
            del self._tasks[key]
