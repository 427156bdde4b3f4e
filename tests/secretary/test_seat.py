"""The seat delivers its conversation's ticks, the lock has one owner, the analysis is asked as pinned."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.llm import CallLog, Deadline
from nonebot_plugin_mishu.secretary import (
    Analyst,
    ConversationSeat,
    Lock,
    PresenceEvent,
    PresenceState,
    Rules,
    Trigger,
    Turn,
    TurnItem,
    take,
)
from stand_ins import BOT, GROUP, FakeModel, line
from virtual_time import BEGAN, VirtualClock, virtual


def seat(trailing: list[str] | None = None, changes: list[PresenceState] | None = None) -> ConversationSeat:
    loop = asyncio.get_running_loop()
    made: ConversationSeat

    def changed() -> None:
        if changes is not None:
            changes.append(made.presence.state)

    made = ConversationSeat(Rules(), loop.time, changed, (trailing if trailing is not None else []).append)
    return made


@virtual
async def test_ticks_come_by_themselves() -> None:
    trailing: list[str] = []
    changes: list[PresenceState] = []
    made = seat(trailing, changes)
    now = asyncio.get_running_loop().time
    made.apply(PresenceEvent.REPLY_SENT)
    made.accept(take(made.presence, Trigger.CHAT, "m1", now(), made.rules))
    made.accept(take(made.presence, Trigger.CHAT, "m2", now(), made.rules))
    await asyncio.sleep(6.9)
    assert trailing == []
    await asyncio.sleep(0.2)
    assert trailing == ["m2"]
    await asyncio.sleep(590)
    assert made.presence.state is PresenceState.OBSERVING
    await asyncio.sleep(10)
    assert made.presence.state is PresenceState.ABSENT
    assert trailing == ["m2"]
    assert changes[-1] is PresenceState.ABSENT
    made.close()


@virtual
async def test_no_ticks_after_close() -> None:
    changes: list[PresenceState] = []
    made = seat(changes=changes)
    made.close()
    made.apply(PresenceEvent.REPLY_SENT)  # a turn may end after its conversation was let go
    await asyncio.sleep(10_000)
    assert changes == [PresenceState.OBSERVING]


def test_one_owner_at_a_time() -> None:
    lock = Lock()
    first = lock.acquire(100, 10)
    assert (lock.busy, lock.owner, first.deadline) == (True, first, 110)
    with pytest.raises(RuntimeError):
        lock.acquire(100, 10)
    assert lock.evict("静音了") is first
    assert (first.valid, first.evicted, lock.busy) == (False, "静音了", False)
    second = lock.acquire(100, 10)
    assert not lock.release(first)
    assert lock.owner is second
    assert lock.release(second)
    assert not lock.release(second)
    assert lock.evict("没有人") is None


@virtual
async def test_the_analysis_is_asked_as_pinned() -> None:
    model = FakeModel()
    analyst = Analyst(model, VirtualClock().zone, ["小秘"])  # type: ignore[arg-type]
    context = (
        line(1, "早", time=BEGAN, user_id="30007", name="小[明]\n", processed=True),
        line(2, "嗯", time=BEGAN + 1, user_id=BOT, name="小秘", is_bot=True),
        line(3, "在吗", time=BEGAN + 2, user_id="30008", name="小红"),
    )
    turn = Turn(GROUP, (TurnItem(Trigger.CHAT, context[-1], "在吗"),), context)
    deadline = Deadline.after(10, asyncio.get_running_loop().time)
    await analyst.judge(turn, PresenceState.OBSERVING, deadline, CallLog())
    call = model.asked[0]
    assert (call.name, call.model, call.conversation) == ("analyze_conversation", "secretary", GROUP)
    assert call.data == {
        "bot_names": ["小秘"],
        "lines": "1 [u1 小(明) 16:00] 早\n2 [me 小秘 16:00] 嗯\n3 [u2 小红 16:00] 在吗",
        "state": "observing",
        "trigger": "chat",
    }
    assert list(call.data) == ["bot_names", "lines", "state", "trigger"], "what changes least stands first"
