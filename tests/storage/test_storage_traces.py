"""Decisions, model calls, and the end of what is old."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from nonebot_plugin_mishu.storage import ModelUsage, Storage, UsageRecord
from storage_support import FRIEND, GROUP, OTHER, call, decision, ids, locked, message, outside, until

Opener = Callable[..., Awaitable[Storage]]

DAY = 86400.0


async def test_decisions_come_newest_first_with_their_ids(storage: Storage, opened: Opener):
    given = [decision(message_id=str(n), tokens=10**12, timings={"a": 0.1 * n}) for n in range(3)]
    numbers = [await storage.decisions.add(each) for each in given]
    await storage.decisions.add(decision(conversation=OTHER))
    assert numbers == sorted(set(numbers))
    expected = [replace(each, id=number) for each, number in zip(given, numbers, strict=True)][::-1]
    again = await opened()
    assert await again.decisions.latest(GROUP, 10) == expected
    assert await again.decisions.latest(GROUP, 2) == expected[:2]
    assert await again.decisions.latest(FRIEND, 2) == []


async def test_ids_are_never_used_again(storage: Storage, opened: Opener):
    last = [await storage.decisions.add(decision()) for _ in range(3)][-1]
    await storage.prune(now=40 * DAY, ledger_days=30)
    assert await storage.decisions.latest(GROUP, 10) == []
    await storage.close()
    assert await (await opened()).decisions.add(decision()) > last


async def test_usage_counts_what_is_queued_too(storage: Storage):
    storage.usage.record(call(at=99.0))
    storage.usage.record(call())
    storage.usage.record(call(conversation=OTHER, outcome="timeout", completion_tokens=0))
    storage.usage.record(call(conversation=None))
    assert await storage.usage.today(100.0) == UsageRecord(calls=3, failures=1, tokens=320)
    assert await storage.usage.today(100.0, OTHER) == UsageRecord(calls=1, failures=1, tokens=100)
    assert await storage.usage.today(100.0, FRIEND) == UsageRecord(calls=0, failures=0, tokens=0)


async def test_tokens_of_one_member_in_one_place(opened: Opener, url: str):
    storage = await opened(deadline=0.3)
    for changed in ({}, {"at": 99.0}, {"conversation": OTHER}, {"member": "2"}, {"member": None}):
        storage.usage.record(call(**{"member": "1", **changed}))
    assert await storage.usage.spent_by(100.0, GROUP, "1") == 110
    assert await storage.usage.spent_by(100.0, OTHER, "1") == 110
    assert await storage.usage.spent_by(0.0, GROUP, "1") == 220
    assert await storage.usage.spent_by(100.0, FRIEND, "1") == 0
    async with locked(url):
        storage.usage.record(call(member="1", outcome="timeout"))
        assert await storage.usage.spent_by(100.0, GROUP, "1") == 220, "what waits for the disk counts too"


async def test_forgetting_a_member_keeps_the_groups_tokens(storage: Storage, url: str):
    """For whom a call was made is forgotten; what the group spent stays, and no row of it is told."""
    storage.usage.record(call(member="1"))
    storage.usage.record(call(member="2"))
    before = await storage.usage.today(100.0, GROUP)
    assert (await storage.members.export(GROUP, "1")).rows == {}
    forgotten = await storage.members.delete_member(GROUP, "1")
    assert (forgotten.gone, forgotten.left) == ({}, {})
    assert await storage.usage.today(100.0, GROUP) == before
    members = await outside(url, "SELECT member FROM mishu_model_call ORDER BY id")
    assert [row[0] for row in members] == [None, "2"]


async def test_use_by_model_and_call_of_a_span(storage: Storage):
    storage.usage.record(call(cached_tokens=60))
    storage.usage.record(call(cached_tokens=20, outcome="timeout"))
    storage.usage.record(call(prompt_tokens=0, completion_tokens=0, outcome="canceled"))
    storage.usage.record(call(name="parse_intents"))
    storage.usage.record(call(model="spare", conversation=OTHER))
    storage.usage.record(call(at=200.0))
    assert await storage.usage.between(100.0, 200.0) == [
        ModelUsage("m", 3, 1, 200, 80, 20, "chat_reply"),
        ModelUsage("m", 1, 0, 100, 0, 10, "parse_intents"),
        ModelUsage("spare", 1, 0, 100, 0, 10, "chat_reply"),
    ]
    assert [row.model for row in await storage.usage.between(100.0, None, OTHER)] == ["spare"]
    assert await storage.usage.between(201.0, None) == []


async def test_use_by_model_counts_what_cannot_be_written_yet(opened: Opener, url: str):
    storage = await opened(deadline=0.3)
    storage.usage.record(call(cached_tokens=1))
    await storage.ledger.flush()
    async with locked(url):
        storage.usage.record(call(cached_tokens=2))
        storage.usage.record(call(at=300.0))
        [row] = await storage.usage.between(100.0, 200.0)
    assert row == ModelUsage("m", 2, 0, 200, 3, 20, "chat_reply")


async def test_usage_counts_while_nothing_can_be_written(opened: Opener, url: str):
    storage = await opened(deadline=0.3)
    storage.usage.record(call())
    await storage.ledger.flush()
    async with locked(url):
        storage.usage.record(call(outcome="timeout"))
        storage.usage.record(call(at=1.0))
        storage.usage.record(call(conversation=OTHER))
        assert await storage.usage.today(100.0, GROUP) == UsageRecord(calls=2, failures=1, tokens=220)
        assert (await storage.usage.today(100.0)).calls == 3
    await until(lambda: not storage._writer.queue)
    assert (await storage.usage.today(100.0)).calls == 3


async def test_prune_deletes_what_is_old_and_nothing_else(opened: Opener, url: str):
    clock = [5 * DAY]
    storage = await opened(now=lambda: clock[0])
    for number in range(1300):
        storage.ledger.append(message(number, time=5 * DAY + number))
    storage.ledger.append(message("new", time=10 * DAY))
    await storage.claims.claim("10000", ["1"])
    clock[0] = 10 * DAY
    await storage.claims.claim("10000", ["new"])
    for at in (5 * DAY, 10 * DAY):
        storage.usage.record(call(at=at))
        await storage.decisions.add(decision(at=at))
    await storage.settings.set_persona(GROUP, "海盗")
    # A server dates claims by its own clock, not by ours.
    await outside(url, f"UPDATE mishu_claim SET claimed_at = {5 * DAY} WHERE message_id = '1'")
    assert await storage.prune(now=39.9 * DAY, ledger_days=30) == 1300 + 3
    assert not await storage.claims.is_claimed("10000", "1")
    assert ids(await storage.ledger.load(GROUP, 10)) == ["new"]
    assert await storage.claims.is_claimed("10000", "new")
    assert [each.at for each in await storage.decisions.latest(GROUP, 10)] == [10 * DAY]
    assert (await storage.usage.today(0.0)).calls == 1
    assert (await storage.settings.load(GROUP)).persona == "海盗"
    assert await storage.prune(now=39.9 * DAY, ledger_days=30) == 0
    assert await outside(url, "SELECT count(*) FROM mishu_ledger") == [(1,)]


async def test_prune_lets_others_write_between_its_portions(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
):
    for number in range(1300):
        storage.ledger.append(message(number))
    await storage.ledger.flush()
    portions: list[int] = []
    run = storage._writer.run

    async def counting(work):
        portions.append(result := await run(work))
        return result

    monkeypatch.setattr(storage._writer, "run", counting)
    await storage.prune(now=40 * DAY, ledger_days=30)
    assert max(portions) <= 500
