"""A reply is claimed once, by whoever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from nonebot_plugin_mishu.storage import Storage
from storage_support import message, outside

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
    assert rows == [("1", 1234.5, "77"), ("2", 1234.5, None)]


async def test_a_claimed_message_is_not_pending_in_any_process(storage: Storage, opened: Opener):
    storage.ledger.append(message(1, addressed=True))
    await storage.ledger.flush()
    other = await opened()
    assert len(await other.ledger.pending("10000", 0.0)) == 1
    await storage.claims.claim("10000", ["1"])
    assert await other.ledger.pending("10000", 0.0) == []


async def test_a_reply_that_was_not_said_is_known_to_the_next_process(opened: Opener):
    storage = await opened(now=lambda: 100.0)
    for number in (1, 2, 3, 4):
        storage.ledger.append(message(number, addressed=True))
    await storage.ledger.flush()
    await storage.claims.claim("10000", ["1", "2"], "记下了")
    await storage.claims.claim("10000", ["3"], "好的")
    await storage.claims.mark_sent("10000", ["3"], "77")
    await storage.claims.claim("10000", ["4"])
    other = await opened(now=lambda: 200.0)
    (cut_off,) = await other.claims.list_unsent("10000", 0.0, 150.0)
    assert (cut_off.message.message_id, cut_off.text, cut_off.answers) == ("1", "记下了", ("1", "2"))
    assert await other.claims.list_unsent("10000", 0.0, 100.0) == [], "claimed by a run that is not over"
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
