"""Holding: every Future resolves exactly once, obligations keep their order (pitfalls 1 to 4)."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.hold import JOINT, MOST, Hold, Ticket
from nonebot_plugin_mishu.secretary import Lock, LockToken, Trigger, TurnItem
from stand_ins import line
from virtual_time import run_virtually, virtual


def item(number: int, trigger: Trigger = Trigger.SUMMON, **changed: Any) -> TurnItem:
    return TurnItem(trigger, line(number, **changed), f"话{number}")


class Begins:
    """Takes the lock, and notes for whom."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.turns: list[tuple[str, ...]] = []

    def __call__(self, items: tuple[TurnItem, ...]) -> LockToken:
        self.turns.append(tuple(one.id for one in items))
        return self.lock.acquire(0, 10)

    def free(self) -> None:
        if self.lock.owner is not None:
            self.lock.release(self.lock.owner)


def alone(_: TurnItem) -> bool:
    return False


def together(one: TurnItem) -> bool:
    return one.trigger is Trigger.SUMMON


def how(ticket: Ticket) -> str:
    if not ticket.future.done():
        return "waits"
    return ticket.future.result().kind


@virtual
async def test_pitfall_1_replacing_resolves_the_old_and_keeps_the_new() -> None:
    for count in (3, 20):
        hold, begins = Hold(), Begins()
        tickets = [hold.admit(item(number, Trigger.CHAT)) for number in range(count)]
        for ticket in tickets[:-1]:
            assert how(ticket) == "KILL"
            hold.withdraw(ticket)  # its event cleans up after itself
        assert how(tickets[-1]) == "waits"
        assert len(hold) == 1
        hold.hand_over(begins, alone)
        assert how(tickets[-1]) == "PROCESS"
        assert len(hold) == 0


@virtual
async def test_pitfall_2_two_calls_wait_in_order() -> None:
    hold, begins = Hold(), Begins()
    second, first = hold.admit(item(2)), hold.admit(item(1))
    hold.hand_over(begins, alone)
    assert (how(first), how(second)) == ("PROCESS", "waits")
    begins.free()
    hold.hand_over(begins, alone)
    assert how(second) == "PROCESS"
    assert begins.turns == [("1",), ("2",)]


@virtual
async def test_pitfall_4_chatter_never_displaces_a_call() -> None:
    hold, begins = Hold(), Begins()
    called = hold.admit(item(1))
    for number, trigger in enumerate([Trigger.CHAT, Trigger.ECHO, Trigger.DENSE, Trigger.OVERHEARD], start=2):
        hold.admit(item(number, trigger))
    assert how(called) == "waits"
    hold.hand_over(begins, alone)
    assert begins.turns == [("1",)]
    assert [one.id for one in hold.items] == ["5"]


@virtual
async def test_calls_that_only_chat_join_the_first_and_answers_do_not() -> None:
    hold, begins = Hold(), Begins()
    tickets = [
        hold.admit(item(1)),
        hold.admit(item(2, Trigger.ANSWER)),
        hold.admit(item(3)),
        hold.admit(item(4)),
    ]
    hold.hand_over(begins, together)
    assert begins.turns == [("1", "3", "4")]
    assert [how(ticket) for ticket in tickets] == ["PROCESS", "waits", "PROCESS", "PROCESS"]
    assert [ticket.future.result().token is not None for ticket in (tickets[0], tickets[2])] == [True, False]


@virtual
async def test_an_answer_in_front_joins_nobody() -> None:
    hold, begins = Hold(), Begins()
    hold.admit(item(1, Trigger.ANSWER))
    hold.admit(item(2))
    hold.hand_over(begins, together)
    assert begins.turns == [("1",)]


@virtual
async def test_a_flood_is_folded_and_bounded() -> None:
    hold, begins = Hold(), Begins()
    tickets = [hold.admit(item(number)) for number in range(MOST + 3)]
    assert [how(ticket) for ticket in tickets[-3:]] == ["KILL"] * 3
    while len(hold):
        hold.hand_over(begins, together)
        begins.free()
    assert len(begins.turns) == MOST // JOINT
    assert sum(begins.turns, ()) == tuple(str(number) for number in range(MOST))


@virtual
async def test_kill_ends_only_what_is_meant() -> None:
    hold = Hold()
    tickets = [hold.admit(item(1)), hold.admit(item(2)), hold.admit(item(3, Trigger.CHAT))]
    assert [one.id for one in hold.kill("撤回", lambda one: one.id == "2")] == ["2"]
    assert [how(ticket) for ticket in tickets] == ["waits", "KILL", "waits"]
    assert [one.id for one in hold.kill("静音")] == ["1", "3"]
    assert len(hold) == 0


@virtual
async def test_a_ticket_whose_event_was_cancelled_gets_no_turn() -> None:
    hold, begins = Hold(), Begins()
    gone, next_one = hold.admit(item(1)), hold.admit(item(2))
    gone.future.cancel()
    hold.hand_over(begins, alone)
    assert begins.turns == [("2",)]
    assert how(next_one) == "PROCESS"
    begins.free()
    slot = hold.admit(item(3, Trigger.CHAT))
    slot.future.cancel()
    hold.hand_over(begins, alone)
    assert begins.turns == [("2",)]
    assert len(hold) == 0


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("admit"), st.integers(0, 30), st.sampled_from(list(Trigger))),
        st.tuples(st.sampled_from(["hand", "free", "kill", "close"])),
        st.tuples(st.sampled_from(["withdraw", "cancel", "recall"]), st.integers(0, 30)),
    ),
    max_size=60,
)


@settings(max_examples=300)
@given(STEPS, st.booleans())
def test_every_future_resolves_exactly_once_in_any_order(steps: list[tuple[Any, ...]], joint: bool) -> None:
    async def live() -> None:
        hold, begins = Hold(), Begins()
        tickets: list[Ticket] = []
        resolved: dict[int, int] = {}
        closed = False

        def watch(ticket: Ticket) -> None:
            tickets.append(ticket)
            ticket.future.add_done_callback(
                lambda _: resolved.update({id(ticket): resolved.get(id(ticket), 0) + 1})
            )

        for kind, *arguments in steps:
            waiting = [ticket for ticket in tickets if how_or_gone(ticket) == "waits"]
            obligations = [ticket for ticket in waiting if ticket.item.trigger.obligation]
            if kind == "admit" and not closed:
                ticket = hold.admit(item(arguments[0], arguments[1]))
                watch(ticket)
                assert all(how_or_gone(held) == "waits" for held in obligations), (
                    "obligations are never displaced"
                )
            elif kind == "hand":
                if not begins.lock.busy:
                    before = min(obligations, key=lambda held: held.item.message.order, default=None)
                    hold.hand_over(begins, together if joint else alone)
                    if before is not None:
                        assert begins.turns[-1][0] == before.item.id, "the first in the ledger is first"
                        assert begins.lock.busy
            elif kind == "free":
                begins.free()
            elif kind == "kill" or kind == "close":
                hold.kill("静音")
                closed = closed or kind == "close"
                assert not len(hold)
            elif kind == "recall":
                hold.kill("撤回", lambda one, number=str(arguments[0]): one.id == number)
            elif kind == "withdraw" and waiting:
                hold.withdraw(waiting[arguments[0] % len(waiting)])
                waiting[arguments[0] % len(waiting)].future.cancel()
            elif kind == "cancel" and waiting:
                waiting[arguments[0] % len(waiting)].future.cancel()
            held = {id(one) for one in hold.items}
            for ticket in tickets:
                if how_or_gone(ticket) == "waits":
                    assert id(ticket.item) in held, "whoever waits is held"
        hold.kill("完")
        await asyncio.sleep(0)
        assert len(hold) == 0
        assert all(resolved.get(id(ticket)) == 1 for ticket in tickets)

    def how_or_gone(ticket: Ticket) -> str:
        return "gone" if ticket.future.cancelled() else how(ticket)

    run_virtually(live())


@virtual
async def test_joining_in_is_dropped_where_an_obligation_waits() -> None:
    for trigger in (Trigger.ECHO, Trigger.DENSE):
        for order in (Trigger.SUMMON, Trigger.ANSWER, Trigger.ORDER):
            hold = Hold()
            joins = hold.admit(item(1, trigger))
            owed = hold.admit(item(2, order))
            assert (how(joins), how(owed), len(hold)) == ("KILL", "waits", 1)
            assert how(hold.admit(item(3, trigger))) == "KILL", "and none is taken up before it is answered"
            assert hold.items == [owed.item]


@virtual
async def test_other_talk_waits_beside_an_obligation() -> None:
    for trigger in (Trigger.CHAT, Trigger.OVERHEARD):
        hold = Hold()
        talk = hold.admit(item(1, trigger))
        hold.admit(item(2))
        assert how(talk) == "waits"
