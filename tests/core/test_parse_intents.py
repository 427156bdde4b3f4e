"""`parse_intents`: what is sent, what of an answer holds, and what happens where there is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from core_support import Agent, Bench, bound_by, ours, triage
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import Intent, Slot, TaskContext, TaskDispatch, TaskResult
from nonebot_plugin_mishu.core.decision.model.reading import ParsedIntents, instructions
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.llm.answers.schema import schema_of
from stand_ins import GROUP, FakeModel
from virtual_time import run_virtually, virtual

ODD = "怪一下"


def odd(**spec: Any) -> Agent:
    intents = (Intent("do", "办怪事", ("怪一下",)), Intent("undo", "撤怪事"))
    return Agent("odd", "怪", sure=False, intents=intents, **spec)


def answering(**answer: Any) -> FakeModel:
    model = FakeModel()
    model.structures = {"parse_intents": answer}
    return model


def frame(code: str = "odd", intent: str = "do", **more: Any) -> dict[str, Any]:
    return {"agent_code": code, "intent": intent, "slots": [], "priority": None, "text": ODD, **more}


def test_the_schema_is_strict_and_asks_for_every_field() -> None:
    found = schema_of(ParsedIntents)
    assert found.strict
    assert found.schema["required"] == ["frames", "intent_ops", "safety"]
    frames = found.schema["properties"]["frames"]["items"]
    assert frames["required"] == ["agent_code", "intent", "slots", "priority", "text"]
    assert frames["properties"]["slots"]["items"]["required"] == ["name", "value"]
    assert found.schema["properties"]["intent_ops"]["items"]["required"] == ["op", "frame", "slot", "value"]


@virtual
async def test_what_is_sent() -> None:
    model = answering(frames=[frame()])
    bench = Bench(triage(), odd(), model=model)
    asked = await bench.say("30001", "挂号")
    await bench.say("30001", ODD, quoted=ours("一句旧话", "x"))
    data = model.of("parse_intents")[0].data
    assert list(data) == [
        *("agents", "history", "summaries", "open_frames", "world", "reading", "quote", "user", "now", "text")
    ]
    assert data["text"] == ODD
    assert data["quote"] == "一句旧话"
    assert data["open_frames"] == [
        {
            "task_id": asked.task_id,
            "agent_code": "triage",
            "intent": "do",
            "slots": {},
            "missing_slots": ["duration"],
            "question": "持续多久了？",
        }
    ]
    assert data["history"] == [
        {"role": "user", "text": "挂号"},
        {"role": "assistant", "text": "持续多久了？"},
    ]
    assert data["agents"] == [
        {"code": "triage", "intents": ["do"]},
        {"code": "odd", "intents": ["do", "undo"]},
        {"code": "chat", "intents": ["chitchat"]},
    ]
    assert data["world"]["members"] == [data["user"]], "whoever speaks is one of them"
    data = {**data, "user": "", "now": "", "world": {**data["world"], "members": []}}
    assert "30001" not in json.dumps(data, ensure_ascii=False)
    assert "10000" not in json.dumps(data, ensure_ascii=False)


def test_the_instructions_name_every_intent() -> None:
    said = instructions([odd().spec, triage().spec])
    for word in ("odd", "undo", "撤怪事", "怪一下", "triage", "duration"):
        assert word in said


@virtual
async def test_frames_of_the_model_carry_its_slots_and_are_not_sure() -> None:
    slots = [{"name": "x", "value": "怪"}, {"name": "_own", "value": "no"}]
    bench = Bench(odd(), model=answering(frames=[frame(intent="undo", slots=slots, priority=1)]))
    assert (await bench.say("1", ODD)).text == f"好：{ODD}"
    dispatch, context = bench.agents["odd"].seen[0]
    assert dict(dispatch.slots) == {"x": "怪"}
    assert dispatch.priority == 4
    assert (context.intent, context.sure, context.actor.user_id) == ("undo", False, "1")


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"frames": [frame("nobody")]},
        {"frames": [frame(intent="else")]},
        {"intent_ops": [{"op": "confirm", "frame": "t-unknown", "slot": None, "value": None}]},
        {"intent_ops": [{"op": "explode", "frame": 7, "slot": None, "value": None}]},
        ModelError("timeout", "parse_intents"),
        ModelError("invalid", "parse_intents"),
        ModelError("breaker_open", "parse_intents"),
        1000,
    ],
)
@virtual
async def test_without_a_usable_answer_the_rules_decide(answer: Any) -> None:
    model = FakeModel()
    model.structures = {"parse_intents": answer}
    bench = Bench(odd(), model=model)
    assert (await bench.say("1", ODD)).text == f"好：{ODD}"
    assert bench.agents["odd"].seen[0][1].intent == "do"
    assert not bench.agents["odd"].seen[0][1].sure


@virtual
async def test_operations_bind_only_what_this_member_has_open() -> None:
    def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is None:
            return TaskResult(dispatch.task_id, "awaiting_user", {}, ("note",), None, "备注？")
        said = f"{context.bound.relation} {dict(context.bound.slots)}"
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    model = FakeModel()
    book = Agent("book", "记", does, answers=bound_by("confirm", "对"), slots=(Slot("note"),))
    bench = Bench(book, odd(), model=model)
    mine = (await bench.say("1", "记一下")).task_id
    theirs = (await bench.say("2", "记一下")).task_id
    ops = [
        {"op": "set_slot", "frame": one, "slot": "note", "value": "怪味"} for one in (theirs, mine, "nobody")
    ]
    model.structures = {"parse_intents": {"frames": [frame("chat", "chitchat")], "intent_ops": ops}}
    assert (await bench.say("1", "怪味的那个")).text == "fills {'note': '怪味'}"
    assert bench.open("2") == ["book awaiting_user"]
    assert bench.open("1") == []


@virtual
async def test_a_cancel_of_the_models() -> None:
    model = FakeModel()
    bench = Bench(triage(), odd(), model=model)
    task_id = (await bench.say("1", "挂号")).task_id
    model.structures = {"parse_intents": {"intent_ops": [{"op": "cancel", "frame": task_id}]}}
    assert "不办了" in ((await bench.say("1", "怪怪的还是别去了")).text or "")
    assert bench.open("1") == []


@virtual
async def test_a_clarify_stops_everything_and_only_asks() -> None:
    asks = {"op": "clarify", "frame": 0, "slot": "x", "value": "哪一个怪？"}
    model = answering(frames=[frame(), frame()], intent_ops=[asks])
    bench = Bench(odd(), model=model)
    outcome = await bench.say("1", ODD)
    assert (outcome.text, outcome.status) == ("哪一个怪？", "awaiting_user")
    assert not bench.agents["odd"].seen
    assert bench.open("1") == ["odd awaiting_user"]
    assert bench.core.awaits(GROUP, "1", "左边的")
    model.structures = {"parse_intents": {"frames": [frame()]}}
    again = await bench.say("1", "左边的", reply_mode="core")
    assert again.text == f"好：{ODD},左边的"
    assert model.of("parse_intents")[-1].data["text"] == f"{ODD},左边的"
    assert bench.open("1") == []


@virtual
async def test_a_clear_order_instead_of_the_answer_ends_the_clarifying() -> None:
    model = answering(intent_ops=[{"op": "clarify", "frame": None, "slot": None, "value": "哪一个？"}])
    bench = Bench(triage(), odd(), model=model)
    await bench.say("1", ODD)
    assert (await bench.say("1", "挂号")).text != "哪一个？"
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
@pytest.mark.parametrize("reply_mode", ["core", "forced"])
async def test_an_answer_in_words_that_no_rule_knows_is_bound_by_the_model(reply_mode: Any) -> None:
    model = answering(frames=[])
    bench = Bench(triage(), odd(), model=model)
    asked = await bench.say("1", "挂号")
    fills = {"op": "set_slot", "frame": asked.task_id, "slot": "duration", "value": "入冬以来"}
    model.structures = {"parse_intents": {"intent_ops": [fills]}}
    assert bench.core.awaits(GROUP, "1", "自打下头场雪")
    await bench.say("1", "自打下头场雪", reply_mode=reply_mode)
    assert [call.data["text"] for call in model.of("parse_intents")] == ["自打下头场雪"]
    assert bench.open("1") == []


FREE = (Slot("what", "哪里不舒服？"), Slot("when", "什么时候？"))


async def heard(line: str, value: str, **spec: Any) -> dict[str, Any]:
    """The slots that an agent is handed where a model put `value` into its slot `what`."""
    slots = [{"name": "what", "value": value}]
    bench = Bench(odd(slots=FREE, **spec), model=answering(frames=[frame(slots=slots, text=line)]))
    await bench.say("1", line)
    return dict(bench.agents["odd"].seen[-1][0].slots)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("怪一下，胃里翻江倒海的想吐", "恶心反胃"),
        ("怪一下，打从吃完那碗面就不对劲", "饭后不适"),
        ("怪一下，屏幕上全是彩色道道", "显示器花屏"),
        ("怪一下，明天下午3点来修空调不冷", "空调不制冷，下午3点"),
        ("怪一下，俩轮子都瘪了", "两个轮胎没气"),
    ],
)
@virtual
async def test_another_plugins_agent_gets_what_a_model_words_otherwise(line: str, value: str) -> None:
    assert await heard(line, value) == {"what": value}


@pytest.mark.parametrize(
    "value",
    [
        "恶心三天了",
        "从昨天开始恶心",
        "下午四点恶心",
        "吃了50块钱的面",
        "恶心，工单 A17",
        "恶心，找Kevin看过",
        "12345678",
    ],
)
@virtual
async def test_no_number_time_sum_or_code_comes_in_with_its_words(value: str) -> None:
    assert await heard("怪一下，胃里翻江倒海的想吐", value) == {}


@virtual
async def test_an_agent_that_keeps_its_members_words_gets_no_others() -> None:
    assert await heard("怪一下，胃里翻江倒海的想吐", "恶心反胃", own_words=True) == {}
    assert await heard("怪一下，胃里翻江倒海的想吐", "想吐", own_words=True) == {"what": "想吐"}


@pytest.mark.parametrize("value", ["三天", "从上周五", "17:00"])
@virtual
async def test_an_answer_that_nobody_gave_is_bound_to_no_question(value: str) -> None:
    model = answering(frames=[])
    bench = Bench(triage(), odd(), model=model)
    asked = await bench.say("1", "挂号")
    fills = {"op": "set_slot", "frame": asked.task_id, "slot": "duration", "value": value}
    model.structures = {"parse_intents": {"intent_ops": [fills]}}
    await bench.say("1", "自打下头场雪")
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_talk_that_nobody_addressed_to_us_is_an_answer_or_nothing() -> None:
    model = answering(frames=[frame()], intent_ops=[])
    bench = Bench(triage(), odd(), model=model)
    await bench.say("1", "挂号")
    outcome = await bench.say("1", "那家店的面真好吃", reply_mode="core")
    assert (outcome.text, outcome.silent) == (None, True)
    assert not bench.agents["odd"].seen
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_a_suggestion_is_a_hint_for_the_next_unsure_line_and_no_route() -> None:
    def suggests(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        return TaskResult(dispatch.task_id, "completed", handoff_suggestion="later", user_response="好")

    model = FakeModel()
    bench = Bench(Agent("first", "甲", suggests), odd(), Agent("later", "怪", sure=False), model=model)
    await bench.say("1", "甲一下")
    await bench.say("1", ODD)
    agents = [one["code"] for one in model.of("parse_intents")[0].data["agents"]]
    assert agents[0] == "later"
    assert bench.seen("later") == [ODD]
    await bench.say("1", ODD)
    assert bench.seen("odd") == [ODD]


KEYS = st.sampled_from(["op", "frame", "slot", "value", "agent_code", "intent", "slots", "name"])
SINGLE = st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=6)
JSON = st.recursive(
    SINGLE | st.sampled_from(["odd", "do", "clarify"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)
LISTS = st.lists(JSON, max_size=3)


@settings(max_examples=60)
@given(st.fixed_dictionaries({}, optional={"frames": LISTS, "intent_ops": LISTS, "safety": JSON}))
def test_whatever_the_model_says_one_member_is_answered(answer: dict[str, Any]) -> None:
    async def live() -> None:
        try:
            ParsedIntents.model_validate(answer)
        except ValueError:
            return  # the client refuses it: a ModelError
        bench = Bench(odd(), triage(), model=answering(**answer))
        await bench.say("2", "挂号")
        outcome = await bench.say("1", ODD)
        assert outcome.text
        assert bench.open("2") == ["triage awaiting_user"]

    run_virtually(live())


@virtual
async def test_a_line_of_talk_right_behind_a_deed_is_read_by_the_model_before_chat() -> None:
    """再加个投影仪: talk to the rules, but meant for us behind what we did for its speaker."""
    model = answering(frames=[frame(intent="do", text="再加个投影仪")])
    bench = Bench(odd(), model=model)
    await bench.say("1", "你好呀", follows_deed=True)
    assert len([call for call in model.asked if call.name == "parse_intents"]) == 1
    assert bench.agents["odd"].seen
