"""Locked, full, slow, refusing, closing: say so, keep answering, lose nothing acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from nonebot_plugin_mishu.storage import (
    DatabaseFull,
    DatabaseGone,
    DatabaseLocked,
    DatabaseTimeout,
    DataRefused,
    Silence,
    Storage,
    StorageClosed,
    StorageError,
)
from nonebot_plugin_mishu.storage.engine import queue, writer
from storage_support import GROUP, OTHER, decision, ids, locked, message, outside, until

Opener = Callable[..., Awaitable[Storage]]

SHORT = 0.3
"""A deadline for tests whose database does not answer."""


@asynccontextmanager
async def full(storage: Storage) -> AsyncIterator[None]:
    """The file may not grow. SQLite's own limit stands for the disk's: the same error, at the same place."""

    async def limit(pages: int) -> None:
        async with storage._database._write_engine.connect() as connection:
            await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    await limit(1)  # SQLite takes the present size as the least
    try:
        yield
    finally:
        await limit(2**30)


async def test_pitfall_55_locked(opened: Opener, url: str, said: list[str]):
    """Reading goes on, writes fail in words within the deadline, and what was queued comes after."""
    storage = await opened(deadline=2)
    storage.ledger.append(message(0))
    await storage.ledger.flush()
    async with locked(url):
        for number in range(1, 4):
            storage.ledger.append(message(number))
        with pytest.raises(DatabaseLocked, match="占用"):
            await storage.decisions.add(decision())
        with pytest.raises(DatabaseLocked):
            await storage.ledger.mark_processed(GROUP, ["3"])
        health, reason = storage.status()
        assert health == "degraded"
        assert reason == said[0]
        assert ids(await storage.ledger.load(GROUP, 10)) == ["0", "1", "2", "3"]
        assert ids(await storage.ledger.list_page(GROUP, 10, after="2")) == ["3"]
        assert await storage.ledger.exists("10000", ["1", "9"]) == {"1"}
        assert ids(await storage.ledger.of_member(GROUP, "30000")) == ["0", "1", "2", "3"]
    await until(lambda: not storage._writer.queue)
    assert storage.status() == ("ok", "")
    rows = await outside(url, "SELECT message_id FROM mishu_ledger ORDER BY id")
    assert rows == [("0",), ("1",), ("2",), ("3",)]
    # What was to be marked was told that it failed; where it was still queued it is marked even so.
    assert [each.processed for each in await storage.ledger.load(GROUP, 10)] == [False, False, False, True]
    assert await storage.decisions.latest(GROUP, 10) == []
    assert len(said) == 2
    assert "恢复" in said[1]


async def test_pitfall_55_locked_for_less_than_the_deadline_is_only_slow(opened: Opener, url: str, said):
    storage = await opened()
    async with locked(url):
        adding = asyncio.create_task(storage.decisions.add(decision()))
        await asyncio.wait({adding}, timeout=0.2)
        assert not adding.done()
    await adding
    assert said == []


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_pitfall_55_disk_full(storage: Storage, opened: Opener, said: list[str]):
    await storage.settings.set_silence(OTHER, Silence(9.0, by_command=False))
    async with full(storage):
        for number in range(50):
            storage.ledger.append(message(number, text="长" * 1000))
        with pytest.raises(DatabaseFull, match="磁盘满了"):
            await storage.ledger.flush()
        with pytest.raises(DatabaseFull):
            await storage.settings.set_persona(GROUP, "海" * 100_000)
        assert storage.status()[0] == "degraded"
        assert len(await storage.ledger.load(GROUP, 100)) == 50
    await storage.ledger.flush()
    assert storage.status() == ("ok", "")
    assert ids(await (await opened()).ledger.load(GROUP, 100)) == [str(number) for number in range(50)]
    assert await storage.settings.silenced("10000", 0.0) == {OTHER: Silence(9.0, by_command=False)}
    assert (await storage.settings.load(GROUP)).persona is None
    assert said == [str(DatabaseFull()), "数据库恢复正常，没有丢失记录。"]


async def test_a_longer_trouble_is_said_once(opened: Opener, url: str, said: list[str]):
    storage = await opened(deadline=SHORT)
    storage.ledger.append(message(1))
    async with locked(url):
        for _ in range(3):
            with pytest.raises(StorageError):
                await storage.ledger.flush()
    assert len(said) == 1


async def test_pitfall_23_the_queue_is_bounded_and_says_once_that_it_drops(
    opened: Opener, url: str, said: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(queue, "QUEUE_ROWS", 10)
    storage = await opened(deadline=SHORT)
    async with locked(url):
        for number in range(25):
            storage.ledger.append(message(number))
        with pytest.raises(StorageError):
            await storage.ledger.flush()
        assert ids(await storage.ledger.load(GROUP, 100)) == [str(number) for number in range(15, 25)]
    await until(lambda: not storage._writer.queue)
    assert len(await storage.ledger.load(GROUP, 100)) == 10
    assert [sentence for sentence in said if "丢弃最旧" in sentence] == [said[0]]
    assert said[-1] == "数据库恢复正常，其间丢弃了 15 条旧记录。"


def test_pitfall_23_large_messages_count_by_their_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queue, "QUEUE_SIZE", 1000)
    waiting = queue.Queue()
    for number in range(9):
        waiting.add(message(number, text="长" * 300, segments=[]))
    assert [each.message_id for each in waiting.messages] == ["6", "7", "8"]
    waiting.add(message(9, segments=[{"type": "image", "data": {"file": "x" * 5000}}]))
    assert [each.message_id for each in waiting.messages] == ["9"]
    waiting.remove(waiting.first(10))
    assert waiting._size == 0


async def test_one_row_the_database_refuses_does_not_hold_up_the_others(
    storage: Storage, url: str, said: list[str]
):
    storage.ledger.append(message(1))
    storage.ledger.append(message(2, receipt=2**70))
    storage.ledger.append(message(3, segments=[{1: {("not", "json"): object()}}]))
    storage.ledger.append(message(4))
    await storage.settings.set_persona(GROUP, "海盗")
    assert await outside(url, "SELECT message_id FROM mishu_ledger ORDER BY id") == [("1",), ("4",)]
    assert (await storage.settings.load(GROUP)).persona == "海盗"
    assert said == [str(DataRefused())] * 2
    assert storage.status() == ("ok", "")


async def test_a_refused_job_fails_alone(storage: Storage):
    results = await asyncio.gather(
        storage.decisions.add(decision()),
        storage.decisions.add(decision(tokens=2**70)),
        storage.claims.claim("10000", ["1"]),
        return_exceptions=True,
    )
    assert isinstance(results[1], DataRefused)
    assert results[2] == {"1"}
    assert len(await storage.decisions.latest(GROUP, 10)) == 1


async def test_a_job_with_a_fault_of_its_own_fails_alone(storage: Storage):
    async def faulty(_connection):
        raise LookupError("mine")

    results = await asyncio.gather(
        storage._writer.run(faulty), storage.claims.claim("10000", ["1"]), return_exceptions=True
    )
    assert isinstance(results[0], LookupError)
    assert results[1] == {"1"}
    await storage.ledger.flush()


async def test_every_wait_has_a_deadline(opened: Opener, monkeypatch: pytest.MonkeyPatch):
    """A database that takes the work and never answers."""
    storage = await opened(deadline=SHORT)
    silent = asyncio.Event()

    async def never(_connection):
        await silent.wait()

    with pytest.raises(DatabaseTimeout):
        await storage._writer.run(never)
    with pytest.raises(DatabaseTimeout):
        await storage._database.read(never)
    await storage.settings.set_persona(GROUP, "海盗")
    assert (await storage.settings.load(GROUP)).persona == "海盗"


async def test_a_write_whose_caller_gave_up_before_it_began_does_not_happen(opened: Opener, url: str):
    storage = await opened(deadline=SHORT)
    going = asyncio.Event()

    async def slow(_connection):
        going.set()
        await asyncio.sleep(SHORT * 0.8)

    first = asyncio.create_task(storage._writer.run(slow))
    await going.wait()
    storage._writer._deadline = SHORT * 0.1
    with pytest.raises(DatabaseTimeout):
        await storage.decisions.add(decision())
    storage._writer._deadline = SHORT
    await first
    await storage.ledger.flush()
    assert await storage.decisions.latest(GROUP, 10) == []


async def test_close_writes_what_is_queued(storage: Storage, url: str, said: list[str]):
    for number in range(1300):
        storage.ledger.append(message(number))
    await storage.close()
    assert await outside(url, "SELECT count(*) FROM mishu_ledger") == [(1300,)]
    await storage.close()
    assert said == []


async def test_pitfall_15_close_leaves_no_task_and_refuses_what_comes_after(storage: Storage, opened: Opener):
    before = asyncio.all_tasks()
    other = await opened()
    other.ledger.append(message(1))
    await other.close()
    assert asyncio.all_tasks() == before
    other.ledger.append(message(2))
    with pytest.raises(StorageClosed):
        await other.ledger.flush()
    with pytest.raises(StorageClosed):
        await other.ledger.load(GROUP, 1)
    again = await opened()
    assert ids(await again.ledger.load(GROUP, 10)) == ["1"]


async def test_close_while_nothing_can_be_written_ends_and_says_what_is_lost(
    opened: Opener, url: str, said: list[str]
):
    storage = await opened(deadline=SHORT)
    async with locked(url):
        storage.ledger.append(message(1))
        storage.ledger.append(message(2))
        async with asyncio.timeout(10 * SHORT):
            await storage.close()
    await until(lambda: bool(said) and said[-1] == "数据库关闭时还有 2 条记录没能写入。")


async def test_a_listener_that_fails_does_not_stop_the_writer(url: str, monkeypatch: pytest.MonkeyPatch):
    def broken(_sentence: str) -> None:
        raise LookupError

    raised: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: raised.append(context["exception"]))
    storage = await Storage.open(url, on_trouble=broken, deadline=SHORT)
    try:
        async with locked(url):
            with pytest.raises(StorageError):
                await storage.decisions.add(decision())
        await storage.decisions.add(decision())
    finally:
        await storage.close()
        loop.set_exception_handler(None)
    assert isinstance(raised[0], LookupError)


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_server_that_dropped_our_connections_is_found_again(
    storage: Storage, url: str, said: list[str]
):
    """As after its restart: every pooled connection is dead."""
    await storage.settings.set_persona(GROUP, "海盗")
    await outside(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    assert (await storage.settings.load(GROUP)).persona == "海盗"
    await storage.settings.set_persona(GROUP, "诗人")
    assert (await storage.settings.load(GROUP)).persona == "诗人"
    assert said == []


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_a_file_written_over_is_gone_for_good(
    opened: Opener, url: str, said: list[str], monkeypatch: pytest.MonkeyPatch
):
    """The system says it is the same file."""
    monkeypatch.setattr(writer, "WATCHED", 0.05)
    storage = await opened()
    file = storage._database._path
    assert file is not None
    whole = file.read_bytes()
    assert storage.status() == ("ok", "")
    with file.open("wb"):
        pass
    await until(lambda: storage.status()[0] == "degraded")
    await until(lambda: said == [str(DatabaseGone())])
    file.write_bytes(whole)
    with pytest.raises(DatabaseGone):
        await storage.claims.claim("10000", ["1"])


@pytest.mark.parametrize("how", ["moved", "replaced"])
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_a_file_that_went_is_noticed_and_nothing_is_claimed_into_it(
    opened: Opener, url: str, said: list[str], monkeypatch: pytest.MonkeyPatch, how: str
):
    """A system that lets open files be deleted writes on, into what nobody will read."""
    monkeypatch.setattr(writer, "WATCHED", 0.05)
    storage = await opened()
    storage.ledger.append(message(0))
    await storage.ledger.flush()
    assert storage.status() == ("ok", "")
    file = storage._database._path
    assert file is not None
    away = file.with_name("away.db")
    file.rename(away)
    if how == "replaced":
        file.write_bytes(away.read_bytes())
    await until(lambda: storage.status()[0] == "degraded")
    assert [line for line in said if "删掉或换掉" in line] == said[:1], "said once, by the watch"
    with pytest.raises(DatabaseGone, match="从备份恢复"):
        await storage.claims.claim("10000", ["1"])
    storage.ledger.append(message(1))
    with pytest.raises(DatabaseGone):
        await storage.decisions.add(decision())
    assert len(said) == 1
    away.replace(file)
    await until(lambda: storage.status()[0] == "ok")
    await storage.ledger.flush()
    assert ids(await storage.ledger.load(GROUP, 10)) == ["0", "1"]
