"""Model faults to switch on: slow, failing, and the practice model where none is configured."""

from __future__ import annotations

from typing import Any

import pytest
from helpers_llm import CHECK, GROUP, Bench, MakeBench, kind_of
from model_server import ModelServer
from nonebot_plugin_mishu.agents import Judgement
from nonebot_plugin_mishu.llm import CallLog, ChatMessage, ModelSimulator
from nonebot_plugin_mishu.storage.records import Conversation

ELSEWHERE = Conversation("10001", "group", "20000")


class Rehearsal:
    """A client with the switch before it, configured or not."""

    def __init__(self, make: MakeBench, *, configured: bool) -> None:
        self.practice = ModelSimulator(configured=configured)
        without: dict[str, Any] = {} if configured else {"api_key": None, "model": None}
        self.bench: Bench = make(practice=self.practice, **without)

    def switch(self, mode: Any, seconds: float = 8.0) -> None:
        self.practice.switch(mode, account=GROUP.self_id, seconds=seconds)

    async def say(self, seconds: float = 60.0, conversation: Conversation = GROUP, **options: Any) -> str:
        return await self.bench.client.text(
            "chat_reply",
            [ChatMessage("user", "讲个笑话")],
            deadline=self.bench.deadline(seconds),
            conversation=conversation,
            **options,
        )

    async def judge(self, text: str, trigger: str = "chat") -> Judgement:
        return await self.bench.client.structured(
            "analyze_conversation",
            {"lines": f"1 [u1 小明 10:00] {text}\n2 [me 小秘 10:01] 我说的？", "trigger": trigger},
            Judgement,
            instructions="",
            deadline=self.bench.deadline(),
            conversation=GROUP,
            model="secretary",
        )


@pytest.fixture
def real(make_bench: MakeBench) -> Rehearsal:
    return Rehearsal(make_bench, configured=True)


@pytest.fixture
def alone(make_bench: MakeBench) -> Rehearsal:
    return Rehearsal(make_bench, configured=False)


@pytest.mark.parametrize("mode", ["off", "normal"])
async def test_what_is_not_disturbed_goes_straight_through(
    mode: str, real: Rehearsal, model_server: ModelServer
) -> None:
    model_server.always("check_safety", CHECK)
    real.switch(mode)
    assert (await real.bench.check(conversation=GROUP)).verdict == "SAFE"
    assert len(model_server.requests) == 1
    assert real.bench.time.slept == []


async def test_a_slow_call_waits_and_then_asks_the_model(real: Rehearsal, model_server: ModelServer) -> None:
    model_server.always("check_safety", CHECK)
    real.switch("slow", 3.0)
    assert (await real.bench.check(10.0, conversation=GROUP)).verdict == "SAFE"
    assert real.bench.time.slept == [3.0]
    assert len(model_server.requests) == 1
    assert [(call.model, call.outcome) for call in real.bench.calls] == [("test-model", "ok")]
    assert real.bench.calls[0].seconds >= 3.0


async def test_a_slow_call_ends_at_its_deadline(real: Rehearsal, model_server: ModelServer) -> None:
    real.switch("slow", 20.0)
    assert await kind_of(real.say(10.0)) == "timeout"
    assert real.bench.time.slept == [10.0]
    assert model_server.requests == []
    assert real.bench.calls[0].outcome == "timeout"


async def test_failing_calls_fail_each_and_leave_the_endpoint_alone(
    real: Rehearsal, model_server: ModelServer
) -> None:
    model_server.always("check_safety", CHECK)
    real.switch("failing")
    log = CallLog()
    assert [await kind_of(real.say(log=log)) for _ in range(9)] == ["unreachable"] * 9
    assert real.bench.client.status() == "ok"
    assert (log.names, log.tokens) == (["chat_reply"] * 9, 0)
    real.switch("off")
    assert (await real.bench.check(conversation=GROUP)).verdict == "SAFE"


@pytest.mark.parametrize("mode", ["slow", "failing"])
async def test_other_accounts_never_meet_it(mode: str, real: Rehearsal, model_server: ModelServer) -> None:
    model_server.always("check_safety", CHECK)
    real.switch(mode)
    assert (await real.bench.check(conversation=ELSEWHERE)).verdict == "SAFE"
    assert (await real.bench.check()).verdict == "SAFE"
    assert real.bench.time.slept == []


async def test_without_a_model_the_practice_model_says_what_it_is(
    alone: Rehearsal, model_server: ModelServer
) -> None:
    assert not alone.bench.client.online
    alone.switch("normal")
    assert alone.bench.client.online
    said = [await alone.say() for _ in range(4)]
    assert all(each.startswith("（练习模型）") for each in said)
    assert said[0] == said[3] != said[1]
    assert [(call.model, call.outcome) for call in alone.bench.calls] == [("练习模型", "ok")] * 4
    assert {call.prompt_tokens + call.completion_tokens for call in alone.bench.calls} == {0}
    assert alone.bench.client.status() == "offline", "there is no model, and health says so"
    assert not alone.bench.client.sees
    assert model_server.requests == []


async def test_the_practice_model_waits_and_fails_too(alone: Rehearsal) -> None:
    alone.switch("slow", 8.0)
    assert (await alone.say()).startswith("（练习模型）")
    assert alone.bench.time.slept == [8.0]
    assert await kind_of(alone.say(5.0)) == "timeout"
    alone.switch("failing")
    assert await kind_of(alone.say()) == "unreachable"


@pytest.mark.parametrize(
    ("text", "trigger", "flags"),
    [
        ("明天去吗？", "chat", (True, True, False)),
        ("太好玩了哈哈", "chat", (True, False, True)),
        ("我先吃饭", "chat", (False, False, False)),
        ("我先吃饭", "summon", (True, True, False)),
    ],
)
async def test_its_analysis_can_be_foreseen(
    text: str, trigger: str, flags: tuple[bool, bool, bool], alone: Rehearsal
) -> None:
    alone.switch("normal")
    judged = await alone.judge(text, trigger)
    assert (judged.should_reply, judged.is_questioned, judged.is_interesting) == flags
    assert judged.reply_strategy.startswith("练习模型") or not judged.should_reply


async def test_what_needs_understanding_is_left_to_the_rules(alone: Rehearsal) -> None:
    alone.switch("normal")
    assert await kind_of(alone.bench.check(conversation=GROUP)) == "refused"


async def test_without_a_model_nothing_leaves_the_machine(
    alone: Rehearsal, model_server: ModelServer
) -> None:
    alone.switch("normal")
    assert await kind_of(alone.say(conversation=ELSEWHERE)) == "offline"

    async def switched_off_meanwhile(_seconds: float) -> None:
        alone.switch("off")

    alone.switch("slow")
    met = await alone.practice.simulate(
        "chat_reply", str, GROUP, alone.bench.deadline(60.0), switched_off_meanwhile
    )
    assert met is not None
    assert await kind_of(alone.say()) == "offline"
    assert model_server.requests == []
