"""What agents need of a turn: who said it, a line before the reply, silence where it is meant, listening."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents import Mention, Outcome
from nonebot_plugin_mishu.secretary import PresenceEvent, PresenceState, Trigger
from virtual_time import virtual
from work_support import Bench, item

HERE = (Mention("7", "小王"), Mention("30001", "我"))


@virtual
async def test_who_acts_and_who_is_mentioned_come_from_the_event() -> None:
    bench = Bench()
    await bench.work(item(Trigger.ORDER, superuser=True, mentions=(Mention("7", "小王"),), members=HERE))
    said = bench.core.requests[0].lead
    assert said.superuser
    assert said.mentions == (Mention("7", "小王"),)
    assert said.members == HERE
    assert [each.name for each in said.others] == ["小王"]


@pytest.mark.parametrize("trigger", [Trigger.ANSWER, Trigger.ORDER])
@virtual
async def test_a_line_that_turns_out_not_to_be_an_answer_gets_none(trigger: Trigger) -> None:
    bench = Bench()
    bench.core.answer = Outcome(None, "completed", "与未决的问题无关", silent=True)
    await bench.work(item(trigger))
    assert bench.desk.said == []
    assert bench.desk.marked == ["100"]
    assert not bench.desk.records[0].should_reply
    assert bench.seat.presence.state is PresenceState.ABSENT


@virtual
async def test_a_summons_is_answered_even_where_nothing_was_made_of_it() -> None:
    bench = Bench()
    bench.core.answer = Outcome(None, "canceled", "")
    await bench.work(item())
    assert len(bench.desk.said) == 1


@virtual
async def test_what_was_sent_is_told_to_the_core_with_its_id() -> None:
    bench = Bench()
    bench.core.answer = outcome = Outcome("几点？", "awaiting_user", "", asked=("t1",))
    await bench.work(item())
    assert bench.core.sent == [(outcome, "1")]


@virtual
async def test_a_waiting_line_goes_out_before_the_reply_and_urgently() -> None:
    bench = Bench()

    async def handle(request: Any) -> Outcome:
        await request.speak_now("好的，正在修改...")
        return Outcome("改好了", "completed", "")

    bench.core.handle = handle  # type: ignore[method-assign]
    await bench.work(item(Trigger.ANSWER))
    assert bench.desk.texts == ["好的，正在修改...", "改好了"]
    assert [speech.urgent for _, speech in bench.desk.said] == [True, False]


@virtual
async def test_pictures_go_along_with_the_reply() -> None:
    bench = Bench()
    bench.core.answer = Outcome("这个月", "completed", "", pictures=(b"png",))
    await bench.work(item())
    assert bench.desk.said[0][1].pictures == (b"png",)


@virtual
async def test_overheard_a_question_is_asked_and_we_observe() -> None:
    bench = Bench()
    bench.core.answer = Outcome("要记下来吗？", "awaiting_user", "", asked=("t1",))
    await bench.work(item(Trigger.OVERHEARD))
    assert bench.core.requests[0].reply_mode == "overheard"
    assert bench.desk.texts == ["要记下来吗？"]
    assert bench.seat.presence.state is PresenceState.OBSERVING


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(None, "completed", "没什么可问", silent=True),
        Outcome("不能帮你", "blocked", "安全检查"),
        Outcome("随便说说", "completed", "没有问什么"),
    ],
)
@virtual
async def test_overheard_nothing_but_a_question_is_said(outcome: Outcome) -> None:
    bench = Bench()
    bench.core.answer = outcome
    await bench.work(item(Trigger.OVERHEARD))
    assert bench.desk.said == []
    assert bench.seat.presence.state is PresenceState.ABSENT
    assert not bench.desk.records[0].should_reply


@virtual
async def test_overheard_a_failing_core_says_nothing() -> None:
    bench = Bench()
    bench.seat.apply(PresenceEvent.QUESTION_ASKED)
    bench.core.answer = ValueError("boom")
    await bench.work(item(Trigger.OVERHEARD))
    assert bench.desk.said == []
