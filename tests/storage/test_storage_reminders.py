"""Due rows: claimed by one, followed by the next, lost by nobody, on both databases."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.reminders.queries import drop, finish
from nonebot_plugin_mishu.storage.reminders.records import Following, ReminderRecord
from reminder_support import GROUP, keep, reminder, rows_of, states
from storage_support import FRIEND, OTHER

Opener = Callable[..., Awaitable[Storage]]


def never(record: ReminderRecord, at: float) -> Following | None:
    return None


def an_hour_later(record: ReminderRecord, at: float) -> Following | None:
    return Following(record.due_at + 3600, "1970-01-01 09:16", "注意")


async def _run(storage: Storage, work: Any) -> Any:
    return await storage._writer.run(work)


async def test_what_is_put_is_what_comes_out(storage: Storage):
    whole = reminder(
        everybody=True,
        user_ids=["2", "1", "2"],
        recurrence={"freq": "daily", "interval": 1},
        lead_minutes=10,
        until="2026-12-31",
        wall="1970-01-01 08:26",
    )
    await keep(storage, whole)
    [record] = await storage.reminders.rows.due(GROUP, 1000.0, 5)
    assert record == ReminderRecord(
        id=record.id,
        conversation=GROUP,
        agent_code="tasks",
        item_id=1,
        user_ids=("2", "1"),
        everybody=True,
        text="提醒：交周报",
        note=None,
        due_at=1000.0,
        wall="1970-01-01 08:26",
        anchor="1970-01-01 08:26",
        zone="Asia/Shanghai",
        recurrence={"freq": "daily", "interval": 1},
        until="2026-12-31",
        lead_minutes=10,
        state="waiting",
    )


@pytest.mark.parametrize("wall", ["1970-01-01 08:16", "1970-01-01 08:26"])
async def test_either_wall_time_is_understood(storage: Storage, wall: str):
    """1000 s are 08:16:40 there; ten minutes before the thing, which is at 08:26."""
    await keep(storage, reminder(lead_minutes=10, wall=wall))
    [record] = await storage.reminders.rows.due(GROUP, 1000.0, 5)
    assert record.wall == "1970-01-01 08:26"


async def test_backlog_counts_what_is_due_where(storage: Storage):
    rows = storage.reminders.rows
    assert (await rows.backlog(1e9), await rows.next_due(0.0)) == ([], None)
    await keep(
        storage,
        reminder(due_at=20.0),
        reminder(due_at=10.0, agent_code="digest"),
        reminder(due_at=5.0, conversation=OTHER),
        reminder(due_at=50.0, conversation=FRIEND),
    )
    found = [
        (each.conversation, each.count, each.first_due, each.digests) for each in await rows.backlog(20.0)
    ]
    assert found == [(OTHER, 1, 5.0, 0), (GROUP, 2, 10.0, 1)]
    assert await rows.next_due(20.0) == 50.0
    assert await rows.next_due(4.0) == 5.0
    assert [each.due_at for each in await rows.due(GROUP, 20.0, 5)] == [10.0, 20.0]
    assert [each.due_at for each in await rows.due(GROUP, 20.0, 5, only_digests=True)] == [10.0]


async def test_the_same_origin_is_put_once(storage: Storage):
    first = await keep(storage, reminder(origin="m:1"))
    assert await keep(storage, reminder(origin="m:1", text="again")) == first
    assert await keep(storage, reminder(), reminder()) != first
    assert len(await rows_of(storage)) == 3


async def test_claimed_rows_are_nobody_elses_until_the_end(storage: Storage):
    rows = storage.reminders.rows
    ids = await keep(storage, reminder(due_at=2.0), reminder(due_at=1.0))
    ours = await rows.claim(ids, "a", 10.0, 60.0)
    assert [each.id for each in ours] == [ids[1], ids[0]]
    assert await rows.claim(ids, "b", 10.0, 60.0) == []
    assert await rows.backlog(10.0) == []
    await rows.sent("a", "77", 11.0, never)
    await rows.sent("a", "78", 12.0, never)
    assert [(row.state, row.message_id, row.closed_at) for row in await rows_of(storage)] == [
        ("sent", "77", 11.0)
    ] * 2
    assert {each.id for each in await storage.reminders.by_message(GROUP, "77")} == set(ids)
    assert await storage.reminders.by_message(OTHER, "77") == []


async def test_gathering_takes_all_but_digests_and_lists_the_first(storage: Storage):
    rows = storage.reminders.rows
    await keep(storage, *(reminder(due_at=float(n), item_id=n) for n in range(30)))
    await keep(storage, reminder(due_at=3.0, agent_code="digest"), reminder(due_at=3.0, conversation=OTHER))
    first, count = await rows.gather(GROUP, 24.0, "a", 100.0, 60.0, 10)
    assert ([each.item_id for each in first], count) == (list(range(10)), 25)
    await rows.sent("a", "77", 101.0, never)
    assert sorted(await states(storage)) == ["sent"] * 25 + ["waiting"] * 7


@pytest.mark.parametrize("end", ["sent", "unclear twice", "failed for good", "recovered twice"])
async def test_what_ends_is_followed_by_its_next_occurrence_once(storage: Storage, end: str):
    rows = storage.reminders.rows
    lease = 60.0 if rows.alone else 0.5  # by the server's clock, which nobody sets
    [key] = await keep(storage, reminder(recurrence={"freq": "hourly", "interval": 1}))
    for token in ("a", "b"):
        await rows.claim([key], token, 1000.0, lease)
        if end == "sent":
            await rows.sent(token, "77", 1000.0, an_hour_later)
        elif end == "unclear twice":
            await rows.unclear(token, 1000.0, 0.0, "?", an_hour_later)
        elif end == "recovered twice":
            assert await rows.recover(1060.0, {token}, an_hour_later) == 0
            assert await rows.recover(1059.0, (), an_hour_later) == 0
            await asyncio.sleep(0.0 if rows.alone else lease)
            assert await rows.recover(1060.0, (), an_hour_later) == 1
        else:
            await rows.failed(token, 1000.0, 0.0, "!", an_hour_later, most=2)
    old, new = await rows_of(storage)
    assert old.state == ("dropped" if end == "failed for good" else "sent")
    assert (new.due_at, new.state, new.note, new.wall) == (4600.0, "waiting", "注意", "1970-01-01 09:16")
    assert (new.anchor, new.failures, new.unclear) == (old.anchor, 0, 0)


async def test_a_failure_waits_and_is_given_up(storage: Storage):
    rows = storage.reminders.rows
    [key] = await keep(storage, reminder())
    for number in range(3):
        now = 1000.0 + 100 * number
        assert [each.failures for each in await rows.claim([key], str(number), now, 60.0)] == [number]
        given_up = await rows.failed(str(number), now, now + 50.0, "禁言", never, most=3)
        assert given_up == (number == 2)
        if not given_up:
            assert await rows.backlog(now + 49.0) == []
            assert await rows.next_due(now + 49.0) == now + 50.0
            assert len(await rows.backlog(now + 50.0)) == 1
    assert await states(storage) == ["dropped"]


async def test_clocks_that_are_set_back_hold_nothing_up(storage: Storage):
    rows = storage.reminders.rows
    failed, died = await keep(storage, reminder(due_at=1.0), reminder(due_at=1.0))
    await rows.claim([failed], "a", 1_000_000.0, 60.0)
    await rows.failed("a", 1_000_000.0, 1_000_030.0, "!", never, most=5)
    await rows.claim([died], "b", 1_000_000.0, 60.0)
    assert await rows.recover(500.0, (), never) == rows.alone, "else it is no clock of ours that counts"
    assert [each.unclear for each in await rows.due(GROUP, 500.0, 5)] == ([0, 1] if rows.alone else [0])


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
@pytest.mark.parametrize("wrong", [-600.0, 600.0])
async def test_a_process_whose_clock_is_wrong_neither_steals_nor_keeps_a_claim(opened: Opener, wrong: float):
    """Storages stand for processes."""
    right, other = (await opened()).reminders.rows, (await opened()).reminders.rows
    storage = await opened()
    now = time.time()
    [key, one, two] = await keep(storage, *(reminder(due_at=1.0, item_id=number) for number in range(3)))
    assert await right.claim([key], "right", now, 60.0)
    assert await other.recover(now + wrong, (), never) == 0, "it holds, whatever the other's clock says"
    assert await other.claim([one], "batched", now + wrong, 0.3)
    assert (await other.gather(GROUP, now, "gathered", now + wrong, 0.3, 10))[1] == 1
    assert await right.recover(now, (), never) == 0, "theirs hold too"
    await asyncio.sleep(0.4)
    assert await right.recover(now, (), never) == 2, "and no longer than they were given"
    assert [each.id for each in await right.due(GROUP, now, 5)] == [one, two]


async def test_a_process_that_is_alone_recovers_at_once(storage: Storage, kind: str):
    rows = storage.reminders.rows
    assert rows.alone == (kind == "sqlite")
    [key] = await keep(storage, reminder())
    await rows.claim([key], "a", 1000.0, 60.0)
    assert await rows.recover(1001.0, (), never) == 0
    assert await rows.recover(1001.0, (), never, everything=True) == 1


async def test_dropped_while_it_is_sent(storage: Storage):
    """The thing is over: no further try and no further occurrence, but the message is known."""
    rows = storage.reminders.rows
    ids = await keep(storage, reminder(recurrence={"freq": "hourly"}), reminder(item_id=2))
    await rows.claim(ids[:1], "a", 1000.0, 60.0)
    changes = await _run(storage, lambda connection: drop(connection, "tasks", 1))
    assert [(each.before["state"], each.after["state"]) for each in changes] == [("claimed", "dropped")]
    await rows.sent("a", "77", 1001.0, an_hour_later, ids[:1])
    assert [(row.state, row.message_id) for row in await rows_of(storage)] == [
        ("dropped", "77"),
        ("waiting", None),
    ]
    assert await rows.failed("a", 1001.0, 0.0, "!", an_hour_later, most=1) == 0


async def test_who_was_reminded_last(storage: Storage):
    reminders, rows = storage.reminders, storage.reminders.rows
    ids = await keep(
        storage, reminder(), reminder(item_id=2, user_ids=["1", "2"]), reminder(item_id=3, user_ids=["12"])
    )
    for number, key in enumerate(ids):
        await rows.claim([key], str(number), 1000.0, 60.0)
        await rows.sent(str(number), f"m{number}", 1000.0 + number, never)
    assert [each.item_id for each in await reminders.find_last_sent(GROUP, "1", 900.0)] == [2]
    assert [each.item_id for each in await reminders.find_last_sent(GROUP, "12", 900.0)] == [3]
    assert await reminders.find_last_sent(GROUP, "1", 1001.5) == []
    await _run(storage, lambda connection: finish(connection, ids[1]))
    assert [each.item_id for each in await reminders.find_last_sent(GROUP, "1", 900.0)] == [1]


async def test_old_ends_are_deleted_and_nothing_else(storage: Storage):
    rows = storage.reminders.rows
    ids = await keep(storage, *(reminder(due_at=each) for each in (1.0, 2.0, 1000.0)))
    for key, at in zip(ids[1:], (400.0, 1000.0), strict=True):
        await rows.claim([key], f"{key}", at, 60.0)
        await rows.sent(f"{key}", "77", at, never)
    assert await rows.prune(300.0) == 0, "it ended later than that"
    assert await rows.prune(500.0) == 1
    assert [row.id for row in await rows_of(storage)] == [ids[0], ids[2]]


async def test_what_is_due_in_many_places_is_what_is_due_in_each(storage: Storage):
    places = [replace(GROUP, peer=str(number)) for number in range(5)]
    for number in range(40):
        where = places[number % 4]
        await keep(storage, reminder(conversation=where, item_id=number, due_at=1000.0 - number % 7))
    await keep(storage, reminder(conversation=places[0], due_at=5000.0))
    rows = storage.reminders.rows
    for limit in (3, 100):
        found = await rows.due_in(places, 2000.0, limit)
        assert found == {where: await rows.due(where, 2000.0, limit) for where in places}
    assert found[places[4]] == []
    assert await rows.due_in([], 2000.0, 3) == {}


async def test_those_who_claim_and_close_at_once_do_it_in_one_write(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
):
    ids = await keep(storage, *(reminder(item_id=number) for number in range(60)))
    writes: list[int] = []
    write = storage._database.write

    async def counted(work):
        writes.append(1)
        return await write(work)

    monkeypatch.setattr(storage._database, "write", counted)
    rows = storage.reminders.rows
    claims = [(f"t{number}", ids[number : number + 2]) for number in range(0, 60, 2)]
    claims.append(("late", ids[:2]))
    taken = await asyncio.gather(*(rows.claim(asked, token, 1000.0, 60.0) for token, asked in claims))
    assert [[row.id for row in got] for got in taken] == [*(asked for _, asked in claims[:-1]), []]
    await asyncio.gather(
        *(rows.sent(token, f"m{token}", 1000.0, never, asked, count=2) for token, asked in claims[:-1])
    )
    assert len(writes) <= 4, "not thirty and thirty"
    assert [(row.state, row.message_id) for row in await rows_of(storage)] == [
        ("sent", f"mt{number - number % 2}") for number in range(60)
    ]


async def test_pitfall_44_four_workers_share_the_rows(storage: Storage, opened: Opener):
    """Storages stand for processes. Each row is claimed by one, and none is left (SKIP LOCKED)."""
    many = 200
    ids = await keep(storage, *(reminder(item_id=number) for number in range(many)))
    workers = [storage, *[await opened() for _ in range(3)]]
    taken: list[int] = []

    async def work(number: int, worker: Storage) -> None:
        rows = worker.reminders.rows
        while due := await rows.due(GROUP, 2000.0, 10):
            token = f"{number}:{len(taken)}:{due[0].id}"
            ours = await rows.claim([each.id for each in due], token, 2000.0, 60.0)
            taken.extend(each.id for each in ours)
            await rows.sent(token, "77", 2000.0, an_hour_later)

    await asyncio.gather(*(work(number, worker) for number, worker in enumerate(workers)))
    assert sorted(taken) == sorted(ids)
    assert await states(storage) == ["sent"] * many


async def test_a_worker_that_hangs_in_a_claim_holds_up_no_other(storage: Storage, opened: Opener, kind: str):
    if kind == "sqlite":
        return  # One process has the file.
    other = await opened()
    ids = await keep(storage, reminder(), reminder())
    locked, free = asyncio.Event(), asyncio.Event()

    async def hang(connection: Any) -> None:
        from nonebot_plugin_mishu.storage.reminders.tables import reminder as table
        from sqlalchemy import select

        await connection.execute(select(table.c.id).where(table.c.id == ids[0]).with_for_update())
        locked.set()
        await free.wait()

    hanging = asyncio.create_task(storage._database.write(hang))
    await locked.wait()
    async with asyncio.timeout(2):
        assert [each.id for each in await other.reminders.rows.claim(ids, "b", 2000.0, 60.0)] == [ids[1]]
    free.set()
    await hanging


async def test_a_claim_run_again_after_a_broken_commit_is_still_ours(storage: Storage, monkeypatch):
    [key] = await keep(storage, reminder(recurrence={"freq": "hourly"}))
    write = storage._database.write

    async def twice(work: Any) -> Any:
        await write(work)
        return await write(work)

    monkeypatch.setattr(storage._database, "write", twice)
    rows = storage.reminders.rows
    assert [each.id for each in await rows.claim([key], "a", 1000.0, 60.0)] == [key]
    await rows.unclear("a", 1000.0, 0.0, "?", an_hour_later)
    assert [each.unclear for each in await rows.claim([key], "b", 1000.0, 60.0)] == [1]
    await rows.sent("b", "77", 1000.0, an_hour_later)
    assert await states(storage) == ["sent", "waiting"]


async def test_records_are_values(storage: Storage):
    await keep(storage, reminder())
    [record] = await storage.reminders.rows.due(GROUP, 1000.0, 5)
    assert replace(record, text="x").text == "x"
    assert await storage.reminders.of_item("tasks", 1) == [record]
