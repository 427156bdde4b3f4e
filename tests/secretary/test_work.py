"""One turn of the secretary's: the reply path in its order, and what happens where a part fails."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents import Judgement, Outcome
from nonebot_plugin_mishu.agents.chat import HERE, honest
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import PresenceState, Trigger
from stand_ins import line
from virtual_time import virtual
from work_support import Bench, item, judged


@virtual
async def test_the_reply_path_in_its_order() -> None:
    bench = Bench()
    await bench.work(item())
    assert bench.desk.log == ["summoned", "claim 100", "say 答复", "observing", "decided"]
    record = bench.desk.records[0]
    assert (record.trigger, record.state_before, record.state_after) == ("summon", "absent", "observing")
    assert (record.message_id, record.user_id, record.should_reply) == ("100", "30001", True)
    assert {"captions", "reply", "send", "total", "held"} == set(record.timings)


@pytest.mark.parametrize("analysis", [{}, judged(), judged("should_reply"), {"should_reply": False}])
@virtual
async def test_pitfall_8_a_summons_is_answered_whatever_the_analysis_says(analysis: dict[str, Any]) -> None:
    bench = Bench()
    bench.model.analysis = analysis
    await bench.work(item())
    assert bench.desk.texts == ["答复"]
    assert len(bench.core.requests) == 1
    assert bench.core.requests[0].reply_mode == "forced"


@virtual
async def test_a_summons_is_decided_here_and_asks_for_no_analysis() -> None:
    bench = Bench()
    await bench.work(item())
    assert bench.model.of("analyze_conversation") == []
    assert bench.desk.records[0].should_reply
    assert bench.desk.records[0].strategy == "直接回答"


@virtual
async def test_the_judgement_that_came_with_a_reply_stands_in_the_trace() -> None:
    bench = Bench()
    bench.core.says = Judgement(should_reply=True, reply_strategy="打个招呼")
    await bench.work(item())
    assert bench.desk.records[0].strategy == "打个招呼"


@pytest.mark.parametrize("error", ["offline", "timeout", "invalid", "budget", "breaker_open"])
@virtual
async def test_pitfall_38_a_summons_is_answered_though_the_analysis_fails(error: Any) -> None:
    bench = Bench()
    bench.model.analysis = ModelError(error, "analyze_conversation")
    await bench.work(item())
    assert bench.desk.texts == ["答复"]
    assert bench.core.judgements[0].should_reply


@pytest.mark.parametrize(
    "answer",
    [
        ValueError("Traceback: api.example key sk-123"),
        RuntimeError("boom"),
        TimeoutError("inner"),
        ExceptionGroup("many", [ValueError("one")]),
        1e6,
        Outcome(None, "canceled", "没话说"),
        Outcome("", "completed", "空"),
    ],
)
@pytest.mark.parametrize("trigger", [Trigger.SUMMON, Trigger.ANSWER, Trigger.ORDER])
@virtual
async def test_pitfall_33_38_an_honest_line_whatever_an_agent_does(answer: Any, trigger: Trigger) -> None:
    bench = Bench()
    bench.core.answer = answer
    await bench.work(item(trigger))
    assert bench.desk.texts == ["让我想想…", honest("timeout")] or bench.desk.texts == [honest("timeout")]
    assert "sk-" not in str(bench.desk.records)
    assert bench.seat.presence.state is PresenceState.OBSERVING
    assert bench.desk.marked == ["100"]


@pytest.mark.parametrize(
    ("timeout", "decide", "lock"),
    [(60, 10, 70), (60, 10, 240), (0.25, 0.125, 0.375), (2, 1, 3.0), (0.01, 0.01, 0.02)],
)
@virtual
async def test_the_honest_line_goes_out_before_the_lock_is_lost(
    timeout: float, decide: float, lock: float
) -> None:
    bench = Bench(
        llm={"timeout": timeout, "decide_timeout": decide},
        secretary={"lock_timeout": lock, "patience": []},
        frontdesk={"hold_timeout": lock + 1},
    )
    bench.core.answer = 1e6
    await bench.work(item())
    assert bench.desk.texts == [honest("timeout")]
    assert bench.clock.monotonic() < bench.token.deadline


@virtual
async def test_one_deadline_for_all_that_is_done() -> None:
    bench = Bench()
    await bench.work(item())
    request = bench.core.requests[0]
    assert request.deadline.remaining() == pytest.approx(70, abs=0.1)
    assert request.today == bench.clock.today_began()
    assert request.now == pytest.approx(bench.clock.wall())


@virtual
async def test_without_a_model_a_summons_goes_straight_to_the_core() -> None:
    bench = Bench()
    bench.model.online = False
    await bench.work(item())
    assert bench.model.asked == []
    assert bench.desk.texts == ["答复"]


@pytest.mark.parametrize(("bare", "poke"), [(True, False), (True, True)])
@virtual
async def test_pitfall_32_a_bare_call_asks_no_model(bare: bool, poke: bool) -> None:
    bench = Bench()
    await bench.work(item(bare=bare, poke=poke))
    assert bench.desk.texts == [HERE]
    assert (bench.model.asked, bench.core.requests) == ([], [])
    assert bench.desk.said[0][1].quote == (None if poke else "100")


@virtual
async def test_pitfall_25_the_quote_is_the_message_that_is_answered() -> None:
    bench = Bench()
    await bench.work(item(number=5), context=[line(number) for number in range(1, 5)])
    assert bench.desk.said[0][1].quote == "5"
    bench = Bench()
    await bench.work(item(number=5), item(number=7), item(number=9))
    assert bench.desk.said[0][1].quote == "5"
    assert bench.desk.said[0][1].answers == ("5", "7", "9")


@virtual
async def test_pitfall_18_a_reply_sees_frozen_lines() -> None:
    bench = Bench()
    context = [line(number, f"话{number}") for number in range(3)]
    await bench.work(item(), context=context)
    seen = [said.message_id for said in bench.core.requests[0].context]
    assert seen == ["0", "1", "2", "100"]


@virtual
async def test_pitfall_17_processed_is_what_was_considered_and_nothing_that_waits() -> None:
    bench = Bench()
    context = [line(1), line(2, processed=True), line(3, addressed=True)]
    await bench.work(item(), context=context)
    assert bench.desk.marked == ["1", "100"]


@pytest.mark.parametrize("trigger", list(Trigger))
@virtual
async def test_calls_for_a_message_that_must_be_answered_go_before_others(trigger: Trigger) -> None:
    bench = Bench()
    await bench.work(item(trigger))
    for request in bench.core.requests:
        assert request.calls.owed == (trigger in (Trigger.SUMMON, Trigger.ANSWER, Trigger.ORDER))
    assert bench.core.requests or not trigger.obligation
