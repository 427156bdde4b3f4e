"""Cancellation at every await, of the caller and of the transaction itself: whole or not at all.

As SQLite tests itself with a fault at the N-th operation: N = 1, 2, 3, … until nothing is left to hit.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from typing import Any

import pytest
from default_run import first
from nonebot_plugin_mishu.storage import DatabaseTimeout, Silence, Storage
from nonebot_plugin_mishu.storage.engine.database import Database
from storage_support import GROUP, decision, ids, message, outside

Opener = Callable[..., Awaitable[Storage]]


class Cancelling:
    """Runs coroutines in their task and cancels that task while it waits for the N-th time."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.waits = 0

    async def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return await self._drive(work)

    @types.coroutine
    def _drive(self, work: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        task = asyncio.current_task()
        assert task is not None
        step: Callable[[], Any] = lambda: work.send(None)  # noqa: E731
        while True:
            try:
                waiting = step()
            except StopIteration as stop:
                return stop.value
            self.waits += 1
            if self.waits == self.at:
                asyncio.get_running_loop().call_soon(task.cancel)
            try:
                yield waiting
                step = lambda: work.send(None)  # noqa: E731
            except BaseException as error:  # noqa: BLE001 - passed on into the coroutine
                step = lambda error=error: work.throw(error)  # noqa: E731


async def idle(url: str) -> bool:
    """True if no connection holds a transaction, and the database can be written by others."""
    if url.startswith("sqlite"):
        await outside(url, "BEGIN EXCLUSIVE")
        return True
    open_ones = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'"
    )
    return await outside(url, open_ones) == [(0,)]


Operation = Callable[[Storage], Coroutine[Any, Any, Any]]

OPERATIONS: dict[str, Operation] = {
    "flush": lambda storage: storage.ledger.flush(),
    "mark_processed": lambda storage: storage.ledger.mark_processed(GROUP, ["1", "2"]),
    "claim": lambda storage: storage.claims.claim("10000", ["1", "2"]),
    "set_silence": lambda storage: storage.settings.set_silence(GROUP, Silence(9.0, by_command=True)),
    "forget_member": lambda storage: storage.members.delete_member(GROUP, "30000"),
    "load": lambda storage: storage.ledger.load(GROUP, 10),
}


async def snapshot(url: str) -> list[Any]:
    statements = (
        "SELECT message_id, processed FROM mishu_ledger ORDER BY message_id",
        "SELECT message_id FROM mishu_claim ORDER BY message_id",
        "SELECT message_id FROM mishu_decision ORDER BY message_id",
        "SELECT silent_until FROM mishu_conversation",
    )
    return [[tuple(row) for row in await outside(url, statement)] for statement in statements]


async def prepared(opened: Opener) -> Storage:
    storage = await opened()
    for number in (1, 2, 3):
        storage.ledger.append(message(number))
    await storage.decisions.add(decision())
    return storage


@first(3)
@pytest.mark.parametrize("name", OPERATIONS)
async def test_pitfall_54_a_cancelled_caller_leaves_nothing_half_done(opened: Opener, url: str, name: str):
    """Cancelled after N turns of the loop: the write is finished all the same, and nothing stays open."""
    storage = await prepared(opened)
    turns = 0
    while True:
        going = asyncio.create_task(OPERATIONS[name](storage))
        for _ in range(turns):
            await asyncio.sleep(0)
        finished = going.done()
        going.cancel()
        await asyncio.wait({going})
        await storage.ledger.flush()
        assert storage.status() == ("ok", "")
        if finished:
            break
        turns = turns + 1 if turns < 4 else turns * 2
    assert await idle(url)
    expected = await snapshot(url)
    await storage.close()
    assert await snapshot(url) == expected


@first(3)
@pytest.mark.parametrize("name", OPERATIONS)
async def test_pitfall_54_a_transaction_cut_at_any_await_is_whole_or_nothing(
    opened: Opener, url: str, name: str, monkeypatch: pytest.MonkeyPatch
):
    """As when a deadline strikes, or the loop is taken down, at the N-th await within."""
    storage = await prepared(opened)
    before = await snapshot(url)
    attempt = Database._run_attempts
    outcomes: list[list[Any]] = [before]
    at = 0
    while True:
        at += 1
        cancelling = Cancelling(at)

        async def cut(
            database: Database, run: Callable[[], Any], deadline: float, c: Cancelling = cancelling
        ) -> Any:
            return await c.run(attempt(database, run, deadline))

        monkeypatch.setattr(Database, "_run_attempts", cut)
        with suppress(DatabaseTimeout):
            await OPERATIONS[name](storage)
        monkeypatch.setattr(Database, "_run_attempts", attempt)
        assert await idle(url)
        outcomes.append(await snapshot(url))
        await storage.ledger.flush()
        assert storage.status() == ("ok", "")
        assert ids(await storage.ledger.load(GROUP, 10)) in (["1", "2", "3"], [])
        if cancelling.waits < at:
            break
    assert at > 1
    after = outcomes[-1]
    assert all(outcome in (before, after) for outcome in outcomes)
