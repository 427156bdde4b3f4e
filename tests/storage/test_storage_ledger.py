"""The ledger: order, uniqueness, marks; the same whether rows are queued or on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.storage import Conversation, Storage, StorageError
from nonebot_plugin_mishu.storage.engine import writer
from storage_support import FRIEND, GROUP, OTHER, call, decision, ids, message, outside, until

Opener = Callable[..., Awaitable[Storage]]


async def test_a_message_comes_back_as_it_was(storage: Storage, settle):
    whole = message(
        7,
        conversation=FRIEND,
        time=1_790_000_000.123456,
        receipt=1_790_000_000_123_456_789,
        role="admin",
        segments=[
            {"type": "at", "data": {"qq": "all"}},
            {"type": "face", "data": {"id": 14, "x": [None, 0.5]}},
        ],
        captions=["一只猫"],
        reply_to="6",
        is_bot=True,
        addressed=True,
        processed=True,
        recalled=True,
    )
    storage.ledger.append(whole)
    await settle(storage)
    assert await storage.ledger.load(FRIEND, 1) == [whole]


async def test_order_is_time_then_receipt(storage: Storage, settle):
    """A message may come in behind newer ones."""
    late = [(5.0, 3), (4.0, 9), (5.0, 1), (1.0, 10), (5.0, 2)]
    for number, (at, receipt) in enumerate(late):
        storage.ledger.append(message(number, time=at, receipt=receipt))
    await settle(storage)
    assert ids(await storage.ledger.load(GROUP, 100)) == ["3", "1", "2", "4", "0"]
    assert ids(await storage.ledger.load(GROUP, 2)) == ["4", "0"]
    assert ids(await storage.ledger.list_page(GROUP, 2, after="1")) == ["2", "4"]


async def test_order_holds_across_queue_and_disk(storage: Storage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(storage._writer, "_pause", 3600.0)
    for number in (2, 4, 6):
        storage.ledger.append(message(number))
    await storage.ledger.flush()
    monkeypatch.setattr(storage._writer, "_pause", 3600.0)
    for number in (1, 5, 7):
        storage.ledger.append(message(number))
    assert len(list(storage._writer.queue.messages)) == 3
    assert ids(await storage.ledger.load(GROUP, 100)) == ["1", "2", "4", "5", "6", "7"]
    assert ids(await storage.ledger.load(GROUP, 3)) == ["5", "6", "7"]
    assert ids(await storage.ledger.list_page(GROUP, 3, after="2")) == ["4", "5", "6"]
    assert ids(await storage.ledger.list_page(GROUP, 9, after="5")) == ["6", "7"]


async def test_a_row_that_moves_to_the_disk_during_a_read_is_seen(storage: Storage, monkeypatch):
    """Not on disk yet when the statement ran, not queued any more when its answer came."""
    read = storage._database.read

    async def moving(work):
        found = await read(work)
        await storage.ledger.flush()
        return found

    monkeypatch.setattr(storage._database, "read", moving)
    for look in (
        lambda: storage.ledger.load(GROUP, 10),
        lambda: storage.ledger.of_member(GROUP, "30000"),
        lambda: storage.ledger.exists("10000", ["1"]),
    ):
        storage.ledger.append(message(1))
        assert len(await look()) == 1
        await storage.members.delete_member(GROUP, "30000")


@given(
    heard=st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12),
    limit=st.integers(1, 6),
    after=st.integers(0, 12),
)
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_load_and_page_are_slices_of_one_order(storage: Storage, heard, limit: int, after: int):
    """Wherever rows are: some written, some queued."""
    where = Conversation("10000", "group", uuid4().hex)
    given = [
        message(f"{where.peer}-{n}", conversation=where, time=float(at), receipt=n)
        for n, (at, _) in enumerate(heard)
    ]
    for each, (_, written) in zip(given, heard, strict=True):
        storage.ledger.append(each)
        if written:
            await storage.ledger.flush()
    ordered = sorted(given, key=lambda each: each.order)
    assert await storage.ledger.load(where, limit) == ordered[-limit:]
    if after < len(ordered):
        expected = ordered[after + 1 :][:limit]
        assert await storage.ledger.list_page(where, limit, after=ordered[after].message_id) == expected


async def test_page(storage: Storage, settle):
    for number in range(10):
        storage.ledger.append(message(number))
    storage.ledger.append(message(99, conversation=OTHER))
    await settle(storage)
    assert ids(await storage.ledger.list_page(GROUP, 3)) == ["7", "8", "9"]
    assert ids(await storage.ledger.list_page(GROUP, 3, after="0")) == ["1", "2", "3"]
    assert await storage.ledger.list_page(GROUP, 3, after="9") == []
    assert await storage.ledger.list_page(GROUP, 3, after="never seen") == []
    assert await storage.ledger.list_page(GROUP, 3, after="99") == []
    assert await storage.ledger.load(GROUP, 0) == []


async def test_pitfall_58_the_same_event_is_stored_once(storage: Storage, opened: Opener, url: str):
    """Three times, over two sockets, and again after a restart; the first is kept."""
    second = await opened()
    for each in (storage, storage, second):
        each.ledger.append(message(1, text="第一次" if each is storage else "第二次"))
    await storage.ledger.flush()
    await second.ledger.flush()
    storage.ledger.append(message(1, conversation=OTHER, text="第三次"))
    storage.ledger.append(message(2, text="排着队的"))
    storage.ledger.append(message(2, text="又一次"))
    await storage.ledger.flush()
    third = await opened()
    third.ledger.append(message(1))
    await third.ledger.flush()
    assert [each.text for each in await third.ledger.load(GROUP, 10)] == ["第一次", "排着队的"]
    assert await outside(url, "SELECT count(*) FROM mishu_ledger") == [(2,)]


async def test_two_accounts_may_use_the_same_ids(storage: Storage, settle):
    mine = Conversation("10001", "group", "20000")
    storage.ledger.append(message(1))
    storage.ledger.append(message(1, conversation=mine, text="别的账号"))
    await settle(storage)
    assert [each.text for each in await storage.ledger.load(mine, 10)] == ["别的账号"]
    assert len(await storage.ledger.load(GROUP, 10)) == 1


async def test_exists(storage: Storage, settle):
    for number in range(1200):
        storage.ledger.append(message(number))
    await settle(storage)
    asked = [str(number) for number in range(600, 1800)]
    assert await storage.ledger.exists("10000", asked) == set(asked[:600])
    assert await storage.ledger.exists("10001", asked) == set()
    assert await storage.ledger.exists("10000", []) == set()


async def test_marks_reach_the_disk_also_of_queued_rows(storage: Storage, opened: Opener, settle):
    for number in range(4):
        storage.ledger.append(message(number, addressed=True))
    await settle(storage)
    await storage.ledger.mark_processed(GROUP, ["1", "unknown"])
    await storage.ledger.mark_recalled(GROUP, ["2"])
    await storage.ledger.set_captions(GROUP, "3", ["一张图"])
    await storage.ledger.set_sender(replace(message(3), name="小红", role="admin"))
    await storage.ledger.mark_processed(OTHER, ["0"])
    await storage.ledger.mark_processed(GROUP, [])
    again = await (await opened()).ledger.load(GROUP, 10)
    expected = [message(number, addressed=True) for number in range(4)]
    expected[1] = replace(expected[1], processed=True)
    expected[2] = replace(expected[2], recalled=True)
    expected[3] = replace(expected[3], captions=["一张图"], name="小红", role="admin")
    assert again == expected
    assert ids(await storage.ledger.pending("10000", 0.0)) == ["0", "3"]


async def test_pending_and_its_end(storage: Storage, settle):
    heard = [
        message(1, addressed=True),
        message(2, addressed=True, processed=True),
        message(3, addressed=True, recalled=True),
        message(4),
        message(5, addressed=True, conversation=FRIEND, time=0.5),
        message(6, addressed=True),
        message(7, addressed=True, conversation=Conversation("10001", "group", "20000")),
        message(8, addressed=True, conversation=OTHER),
    ]
    for each in heard:
        storage.ledger.append(each)
    await settle(storage)
    await storage.claims.claim("10000", ["6"])
    assert ids(await storage.ledger.pending("10000", 0.0)) == ["5", "1", "8"]
    assert ids(await storage.ledger.pending("10000", 1.0)) == ["1", "8"]
    assert await storage.ledger.expire_pending("10000", 2.0) == 2
    assert ids(await storage.ledger.pending("10000", 0.0)) == ["8"]
    assert ids(await storage.ledger.pending("10001", 0.0)) == ["7"]
    assert await storage.ledger.expire_pending("10000", 2.0) == 0


async def test_what_is_kept_about_a_member_can_be_read_and_deleted(storage: Storage, settle, url: str):
    storage.ledger.append(message(1))
    storage.ledger.append(message(2, user_id="30001"))
    storage.ledger.append(message(3, conversation=OTHER))
    await settle(storage)
    await storage.decisions.add(decision(message_id="1", user_id=""))
    await storage.decisions.add(decision(message_id="gone", user_id="30000"))
    await storage.decisions.add(decision(message_id="2", user_id="30001"))
    await storage.decisions.add(decision(message_id="1", conversation=OTHER, user_id="30000"))
    storage.ledger.append(message(4))
    assert ids(await storage.ledger.of_member(GROUP, "30000")) == ["1", "4"]
    assert (await storage.members.delete_member(GROUP, "30000")).gone == {"消息": 2, "决定记录": 2}
    assert await storage.ledger.of_member(GROUP, "30000") == []
    assert ids(await storage.ledger.load(GROUP, 10)) == ["2"]
    assert ids(await storage.ledger.load(OTHER, 10)) == ["3"]
    assert [each.message_id for each in await storage.decisions.latest(GROUP, 10)] == ["2"]
    assert len(await storage.decisions.latest(OTHER, 10)) == 1
    assert await outside(url, "SELECT count(*) FROM mishu_ledger WHERE user_id = '30000'") == [(1,)]


async def test_a_row_reaches_the_disk_without_being_asked_for(storage: Storage, url: str):
    storage.ledger.append(message(1))
    storage.usage.record(call())
    await until(lambda: not storage._writer.queue)
    assert await outside(url, "SELECT text FROM mishu_ledger") == [("第1句",)]
    assert await outside(url, "SELECT name FROM mishu_model_call") == [("chat_reply",)]


def test_the_wait_leaves_half_a_second_room_for_the_commit():
    assert writer.DELAY <= 0.25


async def test_who_must_be_answered_does_not_wait_for_company(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(storage._writer, "_pause", 3600.0)
    storage.ledger.append(message(1))
    await storage.ledger.mark_addressed(GROUP, ["1"])
    assert not storage._writer.queue


async def test_a_decision_marks_what_it_considered_in_the_same_transaction(storage: Storage):
    storage.ledger.append(message(1))
    await storage.ledger.flush()
    storage.ledger.append(message(2))  # not on disk yet
    storage.ledger.append(message(3))
    await storage.decisions.add(decision(message_id="2"), ["1", "2"])
    assert [each.processed for each in await storage.ledger.load(GROUP, 10)] == [True, True, False]
    assert [each.message_id for each in await storage.decisions.latest(GROUP, 10)] == ["2"]


async def test_where_a_decision_fails_nothing_is_marked(storage: Storage):
    storage.ledger.append(message(1))
    await storage.ledger.flush()
    with pytest.raises(StorageError):
        await storage.decisions.add(decision(tokens=2**70), ["1"])
    assert [each.processed for each in await storage.ledger.load(GROUP, 10)] == [False]


async def test_a_row_that_leaves_the_queue_while_it_is_looked_for_is_found(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writer, "DELAY", 3600.0)
    reads = 0
    read = storage._database.read

    async def and_then_it_is_written(work: Any) -> Any:
        nonlocal reads
        reads += 1
        found = await read(work)
        await storage.ledger.flush()  # too late for what was found
        storage.ledger.append(message(100 + reads))
        return found

    monkeypatch.setattr(storage._database, "read", and_then_it_is_written)
    storage.ledger.append(message(1))
    assert ids(await storage.ledger.load(GROUP, 10))[0] == "1"
    assert reads == 1, "much is said all the time: what moves meanwhile is no reason to read again"


async def test_pitfall_57_large_and_odd_texts_are_kept(storage: Storage, opened: Opener):
    odd = [
        message(1, text="长" * 2**20),
        message(2, segments=[{"type": "text", "data": {"text": str(n)}} for n in range(10_000)]),
        message(3, text="\u200b\u202e三点\u202c[CQ:at,qq=all] ' \" -- ; %s :x $1 \\ 🀄", name="{}\n\t"),
    ]
    for each in odd:
        storage.ledger.append(each)
    await storage.ledger.flush()
    assert await (await opened()).ledger.load(GROUP, 10) == odd


async def test_nul_and_lone_surrogates_are_replaced_in_text_and_kept_in_segments(storage: Storage):
    segments = [{"type": "text", "data": {"text": "a\x00b\ud800c"}}]
    storage.ledger.append(
        message("m\x00", text="a\x00b\ud800c\ud83d\ude00", name="\udfff", segments=segments, addressed=True)
    )
    await storage.ledger.flush()
    (kept,) = await storage.ledger.load(GROUP, 10)
    assert (kept.message_id, kept.text, kept.name) == ("m\ufffd", "a\ufffdb\ufffdc😀", "\ufffd")
    assert kept.segments == segments
    assert await storage.ledger.exists("10000", ["m\x00"]) == {"m\x00"}
    assert await storage.claims.claim("10000", ["m\x00"]) == {"m\x00"}
    assert await storage.claims.is_claimed("10000", "m\x00")
    await storage.ledger.mark_processed(GROUP, ["m\x00"])
    assert (await storage.ledger.load(GROUP, 10))[0].processed


async def test_what_has_to_be_answered_waits_for_nobody(storage: Storage, opened: Opener, monkeypatch):
    """A process that comes after a kill has to know of it; talk may wait."""
    monkeypatch.setattr(writer, "DELAY", 3600.0)
    patient = await opened()
    patient.ledger.append(message(1))
    patient.ledger.append(message(2))
    patient.ledger.owe(GROUP, ["2"])

    async def known() -> set[str]:
        return {said.message_id for said in await storage.ledger.load(GROUP, 10)}

    async with asyncio.timeout(20):
        while await known() != {"1", "2"}:  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.02)
