"""Turns of the secretary's that nobody called for: chatter, echo, dense talk."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import PresenceEvent, PresenceState, Trigger
from stand_ins import BOT, line
from virtual_time import virtual
from work_support import Bench, item, judged


@pytest.mark.parametrize(
    ("analysis", "reply_mode", "strategy"),
    [
        (judged("should_reply", "is_questioned"), "questioned", "回应追问"),
        (judged("should_reply", "is_interesting"), "interesting", "参与话题"),
        (judged("should_reply", "is_questioned", "is_interesting"), "questioned", "回应追问"),
        (judged("should_reply"), "questioned", "回应追问"),
        (judged("is_questioned", "is_interesting"), None, ""),
        (judged(), None, ""),
        (ModelError("timeout", "analyze_conversation"), None, ""),
    ],
)
@virtual
async def test_chatter_is_answered_only_where_asked_or_interested(
    analysis: Any, reply_mode: Any, strategy: str
) -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = analysis
    await bench.work(item(Trigger.CHAT), context=[line(1)])
    assert [request.reply_mode for request in bench.core.requests] == ([reply_mode] if reply_mode else [])
    assert len(bench.desk.said) == bool(reply_mode)
    record = bench.desk.records[0]
    assert (record.should_reply, record.strategy) == (bool(reply_mode), strategy)
    assert bench.desk.marked == ["1", "100"]
    assert bench.seat.presence.state is PresenceState.OBSERVING
    assert bench.seat.presence.cooldown_until == bench.clock.monotonic() + 7


@virtual
async def test_chatter_is_left_alone_without_a_model_and_where_an_agent_fails() -> None:
    bench = Bench()
    bench.model.online = False
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    await bench.work(item(Trigger.CHAT))
    assert bench.model.asked == []
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = judged("should_reply", "is_questioned")
    bench.core.answer = ValueError("boom")
    await bench.work(item(Trigger.CHAT))
    assert bench.desk.said == []
    assert bench.desk.marked == ["100"]


@virtual
async def test_what_is_skipped_in_the_cooldown_stays_unprocessed() -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.seat.apply(PresenceEvent.ANALYSED)
    await bench.work(item(Trigger.CHAT))
    assert bench.model.asked == []
    assert (bench.desk.marked, bench.desk.records) == ([], [])


@virtual
async def test_an_echo_is_joined_by_the_same_text_and_nothing_else() -> None:
    bench = Bench()
    await bench.work(item(Trigger.ECHO, "哈哈哈"))
    speech = bench.desk.said[0][1]
    assert (speech.text, speech.quote) == ("哈哈哈", None)
    assert (bench.model.asked, bench.core.requests) == ([], [])
    assert bench.changes[0] is PresenceState.FAMILIAR
    assert bench.seat.presence.state is PresenceState.OBSERVING


@pytest.mark.parametrize("text", ["我想自杀", "你去死吧"])
@virtual
async def test_an_echo_that_must_not_be_said_is_not_joined(text: str) -> None:
    bench = Bench()
    await bench.work(item(Trigger.ECHO, text))
    assert bench.desk.said == []
    assert bench.seat.presence.state is PresenceState.ABSENT
    assert bench.desk.marked == ["100"]


@virtual
async def test_dense_talk_gets_one_short_line_without_analysis() -> None:
    bench = Bench()
    await bench.work(item(Trigger.DENSE))
    assert [request.reply_mode for request in bench.core.requests] == ["fishing"]
    assert bench.model.asked == []
    assert bench.desk.said[0][1].quote is None


@pytest.mark.parametrize("trigger", [Trigger.ANSWER, Trigger.ORDER])
@virtual
async def test_answers_and_orders_go_to_the_core_without_analysis(trigger: Trigger) -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    await bench.work(item(trigger))
    assert bench.model.asked == []
    assert [request.reply_mode for request in bench.core.requests] == ["core"]


@virtual
async def test_what_nobody_asked_for_is_said_once_in_a_while() -> None:
    bench = Bench()
    bench.seat.rules = replace(bench.seat.rules, unasked_gap=600.0)
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = judged("should_reply", "is_questioned")
    await bench.work(item(Trigger.CHAT, number=1))
    assert len(bench.desk.said) == 1
    await asyncio.sleep(8)
    await bench.work(item(Trigger.CHAT, number=2))
    assert len(bench.desk.said) == 1
    assert len(bench.model.of("analyze_conversation")) == 1, "nothing is asked whose answer will not be used"
    assert "插过话" in bench.desk.records[-1].reason
    ours = line("sent", "是啊", user_id=BOT, is_bot=True, time=2.0, receipt=2, reply_to="1")
    before = line(1, "你看", time=1.0, receipt=1)
    await asyncio.sleep(8)
    await bench.work(item(Trigger.CHAT, number=3), context=[before, ours])
    assert len(bench.desk.said) == 2, "who was answered goes on with that talk"


@pytest.mark.parametrize("analysis", [judged("should_reply"), judged("should_reply", "is_questioned")])
@virtual
async def test_a_line_right_behind_what_was_done_for_its_speaker_goes_the_way_of_an_order(
    analysis: Any,
) -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = analysis
    bench.core.follows = True
    await bench.work(item(Trigger.CHAT), context=[line(1)])
    (request,) = bench.core.requests
    assert (request.reply_mode, request.follows_deed) == ("forced", True)


@virtual
async def test_such_a_line_that_is_meant_for_others_is_left_alone() -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.model.analysis = judged()
    bench.core.follows = True
    await bench.work(item(Trigger.CHAT), context=[line(1)])
    assert bench.core.requests == []
