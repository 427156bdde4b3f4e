"""Leases, duties, and groups of several accounts joined into one."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.storage import Storage, StorageError
from nonebot_plugin_mishu.storage.duty.inbox import InboxLine
from nonebot_plugin_mishu.storage.duty.queries import Lease
from nonebot_plugin_mishu.storage.engine.errors import DutyLost
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
from sqlalchemy import event

# A SQLite file has one process, which asks for no lease.
SERVED = pytest.mark.parametrize("kind", ["postgresql"], indirect=True)


def line(account: str, number: str, text: str, time: float, peer: str = "777") -> LedgerMessage:
    return LedgerMessage(
        Conversation(account, "group", peer), number, time, int(time), "30001", "小明", "member", text
    )


async def opened(url: str) -> Storage:
    return await Storage.open(url, on_trouble=lambda sentence: None)


@pytest.mark.asyncio(loop_scope="session")
async def test_what_a_group_has_under_two_accounts_becomes_one(url: str) -> None:
    storage = await opened(url)
    try:
        for number in range(5):
            storage.ledger.append(line("10", str(number), f"第{number}句", number + 1.0))
        storage.ledger.append(line("20", "90", "第4句", 5.0))  # heard by both
        storage.ledger.append(line("20", "3", "另一句", 9.0))  # another line under an id of the other's
        storage.ledger.append(line("20", "1", "别处", 9.0, "888"))
        await storage.ledger.flush()
        ours, theirs = Conversation("10", "group", "777"), Conversation("20", "group", "777")
        await storage.settings.set_persona(ours, "温和")
        await storage.settings.set_persona(theirs, "活泼")
        await storage.settings.add_word(theirs, "wake", "管家")
        [joined] = await storage.merge_accounts()
        assert (joined.home, joined.accounts, joined.before - joined.dropped) == ("10", ["20"], joined.after)
        assert joined.dropped == 2
        kept = await storage.ledger.load(ours, 100)
        assert [one.text for one in kept] == ["第0句", "第1句", "第2句", "第3句", "第4句", "另一句"]
        assert kept[-1].message_id == "20:3"
        assert await storage.ledger.load(theirs, 100) == []
        settings = await storage.settings.load(ours)
        assert (settings.persona, settings.added_words) == ("温和", {"wake": ["管家"]})
        assert {one.peer: one.home for one in await storage.duties.all()} == {"777": "10", "888": "20"}
        assert await storage.merge_accounts() == []
    finally:
        await storage.close()


@SERVED
@pytest.mark.asyncio(loop_scope="session")
async def test_a_lease_that_is_over_writes_nothing_and_its_groups_are_taken(url: str) -> None:
    first, second = await opened(url), await opened(url)
    place: Any = Conversation("10", "group", "777")
    try:
        await first.duties.register("one", "a", ["10"], 0.3)
        first.duties.lend(Lease("one"))
        await second.duties.register("two", "b", ["20"], 30)
        [post] = await first.duties.take("one", [("777", "10")])
        assert (post.home, post.process, post.epoch) == ("10", "one", 1)
        [post] = await second.duties.take("two", [("777", "20")])
        assert (post.account, post.process) == ("10", "one")
        await first.settings.set_persona(place, "温和")
        while (await second.duties.watch("two")).free == []:
            pass
        [post] = await second.duties.take("two", [("777", "20")])
        assert (post.home, post.account, post.process, post.epoch) == ("10", "20", "two", 2)
        with pytest.raises(DutyLost):
            await first.settings.set_persona(place, "活泼")
        assert not await first.duties.renew("one", ["10"], 0.3)
        with pytest.raises(StorageError):
            await first.duties.take("one", [("778", "10")])
        assert (await second.settings.load(place)).persona == "温和"
        await second.duties.leave("two")
        await first.duties.register("three", "a", ["10"], 30)
        assert [one.peer for one in (await first.duties.watch("three")).free] == ["777"]
    finally:
        first.duties.lend(None)
        await first.close()
        await second.close()


@SERVED
@pytest.mark.asyncio(loop_scope="session")
async def test_a_line_is_handed_to_who_is_on_duty_once_and_forgotten_with_its_member(url: str) -> None:
    storage = await opened(url)
    place, elsewhere = Conversation("10", "group", "777"), Conversation("10", "group", "778")
    mine = InboxLine(place, "30001", "20", {"words": "提醒我开会", "segments": [{"kind": "text"}]})
    try:
        duties = storage.duties
        await duties.register("one", "a", ["10"], 30)
        await duties.register("two", "b", ["20"], 30)
        await duties.take("one", [("777", "10")])
        await duties.take("two", [("778", "10")])
        await duties.inbox.put([mine, InboxLine(elsewhere, "30001", "10", {}), mine])
        assert await duties.inbox.take("three") == []
        assert await duties.inbox.take("one") == [mine, mine]
        assert await duties.inbox.take("one") == []
        removed = await storage.members.delete_member(elsewhere, "30001")
        assert await duties.inbox.take("two") == []
        assert removed.gone == {"转交中的消息": 1}
        await duties.inbox.put([mine])
        await duties.leave("one")
        assert await duties.inbox.take("one") == [], "its lease is over"
    finally:
        await storage.close()


@SERVED
@pytest.mark.asyncio(loop_scope="session")
async def test_a_message_costs_no_statement_a_transaction_costs_one(url: str) -> None:
    storage = await opened(url)
    asked: list[str] = []
    engine = storage._database._write_engine.sync_engine  # pyright: ignore[reportPrivateUsage]

    def heard(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        asked.append(statement)

    event.listen(engine, "before_cursor_execute", heard)

    async def statements(first: int) -> list[str]:
        asked.clear()
        for number in range(first, first + 50):
            storage.ledger.append(line("10", str(number), "闲话", float(number)))
        await storage.ledger.flush()
        return list(asked)

    try:
        without = await statements(1)
        await storage.duties.register("one", "a", ["10"], 30)
        storage.duties.lend(Lease("one"))
        under = await statements(100)
        checks = [each for each in under if "KEY SHARE" in each]
        assert len(under) - len(checks) == len(without)
        assert 1 <= len(checks) <= 2  # one for each transaction, whatever the number of messages
    finally:
        event.remove(engine, "before_cursor_execute", heard)
        storage.duties.lend(None)
        await storage.close()
