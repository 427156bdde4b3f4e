"""A failing database at its N-th operation, for N = 1, 2, 3, … until nothing fails any more.

The fault is put where the driver runs an operation in its thread, below everything of ours. A summons is
answered all the same, once; what a command says it did is on disk, else it says that it could not. Every
operation is failed where `MISHU_TEST_KILLS` is set, else every few.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import aiosqlite
import pytest
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.frontdesk.commands.desk import NOT_STORED
from nonebot_plugin_mishu.storage import Storage, default_url
from office import Office
from ready_database import ready_url
from stand_ins import GROUP, FakeModel

from .test_cancelled import at_rest

MOST = 400
FULL = "MISHU_TEST_KILLS" in os.environ
"""Whether every operation is failed; else every so many, since each round opens a database of its own."""
WORD = "安静点"
ONCE = pytest.param(1, id="once", marks=pytest.mark.exhaustive)
FROM_THEN_ON = pytest.param(10_000, id="from then on")
TROUBLE = {
    "I/O error": lambda: sqlite3.OperationalError("disk I/O error"),
    "full": lambda: sqlite3.OperationalError("database or disk is full"),
    "locked": lambda: sqlite3.OperationalError("database is locked"),
}


class Faulty:
    """Fails the driver's operations from the N-th on, so many of them."""

    def __init__(
        self, at: int, number: int, error: Callable[[], Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._at = at
        self._last = at + number
        self._error = error
        self._count = 0
        self.armed = False
        self.failed = False
        real: Any = aiosqlite.Connection._execute  # pyright: ignore[reportPrivateUsage]

        async def execute(connection: Any, function: Any, *arguments: Any, **named: Any) -> Any:
            # What cleans up after a failure goes through, as it does on a real disk.
            if self.armed and function.__name__ not in ("rollback", "close"):
                self._count += 1
                if self._at <= self._count < self._last:
                    self.failed = True
                    raise self._error()
            return await real(connection, function, *arguments, **named)

        monkeypatch.setattr(aiosqlite.Connection, "_execute", execute)


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize(
    "number",
    [pytest.param(1, id="once", marks=pytest.mark.exhaustive), pytest.param(10_000, id="from then on")],
)
async def test_fault_at_every_operation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str, number: int
) -> None:
    step = 1 if FULL else 4 if number == 1 else 25
    for at in range(1 + list(TROUBLE).index(trouble), MOST, step):
        with monkeypatch.context() as patch:
            faulty = Faulty(at, number, TROUBLE[trouble], patch)
            await _flow(tmp_path / f"{at}", faulty, at)
        if not faulty.failed:
            assert at > 10, "hardly anything was ever failed"
            return
    raise AssertionError(f"still failing after {MOST} operations")


async def _flow(home: Path, faulty: Faulty, at: int) -> None:
    """A summons, a command, another summons; then the file is read by somebody else."""
    storage = await Storage.open(await ready_url(home), on_trouble=lambda _: None)
    office = Office(
        storage=storage,  # type: ignore[arg-type]
        clock=Clock(ZoneInfo("Asia/Shanghai")),  # type: ignore[arg-type]
        model=FakeModel(),
    )
    faulty.armed = True
    try:
        for user in ("a", "b"):
            office.hear(office.heard(user, "在吗", at=True))
            await at_rest(office)
            if user == "a":
                office.hear(office.heard("c", f"/秘书 静音词 添加 {WORD}", role="owner"))
                await at_rest(office)
        texts = office.platform.texts
        assert len(texts) == 3, f"{texts} with a fault at {at}"
        assert not office.room.seat.lock.busy
        assert len(office.room.hold) == 0
        said = texts[1]
    finally:
        faulty.armed = False
        await office.desk.close()
        await storage.close()
    reopened = await Storage.open(default_url(home), on_trouble=lambda _: None)
    try:
        words = (await reopened.settings.load(GROUP)).added_words.get("silence", [])
    finally:
        await reopened.close()
    if said.startswith("好，"):
        assert WORD in words, f"acknowledged and lost with a fault at {at}"
    else:
        assert said == NOT_STORED, f"{said} with a fault at {at}"
