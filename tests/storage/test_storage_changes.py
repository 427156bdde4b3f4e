"""撤销: the last change of a member, all of it or none, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.groups import tables
from nonebot_plugin_mishu.storage.journal.queries import CannotUndo, RowChange, image, journal
from nonebot_plugin_mishu.storage.reminders.queries import drop, put
from reminder_support import reminder, states
from sqlalchemy import delete, insert, select, update
from storage_support import GROUP, OTHER

Opener = Callable[..., Awaitable[Storage]]
ITEM = tables.word
"""Stands for an agent's table: the journal knows tables by name only."""


def _values(word: str, **changed: Any) -> dict[str, Any]:
    return {
        "self_id": "10000",
        "kind": "group",
        "peer": "20000",
        "word_kind": "silence",
        "word": word,
        "removed": False,
        **changed,
    }


async def _run(storage: Storage, work: Any) -> Any:
    return await storage._writer.run(work)


async def add(
    storage: Storage, *words: str, at: float = 1000.0, user: str = "1", remind: bool = False
) -> int:
    """One change that adds rows."""

    async def work(connection):
        rows: list[RowChange] = []
        for word in words:
            result = await connection.execute(insert(ITEM).values(**_values(word)))
            key = result.inserted_primary_key[0]
            rows.append(RowChange(ITEM.name, key, None, await image(connection, ITEM, key)))
        if remind:
            rows.append(await put(connection, reminder(item_id=rows[0].row_id)))
        await journal(connection, GROUP, user, "tasks", f"添加{'、'.join(words)}", rows, at)
        return rows[0].row_id

    return await _run(storage, work)


async def change(storage: Storage, row_id: int, at: float = 1001.0, user: str = "1", **values: Any) -> None:
    async def work(connection):
        before = await image(connection, ITEM, row_id)
        await connection.execute(update(ITEM).where(ITEM.c.id == row_id).values(**values))
        after = await image(connection, ITEM, row_id)
        rows = [RowChange(ITEM.name, row_id, before, after)]
        await journal(connection, GROUP, user, "tasks", f"修改{before['word']}", rows, at)

    await _run(storage, work)


async def remove(storage: Storage, row_id: int, at: float = 1002.0, user: str = "1") -> None:
    async def work(connection):
        before = await image(connection, ITEM, row_id)
        await connection.execute(delete(ITEM).where(ITEM.c.id == row_id))
        rows = [RowChange(ITEM.name, row_id, before, None), *await drop(connection, "tasks", row_id)]
        await journal(connection, GROUP, user, "tasks", f"删除{before['word']}", rows, at)

    await _run(storage, work)


async def words(storage: Storage) -> list[str]:
    async def look(connection):
        return list(await connection.scalars(select(ITEM.c.word).order_by(ITEM.c.id)))

    return await storage._database.read(look)


async def test_undo_goes_back_change_by_change(storage: Storage):
    row = await add(storage, "甲")
    await change(storage, row, word="乙", removed=True)
    await remove(storage, row)
    assert await words(storage) == []
    undone = await storage.changes.undo(GROUP, "1", 1010.0)
    assert undone is not None
    assert (undone.summary, undone.agent_code) == ("删除乙", "tasks")
    assert await words(storage) == ["乙"]
    assert await storage.changes.last(GROUP, "1", 1010.0) == ("修改甲", 1001.0)
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert await words(storage) == ["甲"]
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert await words(storage) == []
    assert await storage.changes.undo(GROUP, "1", 1010.0) is None


async def test_what_was_undone_is_made_again_once_until_something_else_is_done(storage: Storage):
    row = await add(storage, "甲")
    await change(storage, row, word="乙", removed=True)
    changes = storage.changes
    assert await changes.last_undone(GROUP, "1", 1010.0) is None
    await changes.undo(GROUP, "1", 1010.0)
    await changes.undo(GROUP, "1", 1011.0)
    assert await words(storage) == []
    assert await changes.last_undone(GROUP, "1", 1012.0) == ("添加甲", 1011.0)
    made = await changes.redo(GROUP, "1", 1012.0, origin="m1")
    assert made is not None
    assert made.summary == "添加甲"
    assert await changes.redo(GROUP, "1", 1012.0, origin="m1") == made, "the same order"
    assert await words(storage) == ["甲"]
    assert await changes.last_undone(GROUP, "1", 1013.0) is None, "what was made again counts as done"
    await changes.undo(GROUP, "1", 1014.0)
    assert await words(storage) == []
    await add(storage, "丙", at=1015.0)
    assert await changes.last_undone(GROUP, "1", 1016.0) is None
    assert await changes.redo(GROUP, "1", 1016.0, origin="m2") is None
    assert await words(storage) == ["丙"]


async def test_what_is_not_as_it_was_left_is_not_made_again(storage: Storage):
    row = await add(storage, "甲")
    await change(storage, row, word="乙", removed=True)
    await storage.changes.undo(GROUP, "1", 1010.0)
    await change(storage, row, word="丁", removed=False, user="2")
    with pytest.raises(CannotUndo, match="恢复不了"):
        await storage.changes.redo(GROUP, "1", 1012.0, origin="m1")
    assert await words(storage) == ["丁"]


async def test_a_row_put_back_has_its_id_and_a_new_one_never_does(storage: Storage):
    row = await add(storage, "甲")
    await storage.changes.undo(GROUP, "1", 1000.0)
    again = await add(storage, "乙")
    assert again > row
    await remove(storage, again)
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert await add(storage, "丙") > again


@pytest.mark.parametrize(("now", "found"), [(1600.0, True), (1600.5, False)])
async def test_only_for_ten_minutes(storage: Storage, now: float, found: bool):
    await add(storage, "甲", at=1000.0)
    assert (await storage.changes.undo(GROUP, "1", now) is not None) == found


async def test_only_the_speakers_own_in_that_conversation(storage: Storage):
    await add(storage, "甲")
    assert await storage.changes.undo(GROUP, "2", 1000.0) is None
    assert await storage.changes.undo(OTHER, "1", 1000.0) is None
    assert await words(storage) == ["甲"]


@pytest.mark.parametrize("how", ["changed", "deleted", "back"])
async def test_what_was_touched_since_is_left_alone_as_a_whole(storage: Storage, how: str):
    row = await add(storage, "甲", "乙")
    if how == "changed":
        await change(storage, row, user="2", word="丙")
        expected = (["丙", "乙"], "「添加甲、乙」撤销不了：后来又改过。")
    elif how == "deleted":
        await remove(storage, row, user="2")
        expected = (["乙"], "「添加甲、乙」撤销不了：后来已经删掉了。")
    else:
        await remove(storage, row, user="1")
        await storage.changes.undo(GROUP, "1", 1003.0)
        assert await storage.changes.undo(GROUP, "1", 1004.0) is not None
        assert await words(storage) == []
        return
    with pytest.raises(CannotUndo) as refusal:
        await storage.changes.undo(GROUP, "1", 1010.0)
    assert (await words(storage), str(refusal.value)) == expected


async def test_reminders_come_and_go_with_what_they_remind_of(storage: Storage):
    row = await add(storage, "甲", remind=True)
    assert await states(storage) == ["waiting"]
    await remove(storage, row)
    assert await states(storage) == ["dropped"]
    told: list[str] = []
    storage.changes._on_undone = lambda: told.append("look again")
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert (await states(storage), told) == (["waiting"], ["look again"])
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert await states(storage) == []


async def test_a_reminder_that_was_sent_cannot_be_taken_back(storage: Storage):
    await add(storage, "甲", remind=True)
    rows = storage.reminders.rows
    [due] = await rows.due(GROUP, 1e10, 10)
    await rows.claim([due.id], "t", 1e10, 60)
    await rows.sent("t", "77", 1e10, lambda record, at: None)
    with pytest.raises(CannotUndo, match="提醒已经发出了"):
        await storage.changes.undo(GROUP, "1", 1010.0)
    assert await words(storage) == ["甲"]


async def test_the_same_order_twice_undoes_once(storage: Storage):
    await add(storage, "甲")
    await add(storage, "乙")
    first = await storage.changes.undo(GROUP, "1", 1010.0, origin="message 5")
    assert await storage.changes.undo(GROUP, "1", 1011.0, origin="message 5") == first
    assert await words(storage) == ["甲"]


async def test_two_at_once_undo_two_changes(storage: Storage, opened: Opener):
    await add(storage, "甲")
    await add(storage, "乙")
    other = await opened()
    undone = await asyncio.gather(*(each.changes.undo(GROUP, "1", 1010.0) for each in (storage, other)))
    got = {each.summary for each in undone if each is not None}
    assert got in ({"添加乙"}, {"添加甲", "添加乙"})
    if len(got) == 1:
        assert await storage.changes.undo(GROUP, "1", 1010.0) is not None
    assert await words(storage) == []


async def test_several_changes_of_one_row_are_one_and_none_is_none(storage: Storage):
    row = await add(storage, "甲")

    async def work(connection):
        rows = []
        for word in ("乙", "丙"):
            before = await image(connection, ITEM, row)
            await connection.execute(update(ITEM).where(ITEM.c.id == row).values(word=word))
            rows.append(RowChange(ITEM.name, row, before, await image(connection, ITEM, row)))
        rows.append(RowChange(ITEM.name, 999, {"word": "x"}, {"word": "x"}))
        await journal(connection, GROUP, "1", "tasks", "改两次", rows, 1005.0)

    await _run(storage, work)
    undone = await storage.changes.undo(GROUP, "1", 1010.0)
    assert undone is not None
    assert len(undone.rows) == 1
    assert await words(storage) == ["甲"]


async def test_odd_characters_compare_as_they_are_kept(storage: Storage):
    async def work(connection):
        key = (await connection.execute(insert(ITEM).values(**_values("甲\x00\ud83d")))).inserted_primary_key[
            0
        ]
        after = {"word": "甲\x00\ud83d", "removed": False}
        await journal(
            connection, GROUP, "1", "tasks", "添加", [RowChange(ITEM.name, key, None, after)], 1000.0
        )

    await _run(storage, work)
    assert await storage.changes.undo(GROUP, "1", 1000.0) is not None


async def test_a_failure_on_the_way_changes_nothing(storage: Storage, monkeypatch):
    row = await add(storage, "甲")
    await change(storage, row, word="乙")
    from nonebot_plugin_mishu.storage.journal import queries as changes

    put_back = changes._restore_rows

    async def failing(connection, rows):
        await put_back(connection, rows)
        raise RuntimeError("in the middle")

    monkeypatch.setattr(changes, "_restore_rows", failing)
    with pytest.raises(RuntimeError):
        await storage.changes.undo(GROUP, "1", 1010.0)
    monkeypatch.undo()
    assert await words(storage) == ["乙"]
    assert await storage.changes.undo(GROUP, "1", 1010.0) is not None
    assert await words(storage) == ["甲"]


async def test_a_change_of_another_plugins_agent_is_that_agents_to_take_back(storage: Storage) -> None:
    changes = storage.changes
    await add(storage, "a", at=1000.0)
    await changes.note_of_agent(GROUP, "1", "rooms", "订了 A3", {"id": 7}, 1001.0)
    await changes.note_of_agent(GROUP, "1", "rooms", "订了 A3", {"id": 7}, 1002.0)  # a restart repeats it
    assert await changes.last(GROUP, "1", 1100.0) == ("订了 A3", 1001.0)
    assert await changes.last_of_agent(GROUP, "2", 1100.0) is None
    assert await changes.last_of_agent(OTHER, "1", 1100.0) is None
    assert await changes.last_of_agent(GROUP, "1", 1700.0) is None
    found = await changes.last_of_agent(GROUP, "1", 1100.0)
    assert found is not None
    assert (found.agent_code, found.summary, found.token) == ("rooms", "订了 A3", {"id": 7})
    assert await changes.undone_by(GROUP, "1", "origin") is None
    await changes.close_of_agent(found.change_id, 1100.0, "origin")
    again = await changes.undone_by(GROUP, "1", "origin")
    assert again is not None
    assert again.change_id == found.change_id
    assert await changes.last_of_agent(GROUP, "1", 1100.0) is None
    undone = await changes.undo(GROUP, "1", 1100.0)
    assert undone is not None
    assert undone.summary == "添加a"


async def test_what_one_order_made_in_several_writes_is_taken_back_together(storage: Storage):
    before, first, second = [await add(storage, word) for word in ("先", "一", "二")]
    await storage.changes.as_one(GROUP, "1", ITEM.name, [first, second], "添加一和二")
    undone = await storage.changes.undo(GROUP, "1", 1010.0)
    assert undone is not None
    assert undone.summary == "添加一和二"
    assert await words(storage) == ["先"]
    await storage.changes.as_one(GROUP, "1", ITEM.name, [before], "添加先")
    undone = await storage.changes.undo(GROUP, "1", 1011.0)
    assert undone is not None
    assert undone.summary == "添加先"
    assert await words(storage) == []


async def test_changes_of_others_are_not_joined(storage: Storage):
    first = await add(storage, "一", user="2")
    second = await add(storage, "二")
    await storage.changes.as_one(GROUP, "1", ITEM.name, [first, second], "添加一和二")
    await storage.changes.undo(GROUP, "1", 1010.0)
    assert await words(storage) == ["一"]
