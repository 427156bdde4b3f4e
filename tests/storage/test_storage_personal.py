"""What is kept of one member can be told and deleted as a whole, and nobody else's with it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from nonebot_plugin_mishu.memory import terms
from nonebot_plugin_mishu.storage import DatabaseLocked, Storage
from nonebot_plugin_mishu.storage.engine.columns import JsonText, metadata
from nonebot_plugin_mishu.storage.ledger import tables
from nonebot_plugin_mishu.storage.personal import KINDS, OTHER, Forgotten
from nonebot_plugin_mishu.storage.records import Conversation, Digest, FrameRecord, Removed, Summary
from sqlalchemy import Boolean, Float, Integer, LargeBinary, Table, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from storage_support import FRIEND, GROUP, call, decision, ids, locked, message, outside
from storage_support import OTHER as ELSEWHERE

ME, YOU = "30000", "30001"
MINE, YOURS = "我的秘密", "你的秘密"


def frame(task: str, user: str, text: str, where: Conversation = GROUP) -> FrameRecord:
    return FrameRecord(
        task_id=task,
        conversation=where,
        user_id=user,
        agent_code="tasks",
        intent="create_task",
        text=text,
        status="awaiting_user",
        priority=4,
        focus=False,
        origin=task,
        message_id=task,
        place=0,
        slots={"title": text},
        question=f"{text}几点？",
    )


async def live(storage: Storage, user: str, text: str, where: Conversation = GROUP) -> None:
    """A member says something, is answered, and leaves a row of every kind that goes through our calls."""
    number = f"{where.peer}-{user}"
    storage.ledger.append(message(number, user_id=user, text=text, conversation=where, name=f"名{user}"))
    answer = message(
        f"a-{number}", user_id="10000", text=f"{text}？", conversation=where, is_bot=True, reply_to=number
    )
    storage.ledger.append(answer)
    await storage.claims.claim("10000", [number])
    await storage.claims.mark_sent("10000", [number], f"a-{number}")
    await storage.decisions.add(decision(message_id=number, user_id=user, conversation=where, reason=text))
    await storage.decisions.add(decision(message_id=number, user_id="", conversation=where, reason=text))
    last = await storage.turns.add(where, user, text, f"记下了{text}", 1.0)
    await storage.turns.add(where, user, text, "好", 2.0)
    await storage.turns.digested(where, user, Digest(text, last, 3.0))
    made = Summary(where, user, f"s-{number}", "tasks", text, tuple(terms(text)), 4.0)
    await storage.summaries.store_summary(made)
    await storage.summaries.set_vector(made.task_id, text, "m", b"\x00" * 8)
    await storage.frames.put(frame(f"f-{number}", user, text, where))
    storage.usage.record(call(conversation=where))
    await storage.ledger.flush()


async def everything(storage: Storage) -> dict[str, str]:
    """All rows of all tables, as text."""

    async def look(connection: AsyncConnection) -> dict[str, str]:
        return {
            table.name: str([tuple(row) for row in await connection.execute(select(table))])
            for table in metadata.tables.values()
        }

    return await storage._database.read(look)


async def test_after_forgetting_nothing_of_the_member_is_in_any_table(storage: Storage):
    await live(storage, ME, MINE)
    before = await everything(storage)
    assert sum(MINE in rows for rows in before.values()) >= 6
    told = await storage.members.delete_member(GROUP, ME)
    after = await everything(storage)
    assert {name for name, rows in after.items() if MINE in rows or ME in rows} == set()
    assert told.left == {}
    assert told.gone == {
        "消息": 1,
        "我的回答": 1,
        "对话": 4,
        "对话摘要": 1,
        "办事摘要": 1,
        "办事记录": 1,
        "决定记录": 2,
        "应答标记": 1,
    }
    assert await storage.members.delete_member(GROUP, ME) == Forgotten({}, {})


@pytest.mark.parametrize("where", [GROUP, FRIEND], ids=["group", "private"])
async def test_the_line_that_asks_for_it_goes_last_when_it_is_answered(storage: Storage, where: Conversation):
    """Until then it is owed an answer: a process that comes after a kill finds it."""
    me = ME if where.is_group else where.peer
    await live(storage, me, MINE, where)
    storage.ledger.append(
        message("asks", user_id=me, text="确认忘记", conversation=where, name=f"名{me}", addressed=True)
    )
    would = await storage.members.would_forget(where, me)
    assert await storage.members.delete_member(where, me, sparing="asks") == would, "it is counted"
    await storage.claims.claim("10000", ["asks"], "都忘了")
    [left] = await storage.claims.list_unsent("10000", 0.0, time.time() + 1)
    assert (left.message.message_id, left.text) == ("asks", "都忘了")
    await storage.members.delete_line(where, "asks")
    after = await everything(storage)
    mine = {name for name, rows in after.items() if MINE in rows or "确认忘记" in rows or "都忘了" in rows}
    assert mine - {"mishu_change"} == set()


async def rows_of(storage: Storage) -> Counter[str]:
    """How many rows each table holds."""

    async def look(connection: AsyncConnection) -> Counter[str]:
        return Counter(
            {
                table.name: len(list(await connection.execute(select(table))))
                for table in metadata.tables.values()
            }
        )

    return await storage._database.read(look)


@pytest.mark.parametrize("where", [GROUP, FRIEND], ids=["group", "private"])
async def test_the_figures_told_are_the_rows_that_go(storage: Storage, where: Conversation):
    me = ME if where.is_group else where.peer
    await live(storage, me, MINE, where)
    if where.is_group:
        await live(storage, YOU, YOURS)
        await belong(storage, me, MINE, 2)
    before = await rows_of(storage)
    everything_before = await everything(storage)
    would = await storage.members.would_forget(where, me)
    assert await everything(storage) == everything_before, "it is only told"
    done = await storage.members.delete_member(where, me)
    assert would == done
    gone = before - await rows_of(storage)
    assert sum(done.gone.values()) == sum(gone.values())
    names = {KINDS[name] for name in gone}
    assert set(done.gone) - {KINDS["mishu_answer"]} == names
    for name, count in gone.items():
        answers = done.gone.get(KINDS["mishu_answer"], 0) if name == "mishu_ledger" else 0
        assert done.gone[KINDS[name]] + answers == count, name
    if where.is_group:
        assert done.left == {"任务": 1, "日程": 2, "提醒": 1}


async def test_others_and_other_places_keep_everything(storage: Storage):
    await live(storage, YOU, YOURS)
    await live(storage, ME, "别处的话", ELSEWHERE)
    before = await everything(storage)
    await live(storage, ME, MINE)
    await storage.members.delete_member(GROUP, ME)
    after = await everything(storage)
    calls = tables.model_call.name  # counts of tokens, without words or members
    assert {name for name in before if after[name] != before[name]} <= {calls}


async def test_in_private_our_own_lines_go_too(storage: Storage):
    await live(storage, FRIEND.peer, MINE, FRIEND)
    unasked = message("b", user_id="10000", text=f"提醒：{MINE}", conversation=FRIEND, is_bot=True)
    storage.ledger.append(unasked)
    await storage.members.delete_member(FRIEND, FRIEND.peer)
    assert await storage.ledger.load(FRIEND, 10) == []


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_the_search_index_forgets_too(storage: Storage, url: str):
    """FTS5 keeps the words of deleted rows until it merges; here not one is left on disk."""
    await live(storage, YOU, "qponmlkji")
    await live(storage, ME, "zyxwvutsr")
    await storage.members.delete_member(GROUP, ME)
    blocks = await outside(url, "SELECT block FROM mishu_summary_words_data")
    assert not any(b"zyxwv" in block for (block,) in blocks)
    assert any(b"qponm" in block for (block,) in blocks)


async def test_everything_kept_is_told(storage: Storage):
    await live(storage, ME, MINE)
    await live(storage, YOU, YOURS)
    storage.ledger.append(message("late", text="还没写下"))
    kept = await storage.members.export(GROUP, ME)
    assert ids(kept.messages) == [f"{GROUP.peer}-{ME}", "late"]
    assert {"turn", "digest", "summary", "frame", "decision"} <= set(kept.rows)
    told = str(kept.rows)
    assert told.count(MINE) >= 6
    assert YOURS not in told
    assert ME not in told.replace(f"-{ME}", "")
    assert kept.counts["消息"] == 2
    assert kept.counts["对话"] == 4


async def test_a_table_with_members_joins_by_itself(storage: Storage):
    """Whatever the agents keep under conversation and `user_id`: one row each, made up from its columns."""
    personal = [
        table
        for table in metadata.tables.values()
        if {"self_id", "kind", "peer", "user_id"} <= set(table.c.keys())
    ]
    assert len(personal) >= 6

    async def fill(connection: AsyncConnection) -> None:
        for table in personal:
            for user in (ME, YOU):
                await connection.execute(insert(table).values(**_made_up(table, user)))

    await storage._writer.run(fill)
    told = await storage.members.delete_member(GROUP, ME)
    assert sum(told.gone.values()) >= len(personal)
    for table in personal:

        async def users(connection: AsyncConnection, table: Table = table) -> set[str]:
            return set(await connection.scalars(select(table.c.user_id)))

        assert await storage._database.read(users) == {YOU}, table.name


def _made_up(table: Table, user: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column in table.c:
        if column.name == "id" or column.nullable:
            continue
        kind = column.type
        if isinstance(kind, JsonText):
            values[column.name] = []
        elif isinstance(kind, Boolean):
            values[column.name] = False
        elif isinstance(kind, Float):
            values[column.name] = 1.0
        elif isinstance(kind, LargeBinary):
            values[column.name] = b""
        elif isinstance(kind, Integer):
            values[column.name] = 1 if user == ME else 2
        else:
            values[column.name] = f"{user}{column.name}"
    place = {"self_id": GROUP.self_id, "kind": GROUP.kind, "peer": GROUP.peer, "user_id": user}
    return {**values, **place}


def test_every_personal_table_has_a_name_for_people():
    personal = {
        name
        for name, table in metadata.tables.items()
        if {"self_id", "peer", "user_id"} <= set(table.c.keys())
    }
    assert personal - set(KINDS) == set()


async def belong(storage: Storage, user: str, text: str, number: int) -> None:
    """A task, a schedule others join, reminders of both, and another's note of a change of the task."""
    place = {"self_id": GROUP.self_id, "kind": GROUP.kind, "peer": GROUP.peer}
    someone = "39999"

    async def fill(connection: AsyncConnection) -> None:
        async def add(name: str, **values: Any) -> int:
            table = metadata.tables[f"mishu_{name}"]
            made = {**_made_up(table, f"x{number}"), **place, **values}
            wanted = {key: value for key, value in made.items() if key in table.c}
            key = (await connection.execute(insert(table).values(**wanted))).inserted_primary_key
            assert key is not None
            return int(key[0])

        task = await add("task", owner=user, owner_name=text, creator=user, title=text, origin=f"t{number}")
        await add("task", owner=someone, creator=user, title="别人的事", origin=f"g{number}")
        joined = [{"user_id": user, "name": text}, {"user_id": someone, "name": "别人"}]
        party = await add("schedule", created_by=user, creator=text, joined=joined, origin=f"s{number}")
        await add("schedule", created_by=someone, creator="别人", joined=joined, origin=f"o{number}")
        await add(
            "reminder", agent_code="tasks", item_id=task, user_ids=[user], text=text, origin=f"r{number}"
        )
        both = [user, someone]
        await add("reminder", agent_code="schedule", item_id=party, user_ids=both, origin=f"q{number}")
        rows = [{"table": "mishu_task", "row_id": task, "before": {"title": text}, "after": None}]
        await add("change", user_id=someone, summary="删了任务", rows=rows)
        await add("change", user_id=user, summary=text, rows=[])

    await storage._writer.run(fill)


async def test_what_agents_keep_is_forgotten_too(storage: Storage):
    await belong(storage, YOU, YOURS, 1)
    before = await everything(storage)
    await belong(storage, ME, MINE, 2)
    kept = await storage.members.export(GROUP, ME)
    assert MINE in str(kept.rows["task"])
    assert len(kept.rows["schedule"]) == 2
    assert len(kept.rows["reminder"]) == 2
    assert YOURS not in str(kept.rows)
    told = await storage.members.delete_member(GROUP, ME)
    assert told.gone == {"任务": 1, "提醒": 1, "改动记录": 2}
    assert told.left == {"任务": 1, "日程": 2, "提醒": 1}
    after = await everything(storage)
    assert {name for name, rows in after.items() if MINE in rows or ME in rows} == set()
    for name in ("mishu_task", "mishu_schedule", "mishu_reminder", "mishu_change"):
        assert after[name].startswith(before[name][:-1]), name
    assert "别人的事" in after["mishu_task"]
    assert after["mishu_schedule"].count("39999") == before["mishu_schedule"].count("39999") * 2


class _Part:
    """A part that keeps members in a way of its own."""

    def __init__(self) -> None:
        self.fails = False

    async def export_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Mapping[str, list[dict[str, Any]]]:
        return {"odd": [{"what": f"{user_id} here"}]}

    async def forget_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Removed:
        if self.fails:
            raise DatabaseLocked
        return Removed({"odd": 2, "task": 1}, {"odd": 1})


async def test_parts_with_their_own_ways_join(storage: Storage):
    part = _Part()
    storage.members._keepers.append(part)
    await live(storage, ME, MINE)
    assert (await storage.members.export(GROUP, ME)).rows["odd"] == [{"what": f"{ME} here"}]
    part.fails = True
    with pytest.raises(DatabaseLocked):
        await storage.members.delete_member(GROUP, ME)
    assert ids(await storage.ledger.of_member(GROUP, ME)) != []
    part.fails = False
    told = await storage.members.delete_member(GROUP, ME)
    assert told.gone[OTHER] == 2
    assert told.gone["任务"] == 1
    assert told.left == {OTHER: 1}


async def test_who_keeps_things_in_memory_is_told_afterwards(storage: Storage):
    told: list[tuple[Conversation, str]] = []
    storage.members.on_forgotten(lambda where, user: told.append((where, user)))
    await storage.members.delete_member(GROUP, ME)
    assert told == [(GROUP, ME)]


async def test_forgetting_waits_for_nothing_that_cannot_be_written(opened: Any, url: str):
    storage = await opened(deadline=1.5)
    await live(storage, ME, MINE)
    told: list[str] = []
    storage.members.on_forgotten(lambda where, user: told.append(user))
    async with locked(url):
        with pytest.raises(DatabaseLocked):
            async with asyncio.timeout(5):
                await storage.members.delete_member(GROUP, ME)
    assert told == []
    assert len((await storage.members.export(GROUP, ME)).messages) == 1


async def test_others_expenses_that_a_member_shares_stay_and_are_told(storage: Storage):
    """Whoever paid needs them to know what is owed."""
    table = metadata.tables["mishu_transaction"]
    place = {"self_id": GROUP.self_id, "kind": GROUP.kind, "peer": GROUP.peer}

    async def fill(connection: AsyncConnection) -> None:
        for number, shared in enumerate([True, True, False]):
            made = {**_made_up(table, YOU), **place, "user_id": YOU, "shared": shared, "batch": f"b{number}"}
            shares = [[YOU, "你", 500], [ME if number != 1 else "39999", "我", 500]]
            await connection.execute(insert(table).values(**{**made, "shares": shares}))

    await storage._writer.run(fill)
    told = await storage.members.delete_member(GROUP, ME)
    assert told == Forgotten({}, {"账目": 1})
    assert (await rows_of(storage))["mishu_transaction"] == 3
