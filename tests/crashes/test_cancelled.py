"""Cancelled at every await: no open transaction, no held Future, the lock free, presence at rest.

A task of the front desk's is cancelled at its N-th await, for N = 1, 2, 3, … until it reaches its end
uncut. Storage is real, on a file; model and platform are stand-ins.
"""

from __future__ import annotations

import asyncio
import sqlite3
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from default_run import first
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.secretary import PresenceState
from nonebot_plugin_mishu.storage import Storage
from office import Office
from ready_database import ready_url
from stand_ins import FakeModel

MOST = 200
"""More awaits than any of these has; reached only where cutting never ends."""
WITHIN = 15.0


class Cut:
    """Runs coroutines, and cancels one that bears the name (0: the first) at its N-th await."""

    def __init__(self, name: str, which: int, at: int) -> None:
        self._name = name
        self._wait = which
        self._at = at
        self.done = False
        """True if anything was cut."""

    def spawner(
        self, spawn: Callable[[Coroutine[Any, Any, Any], str], asyncio.Task[Any] | None]
    ) -> Callable[[Coroutine[Any, Any, Any], str], asyncio.Task[Any] | None]:
        """A `Tasks.spawn` that cuts."""

        def cutting(work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any] | None:
            if name != self._name:
                return spawn(work, name)
            self._wait -= 1
            return spawn(self._run(work) if self._wait == -1 else work, name)

        return cutting

    async def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return await self._counted(work)

    @types.coroutine
    def _counted(self, work: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        task = asyncio.current_task()
        assert task is not None
        awaits, error = 0, None
        while True:
            try:
                waited = work.throw(error) if error is not None else work.send(None)
            except StopIteration as ended:
                return ended.value
            awaits, error = awaits + 1, None
            if awaits == self._at:
                self.done = True
                asyncio.get_running_loop().call_soon(task.cancel)
            try:
                yield waited
            except BaseException as thrown:  # noqa: BLE001 - handed on to the coroutine it is meant for
                error = thrown


def _busy(office: Office) -> bool:
    running = len(office.desk._tasks)  # pyright: ignore[reportPrivateUsage]
    return running > 0 or not all(room.outbox.idle for room in office.desk.rooms)


async def at_rest(office: Office) -> None:
    """Wait until no task of the front desk's runs."""
    async with asyncio.timeout(WITHIN):
        while _busy(office):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.001)


async def summons(office: Office) -> None:
    """Called by name."""
    office.hear(office.heard("a", "在吗", at=True))


async def held(office: Office) -> None:
    """Called while another is being answered."""
    gate = office.model.gate = asyncio.Event()
    office.hear(office.heard("a", "在吗", at=True))
    office.hear(office.heard("b", "我也问", at=True))
    async with asyncio.timeout(WITHIN):
        while not office.model.of("chat_reply") and _busy(office):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    gate.set()


async def command(office: Office) -> None:
    """A setting is changed."""
    office.hear(office.heard("a", "/秘书 静音词 添加 安静点", role="owner"))


async def silence(office: Office) -> None:
    """Silenced by word, and lifted by word."""
    office.hear(office.heard("a", "闭嘴"))
    await at_rest(office)
    office.hear(office.heard("a", "张嘴"))


Scene = Callable[[Office], Awaitable[None]]


@first(2)
@pytest.mark.parametrize(
    ("scene", "which"),
    [(summons, 0), (held, 0), (held, 1), (command, 0), (silence, 0), (silence, 1)],
    ids=["summons", "owner of the turn", "held", "command", "silence", "lifted silence"],
)
async def test_cancelled_at_every_await(tmp_path: Path, scene: Scene, which: int) -> None:
    for number in range(1, MOST):
        home = tmp_path / str(number)
        if not await _cut_once(home, scene, which, number):
            assert number > 2, "nothing was ever cut"
            return
    raise AssertionError(f"still cut after {MOST} awaits")


async def _cut_once(home: Path, scene: Scene, which: int, number: int) -> bool:
    storage = await Storage.open(await ready_url(home), on_trouble=lambda _: None)
    office = Office(
        storage=storage,  # type: ignore[arg-type]
        clock=Clock(ZoneInfo("Asia/Shanghai")),  # type: ignore[arg-type]
        model=FakeModel(),
    )
    cut = Cut("mishu serve", which, number)
    tasks = office.desk._tasks  # pyright: ignore[reportPrivateUsage]
    tasks.spawn = cut.spawner(tasks.spawn)  # type: ignore[method-assign]
    try:
        await scene(office)
        await at_rest(office)
        room = office.room
        assert len(room.hold) == 0, f"held after a cut at {number}"
        assert not room.seat.lock.busy, f"locked after a cut at {number}"
        assert room.work is None
        assert room.seat.presence.state in (PresenceState.ABSENT, PresenceState.OBSERVING), (
            f"stuck after a cut at {number}"
        )
        # Beside the loop: what the writer has begun goes on, what nobody will ever end stays.
        await asyncio.to_thread(_no_transaction_is_open, home / "mishu.db")
        room.settings = type(room.settings)()  # a silence that was begun in this scene is not the question
        sent = len(office.platform.texts)
        office.hear(office.heard("z", "后来的人也要答", at=True))
        await at_rest(office)
        assert len(office.platform.texts) == sent + 1, f"nobody answers after a cut at {number}"
        assert office.reports == []
        return cut.done
    finally:
        await office.desk.close()
        await storage.close()


def _no_transaction_is_open(file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=2, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
