"""Tasks on disk: one row per origin, ids that only grow, row and journal and reminder in one transaction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.journal.tables import change
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.queries import NewReminder
from nonebot_plugin_mishu.storage.reminders.tables import reminder
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskDraft, TaskRecord
from sqlalchemy import func, select

GROUP = Conversation("10000", "group", "777001")
OTHER = Conversation("10000", "group", "777002")
PRIVATE = Conversation("10000", "private", "30001")
FIELDS = TaskChanges(
    title="买菜",
    due_date="2026-02-06",
    zone="Asia/Shanghai",
    time_segment="afternoon",
    remind_at="2026-02-06T15:00:00+08:00",
    description="带袋子",
    recurrence={"freq": "daily", "interval": 1},
)


def new(origin: str = "m1:0", where: Conversation = GROUP, **fields: Any) -> TaskDraft:
    return TaskDraft(where, "30001", "小明", "30001", replace(FIELDS, **fields), origin)


def remind(task: TaskRecord) -> NewReminder | None:
    if task.fields.remind_at is None:
        return None
    return NewReminder(
        task.conversation,
        "tasks",
        task.id,
        [task.owner],
        "提醒：买菜",
        1.0,
        "2026-02-06 15:00",
        task.fields.zone,
    )


async def make(storage: Storage, task: TaskDraft) -> Any:
    return await storage.tasks.create(task, summary="创建任务", at=1.0, remind=remind, objects=lambda _: None)


async def count(storage: Storage, table: Any, *conditions: Any) -> int:
    async def look(connection: Any) -> int:
        query = select(func.count()).select_from(table).where(*conditions)
        return int(await connection.scalar(query) or 0)

    return await storage._database.read(look)


async def edit(storage: Storage, task_id: int, **more: Any) -> Any:
    return await storage.tasks.change(
        task_id, conversation=GROUP, user_id="30001", summary="改", at=2.0, **more
    )


async def test_all_of_it_comes_back(storage: Storage) -> None:
    made = await make(storage, new())
    assert made.fields == FIELDS
    assert (made.owner, made.creator, made.status) == ("30001", "30001", "pending")
    assert await storage.tasks.get(made.id) == made
    assert await storage.tasks.all_in(GROUP) == [made]


async def test_the_same_origin_is_the_same_task(storage: Storage) -> None:
    first = await make(storage, new())
    assert await make(storage, new(title="别的")) == first
    assert await count(storage, reminder) == 1
    assert await count(storage, change) == 1


async def test_an_objection_writes_nothing(storage: Storage) -> None:
    await make(storage, new())
    seen: list[Any] = []

    def objects(tasks: Any) -> str:
        seen.extend(tasks)
        return "no"

    outcome = await storage.tasks.create(new("m2:0"), summary="", at=1.0, remind=remind, objects=objects)
    assert outcome == "no"
    assert [task.title for task in seen] == ["买菜"]
    assert len(await storage.tasks.of_member("30001")) == 1
    assert await edit(storage, 1, fields=replace(FIELDS, title="x"), objects=lambda _: "no") == "no"
    assert (await storage.tasks.of_member("30001"))[0].title == "买菜"


async def test_ids_are_never_used_again(storage: Storage) -> None:
    first = await make(storage, new())
    await storage.changes.undo(GROUP, "30001", 1.0)
    assert await storage.tasks.get(first.id) is None
    second = await make(storage, new("m2:0"))
    await edit(storage, second.id, delete=True)
    third = await make(storage, new("m3:0"))
    assert first.id < second.id < third.id


async def test_where_and_which(storage: Storage) -> None:
    here = await make(storage, new())
    there = await make(storage, new("m2:0", OTHER))
    alone = await make(storage, new("m3:0", PRIVATE))
    await edit(storage, there.id, status="completed")
    read = storage.tasks.of_member
    assert {task.id for task in await read("30001")} == {here.id, there.id, alone.id}
    assert [task.id for task in await read("30001", conversation=PRIVATE)] == [alone.id]
    assert [task.id for task in await read("30001", group_id="777002")] == [there.id]
    assert [task.id for task in await read("30001", status="completed")] == [there.id]
    assert await read("30001", group_id="777002", status="pending") == []
    assert await read("nobody") == []


async def test_a_reminder_ends_with_its_task(storage: Storage) -> None:
    made = await make(storage, new())
    waiting = reminder.c.state == "waiting"
    await edit(storage, made.id, fields=replace(FIELDS, title="买水果"))
    assert await count(storage, reminder, waiting) == 1
    await edit(storage, made.id, fields=replace(FIELDS, remind_at=None), remind=remind)
    assert await count(storage, reminder, waiting) == 0
    await edit(storage, made.id, fields=FIELDS, remind=remind)
    assert await count(storage, reminder, waiting) == 1
    await edit(storage, made.id, status="completed")
    assert await count(storage, reminder, waiting) == 0


async def test_a_task_that_is_gone_is_not_changed(storage: Storage) -> None:
    made = await make(storage, new())
    await edit(storage, made.id, delete=True)
    assert await edit(storage, made.id, status="completed") is None
    assert await storage.tasks.of_member("30001") == []


async def test_a_deletion_is_undone_with_its_reminder(storage: Storage) -> None:
    made = await make(storage, new())
    await edit(storage, made.id, delete=True)
    await storage.changes.undo(GROUP, "30001", 3.0)
    assert await storage.tasks.get(made.id) is not None
    assert await count(storage, reminder, reminder.c.state == "waiting") == 1


@pytest.mark.parametrize("title", ["a\x00b", "\ud800", "‮", "🍎"])
async def test_any_title_can_be_kept(storage: Storage, title: str) -> None:
    assert (await make(storage, new(title=title))).title
