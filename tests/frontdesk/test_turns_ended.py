"""Turns that are ended from outside: recall, silence, shutdown."""

from __future__ import annotations

import asyncio

from nonebot_plugin_mishu.secretary import PresenceEvent, PresenceState
from stand_ins import GROUP, OTHER, FakeStorage
from turns_support import at_once, busy_office, free, hanging, secretary_of
from virtual_time import settle, virtual


@virtual
async def test_pitfall_10_a_recalled_waiter_does_not_free_the_lock() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        second = await made.call("b", "二")
        await made.desk.notices.recalled(GROUP, second)
        owner = made.room.seat.lock.owner
        assert owner is secretary_of(made).tokens[0]
        assert owner.valid
        assert len(made.room.hold) == 0
        free(made, first)
        await settle()
        assert secretary_of(made).began == [[first]]
        assert [(each.message_id, each.reason) for each in made.storage.records] == [(second, "消息撤回了")]


@virtual
async def test_pitfall_24_recalled_while_it_is_worked_on() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        await made.desk.notices.recalled(GROUP, first)
        await settle()
        assert secretary_of(made).abandoned == [([first], "消息撤回了")]
        assert not made.room.seat.lock.busy
        assert made.room.seat.presence.state is PresenceState.ABSENT
        assert made.storage.row(first).processed
        assert made.storage.row(first).recalled


@virtual
async def test_pitfall_24_recalled_after_it_was_answered() -> None:
    async with busy_office(at_once) as made:
        first = await made.call("a", "一")
        await made.desk.notices.recalled(GROUP, first)
        assert secretary_of(made).abandoned == []
        assert made.room.seat.presence.state is PresenceState.OBSERVING


@virtual
async def test_recalled_while_its_reply_is_being_sent_is_too_late() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        secretary_of(made).tokens[0].sending = True
        await made.desk.notices.recalled(GROUP, first)
        assert secretary_of(made).tokens[0].valid
        free(made, first)
        await settle()


@virtual
async def test_recalled_out_of_a_joint_turn_the_others_are_answered_together() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        others = [await made.call(user, "在吗") for user in "bcd"]
        free(made, first)
        await settle()
        assert secretary_of(made).began[-1] == others
        await made.desk.notices.recalled(GROUP, others[0])
        await settle()
        assert secretary_of(made).abandoned == [([others[0]], "消息撤回了")]
        assert secretary_of(made).began[-1] == others[1:]
        assert not made.storage.row(others[1]).processed
        assert others[0] not in secretary_of(made).contexts[-1]
        free(made, others[1])
        await settle()
        assert not made.room.seat.lock.busy


@virtual
async def test_a_silence_ends_everything_and_marks_it_processed() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        waiting = [await made.call(user, "二") for user in "bc"]
        await made.say("d", "闭嘴")
        assert len(made.room.hold) == 0
        assert not made.room.seat.lock.busy
        assert made.room.seat.presence.state is PresenceState.ABSENT
        assert secretary_of(made).abandoned == [([first], "静音了")]
        assert all(made.storage.row(one).processed for one in waiting)
        assert secretary_of(made).began == [[first]]
        await settle()
        assert [(each.message_id, each.reason) for each in made.storage.records] == [
            (one, "静音了") for one in waiting
        ]


@virtual
async def test_pitfall_13_groups_do_not_wait_for_one_another() -> None:
    async with busy_office() as made:
        here = await made.call("a", "一")
        there = await made.call("a", "一", conversation=OTHER)
        assert secretary_of(made).began == [[here], [there]]
        free(made, here)
        free(made, there)
        await settle()


@virtual
async def test_pitfall_14_shutdown_resolves_every_hold() -> None:
    async with busy_office(hanging) as made:
        made.room.seat.apply(PresenceEvent.QUESTION_ASKED)
        await made.call("a", "一")
        for user in "bcdef":
            await made.call(user, "二")
        await made.say("g", "闲聊")
        assert len(made.room.hold) > 1
        room = made.room
        tickets = list(room.hold._obligations)
        closing = asyncio.create_task(made.desk.close())
        await settle()
        assert {ticket.verdict.kind for ticket in tickets if ticket.verdict} == {"KILL"}
        assert all(ticket.future.done() for ticket in tickets)
        await closing
        assert len(room.hold) == 0
        assert not room.seat.lock.busy
        assert secretary_of(made).began
        assert len(secretary_of(made).began) == 1


@virtual
async def test_pitfall_15_a_second_start_is_clean() -> None:
    storage = FakeStorage()
    async with busy_office(hanging, storage=storage) as made:
        await made.call("a", "一")
        waiting = await made.call("b", "二")
    assert not storage.row(waiting).processed
    async with busy_office(at_once, storage=storage) as made:
        third = await made.call("c", "三", message_id="another")
        assert secretary_of(made).began == [[third]]
        assert len(made.room.hold) == 0


@virtual
async def test_every_text_reaches_the_context_of_a_reply() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        others = [await made.call(str(number), f"问题{number}") for number in range(20)]
        free(made, first)
        await settle()
        assert secretary_of(made).began == [[first], others]
        assert set(others) <= set(secretary_of(made).contexts[-1])
        free(made, others[0])
        await settle()
        assert not made.room.seat.lock.busy
