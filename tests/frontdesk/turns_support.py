"""A secretary that works turns as told, for the tests of turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from nonebot_plugin_mishu.secretary import (
    ConversationSeat,
    LockToken,
    PresenceEvent,
    PresenceState,
    Turn,
    take,
)
from office import Office, office

ReplyMode = Callable[["FakeSecretary", ConversationSeat, Turn, LockToken], Coroutine[Any, Any, None]]


class FakeSecretary:
    """Works turns as told: `ways` by message id, `way` else. Notes what began and what was abandoned."""

    def __init__(self, reply_mode: ReplyMode) -> None:
        self.reply_mode = reply_mode
        self.ways: dict[str, ReplyMode] = {}
        self.began: list[list[str]] = []
        self.tokens: list[LockToken] = []
        self.contexts: list[list[str]] = []
        self.abandoned: list[tuple[list[str], str]] = []
        self.released: dict[str, asyncio.Event] = {}
        self.desk: Any = None

    def __call__(self, desk: Any) -> Any:
        self.desk = desk
        return self

    async def run_turn(self, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
        self.began.append(turn.ids)
        self.tokens.append(token)
        self.contexts.append([said.message_id for said in turn.context])
        seat.accept(
            take(
                seat.presence, turn.lead.trigger, turn.lead.id, asyncio.get_running_loop().time(), seat.rules
            )
        )
        await self.ways.get(turn.lead.id, self.reply_mode)(self, seat, turn, token)

    async def abandon(
        self, turn: Turn, ids: list[str], reason: str, before: PresenceState, after: PresenceState
    ) -> None:
        self.abandoned.append((list(ids), reason))


async def at_once(secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
    seat.apply(PresenceEvent.REPLY_SENT)


async def until_told(secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
    await secretary.released.setdefault(turn.lead.id, asyncio.Event()).wait()
    if token.valid:
        seat.apply(PresenceEvent.REPLY_SENT)


async def without_reply(
    secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken
) -> None:
    seat.apply(PresenceEvent.ENDED)


async def forgetting_presence(
    secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken
) -> None:
    await asyncio.sleep(1)


async def failing(secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
    await asyncio.sleep(1)
    raise ValueError("an agent's fault")


async def failing_at_once(
    secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken
) -> None:
    raise ValueError("an agent's fault")


async def cancelling_itself(
    secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken
) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(1)


async def hanging(secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
    await asyncio.sleep(100_000)


async def ignoring_eviction(
    secretary: FakeSecretary, seat: ConversationSeat, turn: Turn, token: LockToken
) -> None:
    try:
        await asyncio.sleep(100_000)
    except asyncio.CancelledError:
        await asyncio.sleep(50)  # a late result of an evicted owner
        if token.valid:
            seat.apply(PresenceEvent.REPLY_SENT)


def busy_office(reply_mode: ReplyMode = until_told, **options: Any) -> Any:
    return office(staff=FakeSecretary(reply_mode), **options)


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
