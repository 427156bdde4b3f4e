"""Tasks given to others, put off, handed over; what was just done taken back; lines in their context."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from nonebot_plugin_mishu.services import record, tasks, undoing
from nonebot_plugin_mishu.services.access import owner_choices
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor, Write
from nonebot_plugin_mishu.services.books import books
from nonebot_plugin_mishu.services.refusals import Refused
from nonebot_plugin_mishu.services.schedules import schedules
from nonebot_plugin_mishu.storage.tasks.records import TaskRecord

from .conftest import GROUP, MING, NOW, PLACE, WANG, YA, Running

ME = Actor("member", MING, GROUP, "小明")
ADMIN = Actor("admin", YA, GROUP, "小雅")


async def made(running: Running, title: str = "交报告", **more: Any) -> TaskRecord:
    at = NOW.replace(hour=15)
    return await tasks.create_task(
        running.office, Write(ME, title), MING, {"title": title, "remindAt": at, **more}, group_id=GROUP
    )


async def open_tasks(running: Running, user: str) -> list[str]:
    found = await tasks.list_tasks(
        running.office,
        Actor("member", user, GROUP),
        user,
        group_id=GROUP,
        status="pending",
        first=None,
        last=None,
        limit=50,
        after=None,
    )
    return [each.title for each in found.rows]


async def undo_last(running: Running, actor: Actor = ME) -> str:
    last = await undoing.find_newest(running.office, actor, PLACE)
    assert last is not None
    return await undoing.undo_change(running.office, Write(actor, "undo"), PLACE, last.change_id)


async def test_a_task_is_handed_over_with_its_reminder_and_taken_back(running: Running) -> None:
    task = await made(running)
    given = await tasks.hand_over(running.office, Write(ME, "a"), MING, task.id, WANG)
    assert (given.owner, given.owner_name, given.creator) == (WANG, "小王", MING)
    assert await open_tasks(running, MING) == []
    mine = await tasks.list_assigned_tasks(
        running.office, ME, MING, group_id=GROUP, status="pending", limit=50, after=None
    )
    assert [each.id for each in mine.rows] == [task.id]
    (_, speech) = running.platform.sent[-1]
    assert "提醒小王交报告" in str(speech)
    storage = running.runtime.storage
    assert storage is not None
    due = await storage.reminders.of_item("tasks", task.id)
    assert [list(each.user_ids) for each in due if each.state == "waiting"] == [[WANG]]
    assert await undo_last(running) == "修改任务「交报告」"
    assert await open_tasks(running, MING) == ["交报告"]
    assert "撤销了：修改任务「交报告」" in str(running.platform.sent[-1][1])


async def test_a_task_goes_to_no_stranger_and_from_nobody_else(running: Running) -> None:
    task = await made(running)
    with pytest.raises(Refused) as why:
        await tasks.hand_over(running.office, Write(ME, "a"), MING, task.id, "999")
    assert why.value.status == 422
    other = Actor("member", WANG, GROUP, "小王")
    with pytest.raises(Refused) as why:
        await tasks.hand_over(running.office, Write(other, "b"), MING, task.id, WANG)
    assert why.value.status in (403, 404)


async def test_a_task_is_put_off_with_its_clock(running: Running) -> None:
    task = await made(running)
    later = await tasks.update_task(
        running.office, Write(ME, "a"), MING, task.id, {"dueDate": date(2026, 11, 20)}
    )
    assert (later.fields.due_date, (later.fields.remind_at or "")[:16]) == ("2026-11-20", "2026-11-20T15:00")
    await undo_last(running)
    storage = running.runtime.storage
    assert storage is not None
    again = await storage.tasks.get(task.id)
    assert again is not None
    assert again.fields.due_date == "2026-11-18"


async def test_a_deleted_task_comes_back_and_only_this_change_is_undone(running: Running) -> None:
    first, second = await made(running), await made(running, "还书")
    await tasks.delete_task(running.office, Write(ME, "a", confirm=True), MING, first.id)
    gone = await undoing.find_newest(running.office, ME, PLACE)
    assert gone is not None
    assert gone.summary == "删除任务「交报告」"
    await tasks.complete_task(running.office, Write(ME, "b"), MING, second.id)
    await undoing.undo_change(running.office, Write(ME, "c"), PLACE, gone.change_id)
    assert await open_tasks(running, MING) == ["交报告"]
    with pytest.raises(Refused, match="撤销过"):
        await undoing.undo_change(running.office, Write(ME, "d"), PLACE, gone.change_id)
    with pytest.raises(Refused):  # another's change is nobody's to undo
        await undoing.undo_change(running.office, Write(ADMIN, "e"), PLACE, gone.change_id)


async def test_a_schedule_and_a_settlement_are_undone_where_the_group_was_told(running: Running) -> None:
    fields = {"description": "评审会", "starts_at": NOW.replace(day=20)}
    await schedules.create_schedule(running.office, Write(ME, "a"), PLACE, fields)
    await undo_last(running)
    assert "撤销了：添加日程「评审会」" in str(running.platform.sent[-1][1])
    with pytest.raises(Refused):
        await schedules.get_schedule(running.office, PLACE, 1)
    shared = {
        "amount": Decimal(90),
        "participants": [(MING, None), (YA, None), (WANG, None)],
        "scope": "shared",
    }
    await books.create_record(running.office, Write(ME, "b"), PLACE, {**shared, "description": "聚餐"})
    await books.pay_back(running.office, Write(ADMIN, "c"), PLACE, YA, MING, Decimal(10))
    owed = {each.debtor: each.fen for each in await books.list_debts(running.office, PLACE)}
    assert owed == {YA: 2000, WANG: 3000}, "a part of it is paid back"
    await undo_last(running, ADMIN)
    owed = {each.debtor: each.fen for each in await books.list_debts(running.office, PLACE)}
    assert owed == {YA: 3000, WANG: 3000}


async def test_an_owner_is_a_superuser_by_name(running: Running) -> None:
    assert await owner_choices.find_default_person(running.office, PLACE) is None
    running.runtime.superusers = ["900", YA]
    assert await owner_choices.find_default_person(running.office, PLACE) == YA
    assert (await owner_choices.list_people(running.office, PLACE))["900"] == "主人 900"
    task = await tasks.create_task(
        running.office,
        Write(OWNER, "a"),
        YA,
        {"title": "看一眼", "remindAt": NOW.replace(hour=16)},
        group_id=GROUP,
    )
    assert (task.owner_name, task.creator) == ("小雅", YA)


async def test_lines_stand_in_their_context(running: Running) -> None:
    for number in range(12):
        await running.say(WANG, "小王", f"第{number}句", at=60.0 + number)
    storage = running.runtime.storage
    assert storage is not None
    found = await storage.ledger.containing(
        PLACE, ["第6句"], user_id=None, since=0.0, until=NOW.timestamp() + 900, limit=5
    )
    (hit,) = found
    around = await record.list_context(running.office, PLACE, hit, since=None)
    assert [each.text for each in around] == [f"第{number}句" for number in range(2, 11)]
    since = NOW.timestamp() + 65.0
    around = await record.list_context(running.office, PLACE, hit, since=since)
    assert [each.text for each in around] == [f"第{number}句" for number in range(5, 11)]
    lines = await record.list_lines(running.office, PLACE, [hit.message_id, "nothing"], since=since)
    assert [each.text for each in lines] == ["第6句"]
