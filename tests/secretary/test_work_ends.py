"""Turns of the secretary's that end otherwise: evicted, cancelled, failed, and the patience meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from nonebot_plugin_mishu.agents.chat import honest
from nonebot_plugin_mishu.secretary import PresenceEvent, PresenceState, SendFailed, Speech, Trigger, Turn
from nonebot_plugin_mishu.storage.records import Conversation
from stand_ins import GROUP
from virtual_time import settle, virtual
from work_support import Bench, item, judged


@virtual
async def test_what_was_claimed_before_is_not_answered_again() -> None:
    bench = Bench()
    bench.desk.claims = False
    await bench.work(item())
    assert bench.desk.said == []
    assert bench.seat.presence.state is PresenceState.ABSENT
    assert bench.desk.records[0].reason == "这条消息已经答过了"


@virtual
async def test_a_failed_send_goes_back_to_the_state_before() -> None:
    bench = Bench()
    bench.desk.fail = SendFailed("平台拒绝了")
    await bench.work(item())
    assert bench.seat.presence.state is PresenceState.ABSENT
    assert "平台拒绝了" in bench.desk.records[0].reason
    assert bench.desk.marked == ["100"]


@virtual
async def test_an_evicted_turn_says_and_settles_nothing() -> None:
    bench = Bench()
    bench.core.answer = 30.0
    working = asyncio.create_task(bench.work(item()))
    await asyncio.sleep(20)
    bench.token.evicted = "处理超时"
    await working
    assert bench.desk.texts == ["让我想想…"]
    assert (bench.desk.marked, bench.desk.records) == ([], [])
    assert not [step for step in bench.desk.log if step.startswith("claim")]


@virtual
async def test_from_the_claim_on_a_recall_is_too_late() -> None:
    bench = Bench()
    sending: list[bool] = []

    async def claim(*_: Any) -> bool:
        sending.append(bench.token.sending)
        return True

    bench.desk.claim = claim  # type: ignore[method-assign]
    await bench.work(item())
    assert sending == [True]


@pytest.mark.parametrize("at", [0.0, 1.0, 16.0, 29.9, 30.05])
@virtual
async def test_a_cancelled_turn_leaves_no_task(at: float) -> None:
    bench = Bench()
    bench.core.answer = 30.0
    bench.model.analysis = 5.0
    bench.desk.seconds = 0.1
    working = asyncio.create_task(bench.work(item()))
    await asyncio.sleep(at)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert "processed" not in bench.desk.log
    assert honest("timeout") not in bench.desk.texts


@virtual
async def test_an_abandoned_turn_is_noted() -> None:
    bench = Bench()
    turn = Turn(GROUP, (item(),), ())
    await bench.secretary.abandon(turn, ["100"], "静音了", PresenceState.SUMMONED, PresenceState.ABSENT)
    record = bench.desk.records[0]
    assert (record.reason, record.state_before, record.state_after) == ("静音了", "summoned", "absent")
    assert bench.desk.marked == ["100"]


@virtual
async def test_patience_says_its_lines_at_their_times_and_never_after_the_reply() -> None:
    bench = Bench(secretary={"patience": [[20, "快了"], [15, "让我想想…"], [59, "就来"]]})
    bench.core.answer = 30.0
    await bench.work(item())
    assert bench.desk.texts == ["让我想想…", "快了", "答复"]
    assert [speech.urgent for _, speech in bench.desk.said] == [True, True, False]
    assert all(not speech.answers and speech.quote is None for _, speech in bench.desk.said[:2])
    await asyncio.sleep(100)
    assert len(bench.desk.said) == 3


@pytest.mark.parametrize(
    "trigger", [Trigger.CHAT, Trigger.ECHO, Trigger.DENSE, Trigger.ANSWER, Trigger.ORDER]
)
@virtual
async def test_pitfall_31_no_patience_but_for_a_summons(trigger: Trigger) -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = judged("should_reply", "is_questioned")
    bench.core.answer = 40.0
    await bench.work(item(trigger))
    assert "让我想想…" not in bench.desk.texts


@virtual
async def test_pitfall_31_a_patience_line_that_hangs_or_fails_blocks_no_reply() -> None:
    bench = Bench()
    bench.core.answer = 20.0
    slow = bench.desk.say

    async def say(conversation: Conversation, speech: Speech, timeout: float) -> str:
        if speech.urgent:
            await asyncio.sleep(1000)
        return await slow(conversation, speech, timeout)

    bench.desk.say = say  # type: ignore[method-assign]
    await bench.work(item())
    assert bench.desk.texts == ["答复"]
    bench = Bench()
    bench.core.answer = 20.0

    async def fails(conversation: Conversation, speech: Speech, timeout: float) -> str:
        if speech.urgent:
            raise SendFailed("断了")
        return "1"

    bench.desk.say = fails  # type: ignore[method-assign]
    await bench.work(item())
    assert bench.reports == ["耐心话没有发出去"]
    assert bench.seat.presence.state is PresenceState.OBSERVING


@virtual
async def test_pitfall_31_no_patience_once_the_turn_is_ended() -> None:
    bench = Bench()
    bench.core.answer = 60.0
    working = asyncio.create_task(bench.work(item()))
    await asyncio.sleep(10)
    working.cancel()
    await asyncio.wait([working])
    await asyncio.sleep(100)
    await settle()
    assert bench.desk.said == []
