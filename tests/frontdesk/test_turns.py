"""Turns: the lock is free after every kind of ending, and a result that comes late changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from nonebot_plugin_mishu.secretary import Event, Item, Seat, State, Token, Trigger, Turn, take
from office import Office, office
from stand_ins import GROUP, OTHER, FakeStorage
from virtual_time import settle, virtual

Way = Callable[["FakeSecretary", Seat, Turn, Token], Coroutine[Any, Any, None]]


class FakeSecretary:
    """Works turns as told: `ways` by message id, `way` else. Notes what began and what was abandoned."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.ways: dict[str, Way] = {}
        self.began: list[list[str]] = []
        self.tokens: list[Token] = []
        self.contexts: list[list[str]] = []
        self.abandoned: list[tuple[list[str], str]] = []
        self.released: dict[str, asyncio.Event] = {}
        self.desk: Any = None

    def __call__(self, desk: Any) -> Any:
        self.desk = desk
        return self

    async def work(self, seat: Seat, turn: Turn, token: Token) -> None:
        self.began.append(turn.ids)
        self.tokens.append(token)
        self.contexts.append([said.message_id for said in turn.context])
        seat.accept(
            take(
                seat.presence, turn.lead.trigger, turn.lead.id, asyncio.get_running_loop().time(), seat.rules
            )
        )
        await self.ways.get(turn.lead.id, self.way)(self, seat, turn, token)

    async def abandon(self, turn: Turn, ids: list[str], reason: str, before: State, after: State) -> None:
        self.abandoned.append((list(ids), reason))


async def at_once(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    seat.apply(Event.REPLY_SENT)


async def until_told(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    await secretary.released.setdefault(turn.lead.id, asyncio.Event()).wait()
    if token.valid:
        seat.apply(Event.REPLY_SENT)


async def without_reply(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    seat.apply(Event.ENDED)


async def forgetting_presence(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    await asyncio.sleep(1)


async def failing(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    await asyncio.sleep(1)
    raise ValueError("an agent's fault")


async def failing_at_once(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    raise ValueError("an agent's fault")


async def cancelling_itself(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(1)


async def hanging(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    await asyncio.sleep(100_000)


async def ignoring_eviction(secretary: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
    try:
        await asyncio.sleep(100_000)
    except asyncio.CancelledError:
        await asyncio.sleep(50)  # a late result of an evicted owner
        if token.valid:
            seat.apply(Event.REPLY_SENT)


def busy_office(way: Way = until_told, **options: Any) -> Any:
    return office(staff=FakeSecretary(way), **options)


def secretary_of(made: Office) -> FakeSecretary:
    return made.desk._turns._secretary  # type: ignore[return-value]


def free(made: Office, message_id: str) -> None:
    secretary_of(made).released.setdefault(message_id, asyncio.Event()).set()


def right_after_handing_over(made: Office, then: Callable[[], object]) -> None:
    """Do something once, when a turn was handed over and its event has not woken up yet."""
    hold, hand_over = made.room.hold, made.room.hold.hand_over

    def handing_over(*arguments: Any) -> None:
        waiting = len(hold)
        hand_over(*arguments)
        if len(hold) < waiting:
            hold.hand_over = hand_over  # type: ignore[method-assign]
            then()

    hold.hand_over = handing_over  # type: ignore[method-assign]


ENDINGS = [at_once, without_reply, forgetting_presence, failing, failing_at_once, cancelling_itself, hanging]


@pytest.mark.parametrize("way", [*ENDINGS, ignoring_eviction])
@virtual
async def test_pitfall_5_the_lock_is_free_after_every_ending(way: Way) -> None:
    async with busy_office(at_once) as made:
        first = made.heard("a", "一", at=True)
        secretary_of(made).ways[first.message_id] = way
        made.hear(first)
        await settle()
        second = await made.call("b", "二")
        await made.pass_time(300)
        assert secretary_of(made).began == [[first.message_id], [second]]
        assert not made.room.seat.lock.busy
        assert len(made.room.hold) == 0
        assert made.room.seat.presence.state in (State.ABSENT, State.OBSERVING)


@pytest.mark.parametrize(
    "way", [without_reply, forgetting_presence, failing, failing_at_once, cancelling_itself]
)
@virtual
async def test_presence_is_as_before_after_an_ending_without_a_reply(way: Way) -> None:
    async with busy_office(way) as made:
        await made.call("a", "一")
        await made.pass_time(10)
        assert made.room.seat.presence.state is State.ABSENT
        made.room.seat.apply(Event.QUESTION_ASKED)
        await made.call("a", "二")
        await made.pass_time(10)
        assert made.room.seat.presence.state is State.OBSERVING


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
        assert secretary_of(made).abandoned == [([first.message_id], "处理超时，放弃了")]
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
        made.room.seat.apply(Event.QUESTION_ASKED)
        turns = made.desk._turns
        heard = [made.heard(user, "闲聊") for user in "abcd"]
        items = []
        for one in heard:
            made.desk.hear(one)
            message = made.room.ledger.get(one.message_id)
            assert message is not None
            items.append(Item(Trigger.SUMMON if one.user_id != "d" else Trigger.CHAT, message, "闲聊"))
        secretary_of(made).way = hanging
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


@pytest.mark.parametrize("freed_first", [True, False])
@virtual
async def test_a_turn_that_comes_in_the_moment_the_hold_ends_is_not_lost(freed_first: bool) -> None:
    """The Future resolves and the limit passes in one and the same moment: the lock must not stay taken."""
    async with busy_office() as made:
        first = await made.call("a", "一")
        made.room.seat.apply(Event.QUESTION_ASKED)
        heard = made.heard("b", "闲聊")
        made.desk.hear(heard)
        message = made.room.ledger.get(heard.message_id)
        assert message is not None
        turns = made.desk._turns
        turns._hold_timeout = 50
        loop = asyncio.get_running_loop()
        if freed_first:
            loop.call_later(50, free, made, first)
        held = asyncio.create_task(turns.admit(made.room, Item(Trigger.CHAT, message, "闲聊")))
        await settle()
        if not freed_first:
            loop.call_later(50, free, made, first)
        await made.pass_time(51)
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
            items.append(Item(Trigger.SUMMON, message, "二"))
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

        async def ends(_: FakeSecretary, seat: Seat, turn: Turn, token: Token) -> None:
            seat.apply(Event.REPLY_SENT)

        secretary.ways[second] = ends
        turns = made.desk._turns
        right_after_handing_over(made, lambda: turns.evict(made.room, "静音了", Event.SILENCED))
        free(made, first)
        await settle()
        assert secretary.began == [[first]]
        assert secretary.abandoned == [([second], "静音了")]
        assert made.room.seat.presence.state is State.ABSENT
        assert not made.room.seat.lock.busy
        third = await made.call("c", "三")
        assert secretary.began[-1] == [third]
        free(made, third)
        await settle()


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


@virtual
async def test_pitfall_24_recalled_while_it_is_worked_on() -> None:
    async with busy_office() as made:
        first = await made.call("a", "一")
        await made.desk.notices.recalled(GROUP, first)
        await settle()
        assert secretary_of(made).abandoned == [([first], "消息撤回了")]
        assert not made.room.seat.lock.busy
        assert made.room.seat.presence.state is State.ABSENT
        assert made.storage.row(first).processed
        assert made.storage.row(first).recalled


@virtual
async def test_pitfall_24_recalled_after_it_was_answered() -> None:
    async with busy_office(at_once) as made:
        first = await made.call("a", "一")
        await made.desk.notices.recalled(GROUP, first)
        assert secretary_of(made).abandoned == []
        assert made.room.seat.presence.state is State.OBSERVING


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
        assert made.room.seat.presence.state is State.ABSENT
        assert secretary_of(made).abandoned == [([first], "静音了")]
        assert all(made.storage.row(one).processed for one in waiting)
        assert secretary_of(made).began == [[first]]


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
        made.room.seat.apply(Event.QUESTION_ASKED)
        await made.call("a", "一")
        for user in "bcdef":
            await made.call(user, "二")
        await made.say("g", "闲聊")
        assert len(made.room.hold) > 1
        room = made.room
        await made.desk.close()
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
