"""Jobs of one kind that wait at the same time are done together, and mean what they mean one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage, StorageError
from nonebot_plugin_mishu.storage.engine import writer
from nonebot_plugin_mishu.storage.engine.errors import DatabaseLocked
from sqlalchemy.ext.asyncio import AsyncConnection
from storage_support import GROUP, OTHER, decision, ids, message

Opener = Callable[..., Awaitable[Storage]]


class Spy:
    """A kind of job that notes with how many others each was done."""

    def __init__(self, fails: int | None = None) -> None:
        self.done: list[list[int]] = []
        self.fails = fails

    async def __call__(self, connection: AsyncConnection, items: Sequence[int]) -> Sequence[int]:
        if self.fails in items:
            raise ValueError(f"nothing to be done with {self.fails}")
        self.done.append(list(items))
        return [item * 10 for item in items]


async def test_what_waits_at_once_is_done_at_once_and_each_gets_its_own(storage: Storage) -> None:
    spy, other = Spy(), Spy()
    jobs = [storage._writer.run_batched(spy if number % 3 else other, number) for number in range(12)]
    assert await asyncio.gather(*jobs) == [number * 10 for number in range(12)]
    assert sorted(len(items) for items in [*spy.done, *other.done]) in ([4, 8], [1, 3, 8], [1, 4, 7])
    assert [item for items in spy.done for item in items] == [n for n in range(12) if n % 3]


async def test_one_that_fails_harms_none_of_the_others(storage: Storage) -> None:
    spy = Spy(fails=3)
    jobs = [storage._writer.run_batched(spy, number) for number in range(6)]
    found: list[Any] = await asyncio.gather(*jobs, return_exceptions=True)
    assert isinstance(found.pop(3), StorageError)
    assert found == [0, 10, 20, 40, 50]


async def test_many_decisions_at_once_get_their_own_ids_in_order(storage: Storage) -> None:
    made = [decision(message_id=str(n), conversation=(GROUP, OTHER)[n % 2]) for n in range(60)]
    numbers = await asyncio.gather(*(storage.decisions.add(each) for each in made))
    assert numbers == sorted(set(numbers))
    for where in (GROUP, OTHER):
        kept = await storage.decisions.latest(where, 100)
        assert {each.message_id: each.id for each in kept} == {
            each.message_id: number
            for each, number in zip(made, numbers, strict=True)
            if each.conversation == where
        }


async def test_a_decision_the_database_refuses_takes_no_other_with_it(storage: Storage) -> None:
    storage.ledger.append(message(1))
    storage.ledger.append(message(2))
    made = [(decision(message_id="1"), ["1"]), (decision(tokens=2**70), ["2"]), (decision(), [])]
    adding = [storage.decisions.add(each, considered) for each, considered in made]
    first, refused, last = await asyncio.gather(*adding, return_exceptions=True)
    assert isinstance(refused, StorageError)
    assert [each.id for each in await storage.decisions.latest(GROUP, 10)] == [last, first]


async def test_of_two_claims_at_once_the_first_has_it(storage: Storage) -> None:
    wanted = [["1", "2"], ["2", "3"], ["3"], ["1", "4"], ["\x005"]]
    claimed = await asyncio.gather(*(storage.claims.claim("10000", each) for each in wanted))
    assert claimed == [{"1", "2"}, {"3"}, set(), {"4"}, {"\x005"}]
    other = await asyncio.gather(storage.claims.claim("10001", ["1"]), storage.claims.claim("10000", ["1"]))
    assert other == [{"1"}, set()]


async def test_rounds_said_at_once_keep_their_order_and_their_ids(storage: Storage) -> None:
    people = ["30000", "30001", "30002"]
    adding = (storage.turns.add(GROUP, who, f"{who}问", f"{who}答", 1.0) for who in people)
    numbers = await asyncio.gather(*adding)
    for who, number in zip(people, numbers, strict=True):
        turns = await storage.turns.page(GROUP, who, 10)
        assert [(turn.role, turn.content) for turn in turns] == [
            ("user", f"{who}问"),
            ("assistant", f"{who}答"),
        ]
        assert turns[-1].id == number


@pytest.mark.parametrize("number", [1, 700])
async def test_marks_of_many_conversations_at_once(storage: Storage, number: int) -> None:
    for n in range(number):
        storage.ledger.append(message(n))
        storage.ledger.append(message(f"o{n}", conversation=OTHER))
    await storage.ledger.flush()
    odd = [str(n) for n in range(1, number, 2)]
    await asyncio.gather(
        storage.ledger.mark_processed(GROUP, odd),
        storage.ledger.mark_processed(OTHER, ["o0", *odd]),  # numbers of the other group's
        storage.ledger.mark_addressed(GROUP, ["0"]),
    )
    here, there = await storage.ledger.load(GROUP, 1000), await storage.ledger.load(OTHER, 1000)
    assert ids(one for one in here if one.processed) == odd
    assert ids(one for one in there if one.processed) == ["o0"]
    assert ids(one for one in here if one.addressed) == ["0"]


async def test_a_claim_does_not_stand_behind_the_rows_of_a_flood(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHUNK", 10)
    for n in range(100):
        storage.ledger.append(message(n))
    flushed = asyncio.create_task(storage.ledger.flush())
    assert await storage.claims.claim("10000", ["1"]) == {"1"}
    assert len(storage._writer.queue) >= 80
    await storage.ledger.mark_processed(GROUP, [str(n) for n in range(100)])
    assert storage._writer.queue, "and neither does a mark, which the rows still queued take with them"
    await flushed
    assert not storage._writer.queue
    assert all(each.processed for each in await storage.ledger.load(GROUP, 1000))


async def test_who_asks_to_be_forgotten_is_forgotten_with_the_rows_still_queued(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHUNK", 10)
    for n in range(100):
        storage.ledger.append(message(n, user_id="7" if n % 2 else "8"))
    await storage.members.delete_member(GROUP, "7")
    assert {each.user_id for each in await storage.ledger.load(GROUP, 1000)} == {"8"}


async def test_in_trouble_nobody_waits_for_ever(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CHUNK", 10)

    async def locked(_work: Any) -> Any:
        raise DatabaseLocked

    monkeypatch.setattr(storage._database, "write", locked)
    for n in range(100):
        storage.ledger.append(message(n))
    waiting = [storage.ledger.flush(), storage.claims.claim("10000", ["1"]), storage.ledger.flush()]
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in found] == [DatabaseLocked] * 3
    monkeypatch.undo()
    await storage.ledger.flush()
    assert len(await storage.ledger.load(GROUP, 1000)) == 100
