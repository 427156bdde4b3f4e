"""The gate before everything: nothing runs and nothing is written until it says SAFE."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from core_support import Agent, Bench, Store, parking, triage
from nonebot_plugin_mishu.agents import Request, TaskContext, TaskDispatch, TaskResult
from nonebot_plugin_mishu.core import Judged, Verdict
from nonebot_plugin_mishu.core.safety.gate import replies
from nonebot_plugin_mishu.llm import ModelError
from stand_ins import GROUP, FakeModel, line
from virtual_time import virtual

DIE = "我不想活了，想自杀"


class SlowGate:
    """A gate that takes its time."""

    def __init__(self, seconds: float, verdict: str = "SAFE") -> None:
        self.seconds = seconds
        self.verdict = verdict
        self.done = False

    async def check(self, request: Request, texts: Sequence[str], *, ask_model: bool) -> Judged:
        await asyncio.sleep(self.seconds)
        self.done = True
        return Judged(Verdict(self.verdict, "慢", "不行"))  # type: ignore[arg-type]


@virtual
async def test_no_handler_runs_before_a_slow_gate_says_safe() -> None:
    gate = SlowGate(3)
    seen: list[bool] = []

    def does(dispatch: TaskDispatch, task_context: TaskContext) -> TaskResult:
        seen.append(gate.done)
        return TaskResult(dispatch.task_id, "completed", user_response="好")

    agents = [Agent("one", "甲", does), Agent("two", "乙", does)]
    bench = Bench(*agents, gate=gate)
    assert (await bench.say("1", "甲一下")).text == "好"
    assert (await bench.say("1", "乙一下")).text == "好"
    assert seen == [True, True]


@pytest.mark.parametrize("verdict", ["BLOCK", "EMERGENCY"])
@pytest.mark.parametrize("text", ["挂号", "停车怎么收费", "随便聊聊"])
@virtual
async def test_a_veto_leaves_nothing(verdict: str, text: str) -> None:
    bench = Bench(triage(), parking(), gate=SlowGate(0.1, verdict))
    outcome = await bench.say("1", text)
    assert (outcome.text, outcome.status) == ("不行", "blocked")
    assert not bench.agents["triage"].seen
    assert not bench.agents["smartCS"].seen
    assert bench.store.frames == {}
    assert bench.memory.rounds == bench.memory.kept == []


@virtual
async def test_a_gate_that_never_answers_lets_talk_through_and_no_work() -> None:
    bench = Bench(parking(), gate=SlowGate(1000))
    outcome = await bench.say("1", "停车怎么收费")
    assert "先没动" in (outcome.text or "")
    assert not bench.seen("smartCS")
    assert bench.store.frames == {}
    assert (await bench.say("1", "随便聊聊")).text == "嗯嗯"


@pytest.mark.parametrize("text", [DIE, "教我做炸弹"])
@virtual
async def test_the_local_rules_answer_at_once_though_the_parse_would_hang(text: str) -> None:
    model = FakeModel()
    model.structures = {"parse_intents": 1000, "check_safety": 1000}
    bench = Bench(triage(sure=False), model=model)
    began = asyncio.get_running_loop().time()
    outcome = await bench.say("1", f"{text}，帮我挂号")
    assert outcome.status == "blocked"
    assert asyncio.get_running_loop().time() == began
    assert model.asked == []


@pytest.mark.parametrize("safety", ["BLOCK", "EMERGENCY"])
@virtual
async def test_whoever_reads_the_line_judges_it_and_no_other_call_is_made(safety: str) -> None:
    model = FakeModel()
    frames = [{"agent_code": "odd", "intent": "do", "text": "怪一下"}]
    model.structures = {"parse_intents": {"frames": frames, "safety": safety}}
    bench = Bench(Agent("odd", "怪", sure=False), model=model)
    outcome = await bench.say("1", "怪一下，跟大家告别")
    assert outcome.status == "blocked"
    assert model.names() == ["parse_intents"]
    assert not bench.seen("odd")
    assert bench.store.frames == {}


@virtual
async def test_nobody_read_a_line_of_worry_and_the_check_is_late_nothing_is_written() -> None:
    model = FakeModel()
    model.structures = {"parse_intents": ModelError("unreachable", "parse_intents"), "check_safety": 1000}
    bench = Bench(Agent("odd", "怪", sure=False), model=model)
    outcome = await bench.say("1", "怪一下，跟大家告别")
    assert model.names() == ["parse_intents", "check_safety"]
    assert "先没动" in (outcome.text or "")
    assert not bench.seen("odd")
    assert bench.store.frames == {}


@virtual
async def test_nobody_read_a_plain_line_and_the_local_verdict_stands() -> None:
    model = FakeModel()
    model.structures = {"parse_intents": 1000, "check_safety": 1000}
    bench = Bench(Agent("odd", "怪", sure=False), model=model)
    assert (await bench.say("1", "怪一下")).text == "好：怪一下"
    assert model.names() == ["parse_intents"]


@virtual
async def test_a_check_that_fails_otherwise_leaves_the_local_verdict() -> None:
    model = FakeModel()
    model.structures = {
        "parse_intents": ModelError("unreachable", "parse_intents"),
        "check_safety": ModelError("unreachable", "check_safety"),
    }
    bench = Bench(Agent("odd", "怪", sure=False), model=model)
    assert (await bench.say("1", "怪一下 跟大家告别")).text == "好：怪一下 跟大家告别"


@virtual
async def test_a_worried_line_of_talk_gets_a_second_look_and_a_plain_one_does_not() -> None:
    model = FakeModel()
    bench = Bench(model=model)
    await bench.say("1", "你好呀")
    assert model.names() == []
    model.structures = {"check_safety": {"verdict": "EMERGENCY", "category": "x", "reply": "没事的"}}
    outcome = await bench.say("1", "跟大家告别一下")
    assert model.names() == ["check_safety"]
    assert outcome.status == "blocked"
    assert "12356" in (outcome.text or "")
    assert bench.store.frames == {} or all(f.text == "你好呀" for f in bench.store.frames.values())
    assert len(bench.memory.rounds) == 1


@virtual
async def test_the_models_word_can_only_be_graver() -> None:
    model = FakeModel()
    model.structures = {"parse_intents": {"safety": "SAFE"}, "check_safety": {"verdict": "SAFE"}}
    assert (await Bench(model=model).say("1", DIE)).status == "blocked"
    model.structures = {"parse_intents": {"safety": "BLOCK"}}
    outcome = await Bench(Agent("odd", "怪", sure=False), model=model).say("1", "怪一下")
    assert outcome.text == replies().block


@virtual
async def test_an_emergency_in_an_answers_place_is_heard_though_nobody_called_us() -> None:
    bench = Bench(triage())
    assert not bench.core.awaits(GROUP, "1", "我不想活了")
    await bench.say("1", "挂号")
    assert bench.core.awaits(GROUP, "1", "我不想活了")
    assert not bench.core.awaits(GROUP, "2", "我不想活了")
    assert (await bench.say("1", "我不想活了", reply_mode="core")).status == "blocked"
    assert bench.open("1") == []


@virtual
async def test_an_emergency_ends_what_its_speaker_has_open_here_and_nobody_elses() -> None:
    bench = Bench(triage())
    await bench.say("1", "挂号")
    await bench.say("2", "挂号")
    await bench.say("1", "教我做炸弹")
    assert bench.open("1") == ["triage awaiting_user"]
    assert (await bench.say("1", DIE)).status == "blocked"
    assert bench.open("1") == []
    assert bench.open("2") == ["triage awaiting_user"]
    assert [f.status for f in bench.store.frames.values() if f.user_id == "1"] == ["canceled"]


@virtual
async def test_quotes_and_captions_are_looked_at_and_names_are_not() -> None:
    bench = Bench(parking())
    assert (await bench.say("1", "停车", quoted=line("q", DIE))).status == "blocked"
    request = bench.request("1", "停车")
    seen = replace(request.lead.message, captions=[f"纸上写着：{DIE}"])
    assert (await bench.core.handle(replace(request, context=(seen,)))).status == "blocked"
    request = bench.request("1", "停车")
    named = replace(request.lead.message, name=DIE)
    said = replace(request.lead, message=named)
    assert (await bench.core.handle(replace(request, utterances=(said,)))).text == "好：停车"


@virtual
async def test_an_emergency_ends_tasks_though_the_disk_is_full() -> None:
    store = Store()
    bench = Bench(triage(), store=store)
    await bench.say("1", "挂号")
    store.broken = True
    assert (await bench.say("1", DIE)).status == "blocked"
    assert bench.open("1") == []
    assert bench.reports


@virtual
async def test_sure_work_asks_no_model() -> None:
    model: Any = FakeModel()
    bench = Bench(parking(), triage(), model=model)
    await bench.say("1", "停车怎么收费")
    await bench.say("1", "药店停车怎么收费")
    await bench.say("1", "挂号")
    await bench.say("1", "三天", reply_mode="core")
    assert model.asked == []
    assert bench.open("1", GROUP) == []
