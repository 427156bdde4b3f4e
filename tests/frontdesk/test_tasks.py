"""The front desk's tasks: each has an owner."""

from __future__ import annotations

import asyncio

from nonebot_plugin_mishu.frontdesk.tasks import OwnedTasks
from virtual_time import settle, virtual


@virtual
async def test_failures_are_reported_and_cancelled_ones_are_not() -> None:
    reports: list[BaseException] = []
    tasks = OwnedTasks(lambda _, error: reports.append(error))

    async def fails() -> None:
        raise ValueError("boom")

    tasks.spawn(fails(), "fails")
    waiting = tasks.spawn(asyncio.sleep(100), "waits")
    assert waiting is not None
    waiting.cancel()
    await settle()
    assert [type(error) for error in reports] == [ValueError]
    assert len(tasks) == 0


@virtual
async def test_close_lets_end_what_ends_soon_and_cancels_the_rest() -> None:
    tasks = OwnedTasks(lambda *_: None)
    ended: list[str] = []

    async def work(seconds: float, name: str) -> None:
        try:
            await asyncio.sleep(seconds)
            ended.append(name)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            ended.append(f"{name} cancelled")
            raise

    tasks.spawn(work(0.5, "soon"), "soon")
    tasks.spawn(work(50, "late"), "late")
    await settle()
    closing = asyncio.create_task(tasks.close(1))
    await settle()
    assert tasks.closed
    assert tasks.spawn(work(0, "after"), "after") is None
    await closing
    assert ended == ["soon", "late cancelled"]
    assert len(tasks) == 0
