"""Turns: the lock is free after every kind of ending, and a result that comes late changes nothing."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.secretary import (
    ConversationSeat,
    LockToken,
    PresenceEvent,
    PresenceState,
    Trigger,
    Turn,
    TurnItem,
)
from turns_support import (
    ENDINGS,
    FakeSecretary,
    ReplyMode,
    at_once,
    busy_office,
    cancelling_itself,
    failing,
    failing_at_once,
    forgetting_presence,
    free,
    hanging,
    ignoring_eviction,
    right_after_handing_over,
    secretary_of,
    until_told,
    without_reply,
)
from virtual_time import VirtualLoop, settle, virtual


@pytest.mark.parametrize("reply_mode", [*ENDINGS, ignoring_eviction])
@virtual
async def test_pitfall_5_the_lock_is_free_after_every_ending(reply_mode: ReplyMode) -> None:
    async with busy_office(at_once) as made:
        first = made.heard("a", "一", at=True)
        secretary_of(made).ways[first.message_id] = reply_mode
        made.hear(first)
        await settle()
        second = await made.call("b", "二")
        await made.pass_time(300)
        assert secretary_of(made).began == [[first.message_id], [second]]
        assert not made.room.seat.lock.busy
        assert len(made.room.hold) == 0
        assert made.room.seat.presence.state in (PresenceState.ABSENT, PresenceState.OBSERVING)


@pytest.mark.parametrize(
    "reply_mode", [without_reply, forgetting_presence, failing, failing_at_once, cancelling_itself]
)
@virtual
async def test_presence_is_as_before_after_an_ending_without_a_reply(reply_mode: ReplyMode) -> None:
    async with busy_office(reply_mode) as made:
        await made.call("a", "一")
        await made.pass_time(10)
        assert made.room.seat.presence.state is PresenceState.ABSENT
        made.room.seat.apply(PresenceEvent.QUESTION_ASKED)
        await made.call("a", "二")
        await made.pass_time(10)
        assert made.room.seat.presence.state is PresenceState.OBSERVING


@virtual
async def test_pitfall_6_a_late_result_of_an_evicted_owner_is_no_result() -> None:
    async with busy_office(at_once) as made:
        first = made.heard("a", "一", at=True)
        secretary_of(made).ways[first.message_id] = ignoring_eviction
        made.hear(first)
        await settle()
        second = await made.call("b", "二")
        secretary_of(made).ways[second] = until_told
        await made.pass_time(241)
        old, new = secretary_of(made).tokens
        assert (old.valid, new.valid) == (False, True)
        await made.pass_time(60)  # the evicted owner ends while the new one works
        assert made.room.seat.lock.owner is new
        assert made.room.work is not None
        assert made.room.work.turn.ids == [second]
        assert secretary_of(made).abandoned == [([first.message_id], "太久没办完，放弃了")]
        free(made, second)
        await settle()
        assert not made.room.seat.lock.busy


@virtual
async def test_pitfall_7_the_lock_covers_the_whole_turn() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        await made.pass_time(100)
        second = await made.call("b", "二")
        assert secretary_of(made).began == [[first]]
        assert len(made.room.hold) == 1
        free(made, first)
        await settle()
        assert secretary_of(made).began == [[first], [second]]
        free(made, second)
        await settle()


@virtual
async def test_pitfall_3_a_held_call_outlives_every_limit_of_chatter() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        second = await made.call("b", "二")
        await made.pass_time(239)
        assert len(made.room.hold) == 1
        free(made, first)
        await settle()
        assert secretary_of(made).began[-1] == [second]
        free(made, second)
        await settle()


@virtual
async def test_chatter_is_held_no_longer_than_its_limit() -> None:
    config = {"frontdesk": {"hold_timeout": 71}, "secretary": {"lock_timeout": 70}}
    async with busy_office(**config) as made:
        made.room.seat.apply(PresenceEvent.QUESTION_ASKED)
        turns = made.desk._turns
        heard = [made.heard(user, "闲聊") for user in "abcd"]
        items = []
        for one in heard:
            made.desk.hear(one)
            message = made.room.ledger.get(one.message_id)
            assert message is not None
            items.append(TurnItem(Trigger.SUMMON if one.user_id != "d" else Trigger.CHAT, message, "闲聊"))
        secretary_of(made).reply_mode = hanging
        tasks = [asyncio.create_task(turns.admit(made.room, one)) for one in items]
        turns._may_join = lambda _: False  # type: ignore[method-assign]
        await settle()
        assert len(made.room.hold) == 3
        await made.pass_time(70.5)
        assert [one.id for one in made.room.hold.items] == [items[2].id, items[3].id]
        await made.pass_time(1)  # the chatter's time is over, the summons waits on
        assert [one.id for one in made.room.hold.items] == [items[2].id]
        assert tasks[3].done()
        await made.pass_time(200)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert secretary_of(made).began == [[one.id] for one in items[:3]]


@virtual
async def test_a_turn_that_comes_in_the_moment_the_hold_ends_is_not_lost() -> None:
    """The Future resolves and the limit passes in one and the same moment: the lock must not stay taken."""
    async with busy_office() as made:
        first = await made.call("a", "一")
        made.room.seat.apply(PresenceEvent.QUESTION_ASKED)
        heard = made.heard("b", "闲聊")
        made.desk.hear(heard)
        message = made.room.ledger.get(heard.message_id)
        assert message is not None
        turns = made.desk._turns
        turns._hold_timeout = 50
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        held = asyncio.create_task(turns.admit(made.room, TurnItem(Trigger.CHAT, message, "闲聊")))
        await settle()

        def slowly_free() -> None:
            free(made, first)
            loop.jump(45)  # the loop was busy: the worker goes on, and the limit has passed

        loop.call_later(10, slowly_free)
        await made.pass_time(11)
        free(made, heard.message_id)
        await asyncio.wait_for(held, 5)
        await settle()
        assert not made.room.seat.lock.busy
        assert made.room.work is None
        third = await made.call("c", "三")
        assert secretary_of(made).began[-1] == [third]
        free(made, third)
        await settle()


@virtual
async def test_an_event_cancelled_in_the_moment_it_gets_its_turn_gives_it_back() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        items = []
        for user in "bc":
            heard = made.heard(user, "二", at=True)
            made.desk.hear(heard)
            message = made.room.ledger.get(heard.message_id)
            assert message is not None
            items.append(TurnItem(Trigger.SUMMON, message, "二"))
        turns = made.desk._turns
        turns._may_join = lambda _: False  # type: ignore[method-assign]
        tasks = [asyncio.create_task(turns.admit(made.room, one)) for one in items]
        await settle()
        right_after_handing_over(made, lambda: tasks[0].cancel())
        free(made, first)
        await settle()
        assert tasks[0].cancelled()
        assert secretary_of(made).began == [[first], [items[1].id]]
        free(made, items[1].id)
        await settle()
        assert not made.room.seat.lock.busy


@virtual
async def test_a_silence_between_handing_over_and_beginning() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        second = await made.call("b", "二")
        secretary = secretary_of(made)

        async def ends(_: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
            seat.apply(PresenceEvent.REPLY_SENT)

        secretary.ways[second] = ends
        turns = made.desk._turns
        right_after_handing_over(made, lambda: turns.evict(made.room, "静音了", PresenceEvent.SILENCED))
        free(made, first)
        await settle()
        assert secretary.began == [[first]]
        assert secretary.abandoned == [([second], "静音了")]
        assert made.room.seat.presence.state is PresenceState.ABSENT
        assert not made.room.seat.lock.busy
        third = await made.call("c", "三")
        assert secretary.began[-1] == [third]
        free(made, third)
        await settle()
