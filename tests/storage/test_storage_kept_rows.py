"""Schedules are kept in memory between two looks, and never shown as they were before a change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from nonebot_plugin_mishu.storage import Storage, StorageError
from nonebot_plugin_mishu.storage.engine.row_cache import KeptRows, Writes
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.schedules.queries import Add, Change, Delete, Edit
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

Opener = Callable[..., Awaitable[Storage]]
HERE = Conversation("10000", "group", "777001")
MING = Participant("30001", "小明")
PLAN = SchedulePlan("2026-11-19 15:00:00", "Asia/Shanghai", "开会")


async def do(storage: Storage, *changes: Change) -> list[ScheduleRecord]:
    return await storage.schedules.apply(HERE, MING, changes, at=1.0, summary="改了", remind=lambda _: None)


async def names(storage: Storage) -> list[str]:
    return [each.description for each in await storage.schedules.live(HERE)]


async def test_a_change_is_seen_at_once_whoever_made_it(storage: Storage):
    (made,) = await do(storage, Add(PLAN, "m1"))
    assert await names(storage) == ["开会"]
    await do(storage, Edit(made.id, SchedulePlan(PLAN.start, PLAN.zone, "评审"), "m2"))
    assert await names(storage) == ["评审"]

    async def straight(connection: AsyncConnection) -> None:
        await connection.execute(text("UPDATE mishu_schedule SET description = '聚餐'"))

    await storage._writer.run(straight)
    assert await names(storage) == ["聚餐"]
    await do(storage, Delete(made.id, "m3"))
    assert await names(storage) == []
    await do(storage, Add(PLAN, "m4"))
    assert await names(storage) == ["开会"]
    assert await storage.changes.undo(HERE, "30001", 2.0) is not None
    assert await names(storage) == []


async def test_what_is_handed_out_is_ones_own(storage: Storage):
    await do(storage, Add(PLAN, "m1"))
    (await storage.schedules.live(HERE)).clear()
    (await storage.schedules.live(HERE)).clear()
    assert await names(storage) == ["开会"]


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)  # a file has one process
async def test_another_process_is_seen_on_a_server(kind: str, opened: Opener):
    ours, theirs = await opened(), await opened()
    (made,) = await do(theirs, Add(PLAN, "m1"))
    assert await names(ours) == ["开会"]
    await do(theirs, Edit(made.id, SchedulePlan(PLAN.start, PLAN.zone, "评审"), "m2"))
    assert await names(ours) == ["评审"]


async def test_after_a_failure_it_is_read_until_a_writing_went_well(storage: Storage):
    await do(storage, Add(PLAN, "m1"))
    assert await names(storage) == ["开会"]

    async def failing(connection: AsyncConnection) -> None:
        await connection.execute(text("UPDATE mishu_schedule SET description = '聚餐'"))
        await connection.execute(text("SELECT nothing FROM nowhere"))

    with pytest.raises(StorageError):
        await storage._writer.run(failing)
    assert await names(storage) == ["开会"]


def test_a_count_is_unknown_between_a_failure_and_the_next_that_went_well():
    writes = Writes("here")
    before = writes.version("here")
    writes._note_statement(None, None, "UPDATE here SET a = 1", None, None, many=False)
    writes.ended(sound=False)
    assert writes.version("here") is None
    writes.ended(sound=True)
    assert writes.version("here") not in (None, before)


def test_only_so_many_rows_are_kept():
    kept: KeptRows[int] = KeptRows(most=5)
    kept.put("a", 1, [1, 2, 3])
    kept.put("b", 1, [4, 5, 6])
    assert kept.get("a", 1) is None
    assert kept.get("b", 1) == [4, 5, 6]
    assert kept.get("b", 2) is None
    kept.put("c", 1, list(range(6)))
    assert kept.get("c", 1) is None
