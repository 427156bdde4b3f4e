"""`ReplyService`: claims, and that a database in trouble makes nobody mute."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.frontdesk import reply_service as counter_room
from nonebot_plugin_mishu.frontdesk.reply_service import CLAIMING
from nonebot_plugin_mishu.secretary import Speech
from nonebot_plugin_mishu.storage import DecisionRecord, StorageError
from nonebot_plugin_mishu.storage.engine.errors import DutyLost
from office import office
from stand_ins import BOT, FRIEND, GROUP, FakeStorage, line
from turns_support import busy_office
from virtual_time import settle, virtual


@virtual
async def test_claims_are_given_once() -> None:
    async with office() as made:
        replies = made.desk._replies
        results = await asyncio.gather(*(replies.claim(GROUP, ["1", "2"]) for _ in range(5)))
        assert sorted(results) == [False] * 4 + [True]
        assert not await replies.claim(GROUP, ["1"])
        assert await replies.claim(GROUP, ["3"])


@pytest.mark.parametrize("trouble", ["broken", "slow"])
@virtual
async def test_a_claim_that_cannot_be_stored_is_given_once(trouble: str) -> None:
    async with office() as made:
        replies = made.desk._replies
        setattr(made.storage, trouble, True if trouble == "broken" else 30)
        assert await replies.claim(GROUP, ["1"])
        assert not await replies.claim(GROUP, ["1"])
        made.storage.broken, made.storage.slow = False, 0
        assert not await replies.claim(GROUP, ["1"])
        await made.pass_time(60)


@virtual
async def test_what_another_process_took_over_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database says whose a group is: our own clock may have stood still with the machine."""

    async def lost(self_id: str, ids: object, reply: str | None = None) -> set[str]:
        raise DutyLost

    async with office() as made:
        monkeypatch.setattr(made.storage, "claim", lost)
        assert not await made.desk._replies.claim(GROUP, ["1"])
        assert await made.desk._replies.claim(FRIEND, ["2"]), "a friend's conversation is its account's"
        await made.call("a", "在吗")
        assert made.platform.texts == []


@virtual
async def test_claims_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter_room, "CLAIMS", 50)
    async with office() as made:
        made.storage.broken = True
        replies = made.desk._replies
        for number in range(200):
            assert await replies.claim(GROUP, [str(number)])
        assert len(replies._claimed_in_memory) == 50
        assert not await replies.claim(GROUP, ["199"])


@virtual
async def test_pitfall_55_a_summons_is_answered_though_nothing_can_be_stored() -> None:
    async with office() as made:
        made.storage.broken = True
        await made.call("a", "在吗")
        await settle()
        assert made.platform.texts == ["好的"]
        assert all(isinstance(error, StorageError) for _, error in made.reports)
        assert {"回复没有登记上", "待答标记没有存下", "决策没有存下"} <= {what for what, _ in made.reports}
        assert len(made.audience.decisions) == 1


@virtual
async def test_a_hanging_database_delays_an_answer_by_its_limit() -> None:
    """Not sent while the claim may still come: killed in between, it would be sent again."""
    async with office() as made:
        made.storage.slow = 30
        await made.call("a", "在吗")
        await made.pass_time(CLAIMING - 0.5)
        assert made.platform.texts == []
        await made.pass_time(1.0)
        assert made.platform.texts == ["好的"]
        await made.pass_time(60)
        assert made.storage.claimed[BOT, "m1"] == "sent-1"


@virtual
async def test_stopped_in_the_middle_of_a_claim_nobody_is_answered_twice() -> None:
    """Stopping while the reply is made: what is sent in the last second is claimed on disk."""
    storage = FakeStorage()
    async with office(storage=storage) as made:
        made.model.reply = 0.5
        said = await made.call("a", "在吗")
        closing = asyncio.create_task(made.desk.close())
        await made.pass_time(5)
        await closing
        answered = bool(made.platform.sent)
        assert answered, "it was ready within the grace"
        assert answered is ((BOT, said) in storage.claimed)
        assert answered is storage.row(said).processed
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await made.pass_time(1)
        assert len(made.platform.sent) == (not answered)


@virtual
async def test_stopped_with_a_broken_database_nothing_unclaimed_is_sent() -> None:
    async with office() as made:
        made.model.reply = 0.5
        await made.call("a", "在吗")
        made.storage.broken = True
        await made.desk.close()
        assert made.platform.sent == []


@virtual
async def test_own_lines_stand_in_their_second() -> None:
    """Members' times are whole seconds: what is said after us in our second stands behind us."""
    async with office() as made:
        await made.pass_time(0.7)
        await made.desk._replies.say(GROUP, Speech("我说"), 5)
        await made.pass_time(0.2)
        await made.say("a", "你说")
        assert [said.text for said in made.room.ledger.context((1e12, 0))] == ["我说", "你说"]


@virtual
async def test_marks_in_memory_and_on_disk() -> None:
    async with office() as made:
        said = await made.say("a", "看图")
        replies = made.desk._replies
        await replies.set_captions(line(said), ["一只猫"])
        await replies.mark_processed(GROUP, [said])
        for kept in (made.room.ledger.get(said), made.storage.row(said)):
            assert kept is not None
            assert (kept.captions, kept.processed) == (["一只猫"], True)


@virtual
async def test_what_is_only_looked_at_stays_open_where_it_must_be_answered() -> None:
    """A turn froze a summons as talk before it was known as one: killed now, it would never be answered."""
    async with busy_office() as made:
        first = await made.call("a", "一")
        waiting = await made.call("b", "二")
        ledger = made.room.ledger
        record = DecisionRecord(GROUP, first, "summon", "absent", "observing", True, "", "", {}, [], 0, 0.0)
        await made.desk._replies.store_decision(record, [first], [waiting, first])
        assert (ledger.get(first).processed, ledger.get(waiting).processed) == (True, False)
        assert not made.storage.row(waiting).processed


@virtual
async def test_what_was_looked_at_before_it_was_known_as_a_summons_is_open_again() -> None:
    async with busy_office() as made:
        await made.call("a", "一")
        heard = made.heard("b", "二", at=True)
        made.desk.hear(heard)
        await made.desk._replies.mark_processed(GROUP, [heard.message_id])
        made.desk.act(heard)
        await settle()
        said = made.room.ledger.get(heard.message_id)
        assert (said.addressed, said.processed) == (True, False)
        assert not made.storage.row(heard.message_id).processed
