"""Agents of other plugins whose callbacks raise or return rubbish: the line goes on, the log tells of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import (
    AgentFrame,
    AgentRefused,
    AgentSpec,
    AnswerMatch,
    Clause,
    FrameRecord,
    Intent,
    Match,
    RegisteredAgents,
    Registry,
    Situation,
    Slot,
    SlotFrame,
    TaskContext,
    TaskDispatch,
    TaskResult,
    register_agent,
)
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.storage.records import Conversation

from benchmarks.understanding import NOW

CLAUSE = Clause("打酱油", Situation(NOW))


def boom(*_: Any) -> Any:
    raise ZeroDivisionError("甲的秘密")


def rubbish(*_: Any) -> Any:
    return 7


async def done(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed")


async def boom_later(dispatch: TaskDispatch) -> TaskResult:
    raise ZeroDivisionError


def spec(**changed: Any) -> AgentSpec:
    values: dict[str, Any] = {
        "code": "soy",
        "name": "酱油",
        "intents": (Intent("buy", "打酱油"),),
        "boundary": "打酱油",
        "handler": done,
        "rules": lambda clause: Match("buy", 3) if "酱油" in clause.text else None,
        "slots": (Slot("much", "多少？"),),
    }
    return AgentSpec(**{**values, **changed})


def joined(told: list[str], *specs: AgentSpec) -> RegisteredAgents:
    return RegisteredAgents(
        Registry(), Registry(specs), lambda what, error: told.append(f"{what}：{type(error).__name__}")
    )


def asked(task_id: str = "t1") -> FrameRecord:
    return FrameRecord(
        task_id=task_id,
        conversation=Conversation("1", "group", "2"),
        user_id="3",
        agent_code="soy",
        intent="buy",
        text="打酱油",
        status="awaiting_user",
        priority=4,
        focus=False,
        origin="o",
        message_id="m",
        place=0,
        slots={},
        created_at=0.0,
        updated_at=0.0,
    )


@pytest.mark.parametrize("broken", [boom, rubbish])
@pytest.mark.parametrize("callback", ["rules", "read", "answers", "replies", "overhears", "listens"])
def test_a_broken_callback_has_nothing_to_say(callback: str, broken: Callable[..., Any]) -> None:
    told: list[str] = []
    (agent,) = joined(told, spec(**{callback: broken}))
    calls: dict[str, Callable[[], Any]] = {
        "rules": lambda: agent.rules(CLAUSE),
        "read": lambda: dict(agent.frame("buy", CLAUSE).slots),
        "answers": lambda: agent.answers and agent.answers(asked(), CLAUSE),
        "replies": lambda: agent.replies and dict(agent.replies(asked(), CLAUSE).slots),
        "overhears": lambda: agent.overhears and agent.overhears(CLAUSE),
        "listens": lambda: agent.listens and agent.listens("打酱油"),
    }
    found = calls[callback]()
    if broken is rubbish and callback in ("overhears", "listens"):
        assert found is True  # 7 is a yes
        return
    assert not found
    error = "ZeroDivisionError" if broken is boom else "WrongReturn"
    assert told == [f"智能体 soy 的 {callback} 出错（第 1 次）：{error}"]


def test_an_intent_that_the_agent_does_not_have_is_none() -> None:
    told: list[str] = []
    (agent,) = joined(told, spec(rules=lambda clause: Match("sell", 3)))
    assert agent.rules(CLAUSE) is None
    assert len(told) == 1


def test_a_slot_reader_that_raises_reads_nothing() -> None:
    told: list[str] = []
    (agent,) = joined(told, spec(slots=(Slot("much", "多少？", read=boom),)))
    assert agent.slots[0].read is not None
    assert agent.slots[0].read(CLAUSE) is None
    assert told == ["智能体 soy 的 much.read 出错（第 1 次）：ZeroDivisionError"]


def test_a_line_is_read_by_the_others_where_one_raises() -> None:
    told: list[str] = []
    good = spec(code="vinegar", name="醋", rules=lambda clause: Match("buy", 3))
    reading = read("打酱油", Situation(NOW), joined(told, spec(rules=boom, read=boom), good))
    assert [frame.agent_code for frame in reading.frames] == ["vinegar"]


def test_a_broken_agent_fills_no_log() -> None:
    told: list[str] = []
    (agent,) = joined(told, spec(rules=boom))
    for _ in range(100):
        agent.rules(CLAUSE)
    assert [each.split("第 ")[1].split(" ")[0] for each in told] == ["1", "10", "100"]


def test_a_question_is_given_up_after_two_lines_that_nobody_could_read() -> None:
    (agent,) = joined([], spec(answers=boom))
    assert agent.answers is not None
    for line in ("三斤", "三斤", "四斤"):
        assert not agent.gives_up("t1")
        agent.answers(asked(), replace(CLAUSE, text=line))
    assert agent.gives_up("t1")
    assert not agent.gives_up("t2")


def test_what_a_good_agent_says_comes_through() -> None:
    told: list[str] = []

    mine: AgentFrame = SlotFrame({"much": "三斤"})
    answer = AnswerMatch("fills", {"much": "三斤"})
    (agent,) = joined(told, spec(read=lambda intent, clause: mine, answers=lambda frame, clause: answer))
    assert agent.rules(CLAUSE) == Match("buy", 3)
    assert agent.read("buy", CLAUSE) is mine
    assert agent.answers is not None
    assert agent.answers(asked(), CLAUSE) is answer
    assert told == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"handler": None}, "handler is an async function"),
        ({"handler": lambda dispatch, context: None}, "handler is an async function"),
        ({"rules": "酱油"}, "rules is a function"),
        ({"answers": 1}, "answers is a function"),
        ({"expire": rubbish}, "expire is an async function"),
        ({"priority": 9}, "priority is one of Priority"),
        ({"intents": Intent("buy", "打酱油")}, "intents is a tuple of Intent"),
        ({"intents": (Intent("", "打酱油"),)}, "an intent has a name"),
        ({"slots": (Slot("much"), Slot("much"))}, "two slots have the same name"),
        ({"acts": {"sell": "make"}}, "acts name unknown intents: sell"),
        ({"name": " "}, "a name for people"),
        ({"name": "日程"}, "one of Mishu's own"),
        ({"feature": "提醒"}, "one of Mishu's own"),
        ({"code": "reminders"}, "one of Mishu's own"),
        ({"code": 7}, "a code is letters"),
        ({"name": None}, "name is text"),
        ({"boundary": None}, "boundary is text"),
        ({"feature": ""}, "feature is the name of a switch"),
        ({"rules": lambda: None}, "rules takes 1 argument"),
        ({"rules": done}, "rules is a function .and not an async one"),
        ({"read": lambda clause: {}}, "read takes 2 arguments"),
        ({"handler": boom_later}, "handler takes 2 arguments"),
        ({"undo": rubbish}, "undo is an async function"),
        ({"intents": (Intent("buy", "打酱油"), Intent("buy", "再打"))}, "two intents have the same name"),
        ({"intents": (Intent("buy", 7),)}, "a name and a description, both text"),
        ({"intents": (Intent("buy", "打酱油", "打酱油"),)}, "is a tuple of sentences"),
        ({"intents": (Intent("buy", "打酱油", handler=done),)}, "not both"),
        (
            {"handler": None, "intents": (Intent("buy", "打酱油", handler=boom),)},
            "handler of the intent 'buy'",
        ),
        ({"intents": (Intent("buy", "打酱油", act="eat"),)}, "an act is one of make, change"),
        ({"slots": (Slot("_much"),)}, "starts with _"),
        ({"slots": (Slot("much", 7),)}, "a slot has a name and a question"),
        ({"slots": (Slot("much", read=done),)}, "read of the slot 'much' is a function of a clause"),
        ({"slots": ("much",)}, "slots is a tuple of Slot"),
        ({"memory": 3}, "memory is a MemoryPolicy"),
        ({"acts": ("buy",)}, "acts is a mapping"),
    ],
)
def test_a_half_made_agent_is_refused_with_a_sentence(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(AgentRefused, match=words):
        register_agent(spec(**changed))


def test_what_is_no_spec_is_refused() -> None:
    with pytest.raises(AgentRefused, match="takes an AgentSpec, not dict"):
        register_agent({"code": "soy"})  # type: ignore[arg-type]
