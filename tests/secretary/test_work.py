"""One turn of the secretary's: the reply path in its order, and what happens where a part fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import Outcome, Request
from nonebot_plugin_mishu.agents.chat import HERE, honest
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import (
    Analyst,
    Event,
    Item,
    Rules,
    Seat,
    Secretary,
    SendFailed,
    Speech,
    State,
    Token,
    Trigger,
    Turn,
)
from nonebot_plugin_mishu.storage.records import Conversation, DecisionRecord, LedgerMessage
from stand_ins import GROUP, FakeModel, line
from virtual_time import VirtualClock, settle, virtual

ANALYSES = ("forced", "questioned", "interesting")


class FakeDesk:
    """Notes everything in the order it happens."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.said: list[tuple[Conversation, Speech]] = []
        self.marked: list[str] = []
        self.records: list[DecisionRecord] = []
        self.captions: dict[str, Sequence[str]] = {}
        self.claims = True
        self.fail: BaseException | None = None
        self.seconds = 0.0
        self.switched_off: set[str] = set()

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        await asyncio.sleep(self.seconds)
        if self.fail is not None and not speech.urgent:
            raise self.fail
        self.log.append(f"say {speech.text}")
        self.said.append((conversation, speech))
        return str(len(self.said))

    async def claim(self, conversation: Conversation, message_ids: Sequence[str]) -> bool:
        self.log.append(f"claim {' '.join(message_ids)}")
        await asyncio.sleep(0)
        return self.claims

    async def processed(self, conversation: Conversation, message_ids: Sequence[str]) -> None:
        self.log.append("processed")
        self.marked += message_ids

    async def captioned(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        self.captions[message.message_id] = captions

    async def decided(self, record: DecisionRecord) -> None:
        self.log.append("decided")
        self.records.append(record)

    def persona(self, conversation: Conversation) -> str | None:
        return None

    def allows(self, conversation: Conversation, feature: str) -> bool:
        return feature not in self.switched_off

    @property
    def texts(self) -> list[str]:
        return [speech.text for _, speech in self.said]


class FakeCore:
    """Answers as told; waits for the analysis as the chat agent does."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: Outcome | BaseException | float = Outcome("答复", "completed", "好了")
        self.judgements: list[Any] = []
        self.waits = True

    async def handle(self, request: Request) -> Outcome:
        self.requests.append(request)
        if self.waits and request.way in ANALYSES:
            self.judgements.append(await request.judgement)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if isinstance(self.answer, float):
            await asyncio.sleep(self.answer)
            return Outcome("答复", "completed", "好了")
        return self.answer


class Bench:
    """A secretary with everything around it made up."""

    def __init__(self, **config: Any) -> None:
        self.config = Config.model_validate(config)
        self.clock = VirtualClock()
        self.desk, self.core, self.model = FakeDesk(), FakeCore(), FakeModel()
        self.changes: list[State] = []
        self.seat = Seat(Rules(), self.clock.monotonic, self._changed, lambda _: None)
        self.reports: list[str] = []
        analyst = Analyst(self.model, self.clock.zone, ["小秘"])  # type: ignore[arg-type]
        self.secretary = Secretary(
            self.config,
            self.clock,
            self.desk,
            self.core,  # type: ignore[arg-type]
            self.model,  # type: ignore[arg-type]
            analyst,
            ["小秘"],
            lambda what, _: self.reports.append(what),
        )
        self.token = Token(deadline=self.clock.monotonic() + self.config.secretary.lock_timeout)

    def _changed(self) -> None:
        self.changes.append(self.seat.presence.state)
        self.desk.log.append(self.seat.presence.state.value)

    async def work(self, *items: Item, context: Sequence[LedgerMessage] = ()) -> None:
        turn = Turn(GROUP, items, (*context, *(one.message for one in items)))
        try:
            await self.secretary.work(self.seat, turn, self.token)
        finally:
            self.seat.close()


def item(trigger: Trigger = Trigger.SUMMON, text: str = "在吗", number: int = 100, **changed: Any) -> Item:
    return Item(trigger, line(number, text), text, **changed)


def judged(*flags: str, **more: Any) -> dict[str, Any]:
    return {**dict.fromkeys(flags, True), **more}


@virtual
async def test_the_reply_path_in_its_order() -> None:
    bench = Bench()
    await bench.work(item())
    assert bench.desk.log == ["summoned", "claim 100", "say 答复", "observing", "processed", "decided"]
    record = bench.desk.records[0]
    assert (record.trigger, record.state_before, record.state_after) == ("summon", "absent", "observing")
    assert (record.message_id, record.user_id, record.should_reply) == ("100", "30001", True)
    assert {"analysis", "captions", "reply", "send", "total", "held"} == set(record.timings)


@pytest.mark.parametrize("analysis", [{}, judged(), judged("should_reply"), {"should_reply": False}])
@virtual
async def test_pitfall_8_a_summons_is_answered_whatever_the_analysis_says(analysis: dict[str, Any]) -> None:
    bench = Bench()
    bench.model.analysis = analysis
    await bench.work(item())
    assert bench.desk.texts == ["答复"]
    assert len(bench.core.requests) == 1
    assert bench.core.requests[0].way == "forced"


@pytest.mark.parametrize("error", ["offline", "timeout", "invalid", "budget", "breaker_open"])
@virtual
async def test_pitfall_38_a_summons_is_answered_though_the_analysis_fails(error: Any) -> None:
    bench = Bench()
    bench.model.analysis = ModelError(error, "analyze_conversation")
    await bench.work(item())
    assert bench.desk.texts == ["答复"]
    assert bench.core.judgements[0].should_reply


@virtual
async def test_pitfall_38_an_analysis_that_hangs_costs_its_own_time_only() -> None:
    bench = Bench()
    bench.model.analysis = 10_000.0
    began = bench.clock.monotonic()
    await bench.work(item())
    assert bench.clock.monotonic() - began == pytest.approx(10, abs=0.1)
    assert bench.desk.texts == ["答复"]


@virtual
async def test_the_analysis_runs_beside_the_core_and_is_gone_with_it() -> None:
    bench = Bench()
    bench.model.analysis = 9.0
    bench.core.waits = False
    began = bench.clock.monotonic()
    await bench.work(item())
    assert bench.clock.monotonic() - began < 0.1
    assert bench.desk.texts == ["答复"]


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
    assert bench.seat.presence.state is State.OBSERVING
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


@pytest.mark.parametrize(
    ("analysis", "way", "strategy"),
    [
        (judged("should_reply", "is_questioned"), "questioned", "回应追问"),
        (judged("should_reply", "is_interesting"), "interesting", "参与话题"),
        (judged("should_reply", "is_questioned", "is_interesting"), "questioned", "回应追问"),
        (judged("should_reply"), None, ""),
        (judged("is_questioned", "is_interesting"), None, ""),
        (judged(), None, ""),
        (ModelError("timeout", "analyze_conversation"), None, ""),
    ],
)
@virtual
async def test_chatter_is_answered_only_where_asked_or_interested(
    analysis: Any, way: Any, strategy: str
) -> None:
    bench = Bench()
    bench.seat.apply(Event.QUESTION_ASKED)
    bench.model.analysis = analysis
    await bench.work(item(Trigger.CHAT), context=[line(1)])
    assert [request.way for request in bench.core.requests] == ([way] if way else [])
    assert len(bench.desk.said) == bool(way)
    record = bench.desk.records[0]
    assert (record.should_reply, record.strategy) == (bool(way), strategy)
    assert bench.desk.marked == ["1", "100"]
    assert bench.seat.presence.state is State.OBSERVING
    assert bench.seat.presence.cooldown_until == bench.clock.monotonic() + 7


@virtual
async def test_chatter_is_left_alone_without_a_model_and_where_an_agent_fails() -> None:
    bench = Bench()
    bench.model.online = False
    bench.seat.apply(Event.QUESTION_ASKED)
    await bench.work(item(Trigger.CHAT))
    assert bench.model.asked == []
    bench = Bench()
    bench.seat.apply(Event.QUESTION_ASKED)
    bench.model.analysis = judged("should_reply", "is_questioned")
    bench.core.answer = ValueError("boom")
    await bench.work(item(Trigger.CHAT))
    assert bench.desk.said == []
    assert bench.desk.marked == ["100"]


@virtual
async def test_what_is_skipped_in_the_cooldown_stays_unprocessed() -> None:
    bench = Bench()
    bench.seat.apply(Event.QUESTION_ASKED)
    bench.seat.apply(Event.ANALYSED)
    await bench.work(item(Trigger.CHAT))
    assert bench.model.asked == []
    assert (bench.desk.marked, bench.desk.records) == ([], [])


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
async def test_an_echo_is_joined_by_the_same_text_and_nothing_else() -> None:
    bench = Bench()
    await bench.work(item(Trigger.ECHO, "哈哈哈"))
    speech = bench.desk.said[0][1]
    assert (speech.text, speech.quote) == ("哈哈哈", None)
    assert (bench.model.asked, bench.core.requests) == ([], [])
    assert bench.changes[0] is State.FAMILIAR
    assert bench.seat.presence.state is State.OBSERVING


@pytest.mark.parametrize("text", ["我想自杀", "你去死吧"])
@virtual
async def test_an_echo_that_must_not_be_said_is_not_joined(text: str) -> None:
    bench = Bench()
    await bench.work(item(Trigger.ECHO, text))
    assert bench.desk.said == []
    assert bench.seat.presence.state is State.ABSENT
    assert bench.desk.marked == ["100"]


@virtual
async def test_dense_talk_gets_one_short_line_without_analysis() -> None:
    bench = Bench()
    await bench.work(item(Trigger.DENSE))
    assert [request.way for request in bench.core.requests] == ["fishing"]
    assert bench.model.asked == []
    assert bench.desk.said[0][1].quote is None


@pytest.mark.parametrize("trigger", [Trigger.ANSWER, Trigger.ORDER])
@virtual
async def test_answers_and_orders_go_to_the_core_without_analysis(trigger: Trigger) -> None:
    bench = Bench()
    bench.seat.apply(Event.QUESTION_ASKED)
    await bench.work(item(trigger))
    assert bench.model.asked == []
    assert [request.way for request in bench.core.requests] == ["core"]


@virtual
async def test_what_was_claimed_before_is_not_answered_again() -> None:
    bench = Bench()
    bench.desk.claims = False
    await bench.work(item())
    assert bench.desk.said == []
    assert bench.seat.presence.state is State.ABSENT
    assert bench.desk.records[0].reason == "这条消息已经答过了"


@virtual
async def test_a_failed_send_goes_back_to_the_state_before() -> None:
    bench = Bench()
    bench.desk.fail = SendFailed("平台拒绝了")
    await bench.work(item())
    assert bench.seat.presence.state is State.ABSENT
    assert "平台拒绝了" in bench.desk.records[0].reason
    assert bench.desk.marked == ["100"]


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
async def test_pitfall_18_analysis_and_reply_see_the_same_frozen_lines() -> None:
    bench = Bench()
    bench.model.analysis = 5.0
    context = [line(number, f"话{number}") for number in range(3)]
    await bench.work(item(), context=context)
    seen = [said.message_id for said in bench.core.requests[0].context]
    assert seen == ["0", "1", "2", "100"]
    analysed = bench.model.of("analyze_conversation")[0].data["messages"]
    assert [one["text"] for one in analysed] == ["话0", "话1", "话2", "在吗"]


@virtual
async def test_pitfall_19_each_judgement_belongs_to_its_own_turn() -> None:
    async def one(topic: str, seconds: float) -> Bench:
        bench = Bench()
        bench.core.waits = True
        bench.model.analysis = {"should_reply": True, "topic": topic}
        await asyncio.sleep(seconds)
        await bench.work(item(text=topic))
        return bench

    benches = await asyncio.gather(*(one(str(number), 0.1 * (5 - number)) for number in range(5)))
    assert [bench.core.judgements[0].topic for bench in benches] == ["0", "1", "2", "3", "4"]


@virtual
async def test_pitfall_17_processed_is_what_was_considered_and_nothing_that_waits() -> None:
    bench = Bench()
    context = [line(1), line(2, processed=True), line(3, addressed=True)]
    await bench.work(item(), context=context)
    assert bench.desk.marked == ["1", "100"]


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
    await bench.secretary.abandon(turn, ["100"], "静音了", State.SUMMONED, State.ABSENT)
    record = bench.desk.records[0]
    assert (record.reason, record.state_before, record.state_after) == ("静音了", "summoned", "absent")
    assert bench.desk.marked == ["100"]


Check = Callable[[Bench], None]


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
    bench.seat.apply(Event.QUESTION_ASKED)
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
    assert bench.seat.presence.state is State.OBSERVING


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
