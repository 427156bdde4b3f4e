"""A reply is claimed once, by whoever comes first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest
from nonebot_plugin_mishu.storage import Storage
from storage_support import OTHER, message, outside

Opener = Callable[..., Awaitable[Storage]]


async def test_a_claim_is_for_good(storage: Storage, opened: Opener):
    assert await storage.claims.claim("10000", ["1", "2"]) == {"1", "2"}
    assert await storage.claims.claim("10000", ["2", "3"]) == {"3"}
    assert await storage.claims.claim("10000", []) == set()
    again = await opened()
    assert await again.claims.claim("10000", ["1", "2", "3", "4"]) == {"4"}
    assert await again.claims.is_claimed("10000", "1")
    assert not await again.claims.is_claimed("10000", "5")


async def test_accounts_claim_for_themselves(storage: Storage):
    assert await storage.claims.claim("10000", ["1"]) == {"1"}
    assert await storage.claims.claim("10001", ["1"]) == {"1"}


async def test_many_claims(storage: Storage):
    many = [str(number) for number in range(1200)]
    assert await storage.claims.claim("10000", many[:700]) == set(many[:700])
    assert await storage.claims.claim("10000", many) == set(many[700:])


async def test_each_message_has_one_owner_among_racing_processes(storage: Storage, opened: Opener):
    """Storages stand for processes: nothing is shared between them but the database."""
    rivals = [storage, await opened(), await opened()]
    for start in range(0, 60, 3):
        wanted = [[str(start + n) for n in order] for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0))]
        won = await asyncio.gather(
            *(rival.claims.claim("10000", mine) for rival, mine in zip(rivals, wanted, strict=True)),
            *(rival.claims.claim("10000", mine[:2]) for rival, mine in zip(rivals, wanted, strict=True)),
        )
        assert sorted(one for each in won for one in each) == sorted(wanted[0])


async def test_a_claim_run_again_after_a_broken_commit_is_still_ours(storage: Storage, monkeypatch):
    """The commit happened, its answer was lost, the transaction is run again."""
    write = storage._database.write

    async def twice(work):
        await write(work)
        return await write(work)

    monkeypatch.setattr(storage._database, "write", twice)
    assert await storage.claims.claim("10000", ["1"]) == {"1"}
    assert await storage.claims.claim("10000", ["1"]) == set()


async def test_what_was_sent_is_noted(opened: Opener, url: str):
    storage = await opened(now=lambda: 1234.5)
    await storage.claims.claim("10000", ["1", "2"])
    await storage.claims.mark_sent("10000", ["1"], "77")
    rows = await outside(
        url, "SELECT message_id, claimed_at, sent_message_id FROM mishu_claim ORDER BY message_id"
    )
    assert [(one, sent) for one, _, sent in rows] == [("1", "77"), ("2", None)]
    assert [at == 1234.5 for _, at, _ in rows] == [storage.duties.alone] * 2, "else the server's clock counts"


async def test_a_claimed_message_is_not_pending_in_any_process(storage: Storage, opened: Opener):
    storage.ledger.append(message(1, addressed=True))
    await storage.ledger.flush()
    other = await opened()
    assert len(await other.ledger.pending("10000", 0.0)) == 1
    await storage.claims.claim("10000", ["1"])
    assert await other.ledger.pending("10000", 0.0) == []


async def test_a_reply_that_was_not_said_is_known_to_the_next_process(opened: Opener):
    now = [100.0]
    storage = await opened(now=lambda: now[0])
    for number in (1, 2, 3, 4):
        storage.ledger.append(message(number, addressed=True))
    await storage.ledger.flush()
    await storage.claims.claim("10000", ["1", "2"], "记下了")
    await storage.claims.claim("10000", ["3"], "好的")
    await storage.claims.mark_sent("10000", ["3"], "77")
    await storage.claims.claim("10000", ["4"])
    other = await opened(now=lambda: now[0])
    (cut_off,) = await other.claims.list_unsent("10000", 0.0, 150.0)
    assert (cut_off.message.message_id, cut_off.text, cut_off.answers) == ("1", "记下了", ("1", "2"))
    assert await other.claims.list_unsent("10000", 0.0, 80.0) == [], "claimed by a run that is not over"
    assert await other.claims.list_unsent("10000", 101.0, 150.0) == [], "too old"
    assert await other.claims.list_unsent("10001", 0.0, 150.0) == []
    assert await other.claims.take_unsent(cut_off)
    assert not await storage.claims.take_unsent(cut_off), "said once more, not twice"
    assert await other.claims.list_unsent("10000", 0.0, 150.0) == []


async def test_a_reply_of_what_was_told_otherwise_is_not_said(opened: Opener):
    storage = await opened(now=lambda: 100.0)
    for number in (1, 2):
        storage.ledger.append(message(number, addressed=True))
    await storage.claims.claim("10000", ["1"], "没发出去的")
    await storage.ledger.mark_processed(message(1).conversation, ["1"])
    await storage.claims.claim("10000", ["2"], "撤回了的")
    await storage.ledger.mark_recalled(message(2).conversation, ["2"])
    assert await storage.claims.list_unsent("10000", 0.0, 150.0) == []


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
@pytest.mark.parametrize("ahead", [-600.0, 600.0])
async def test_a_cut_off_reply_is_found_whatever_the_clock_of_its_process_said(opened: Opener, ahead: float):
    died, next_one = await opened(now=lambda: time.time() + ahead), await opened()
    died.ledger.append(message(1, addressed=True))
    await died.claims.claim("10000", ["1"], "记下了")
    await died.ledger.flush()
    now = time.time()
    [cut_off] = await next_one.claims.list_unsent("10000", now - 180, now + 1)
    assert cut_off.text == "记下了"


async def test_a_reply_that_could_not_be_said_waits_for_a_chance_over_restarts(
    storage: Storage, opened: Opener
):
    for number in (1, 2, 3, 4):
        storage.ledger.append(message(number, addressed=True))
    await storage.claims.claim("10000", ["1", "2"], "记下了")
    await storage.claims.claim("10000", ["3"])
    await storage.claims.claim("10000", ["4"], "好的")
    where = message(1).conversation
    assert await storage.claims.withhold("10000", ["1", "2"])
    assert not await storage.claims.withhold("10000", ["3"]), "talk is not said later"
    await storage.ledger.mark_processed(where, ["1", "2"])
    other = await opened()
    [late] = await other.claims.list_withheld("10000", where)
    assert (late.message.message_id, late.text, late.answers) == ("1", "记下了", ("1", "2"))
    assert await other.claims.list_withheld("10000") == [late]
    assert await other.claims.list_withheld("10000", OTHER) == []
    assert await other.claims.begin_withheld(late)
    assert await storage.claims.list_withheld("10000") == [late], "the process that tells it may be killed"
    assert await storage.claims.begin_withheld(late), "it is told once more, and not again"
    assert not await other.claims.begin_withheld(late)
    assert await storage.claims.list_withheld("10000") == []
    assert await storage.claims.withhold("10000", ["1", "2"], "记下了"), "refused again"
    assert await other.claims.list_withheld("10000") == [late]
    await other.claims.mark_sent("10000", ["1", "2"], "77")
    assert await other.claims.list_withheld("10000") == []


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)  # a server plans by the rows there are
async def test_replies_that_wait_are_not_looked_for_among_all_claims(storage: Storage):
    read, plans = storage._database.read, list[str]()

    class Explaining:
        def __init__(self, connection):
            self._connection = connection

        async def execute(self, statement):
            asked = statement.compile(
                dialect=self._connection.dialect, compile_kwargs={"literal_binds": True}
            )
            plan = await self._connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked.string}")
            plans.append(str(plan.fetchall()))
            return await self._connection.execute(statement)

    storage._database.read = lambda work: read(lambda connection: work(Explaining(connection)))
    await storage.claims.list_unsent("10000", 0.0, 1.0)
    await storage.claims.list_withheld("10000", OTHER)
    await storage.claims.list_withheld("10000")
    assert len(plans) == 3
    assert all("mishu_claim_unsent" in plan for plan in plans), plans
