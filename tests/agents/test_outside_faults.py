"""Agents of other plugins whose every callback raises, hangs, returns rubbish or wants to end the process:
our own work goes on, and the log names the agent."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from default_run import first
from nonebot_plugin_mishu.agents import (
    AgentSpec,
    AnswerMatch,
    Intent,
    Match,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Undo,
)
from nonebot_plugin_mishu.agents.api import guard
from nonebot_plugin_mishu.testing import Desk

HANG = 0.05
"""Seconds a pure callback is given in these tests."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LONGEST", HANG)
    monkeypatch.setattr(guard, "LONGEST_STEP", 4 * HANG)


def raises(*_: Any) -> Any:
    raise ZeroDivisionError("甲的秘密")


def returns_rubbish(*_: Any) -> Any:
    return object()


def leaves(*_: Any) -> Any:
    raise SystemExit(3)


def loops(*_: Any) -> Any:
    while True:
        pass


def loops_over_errors(*_: Any) -> Any:
    while True:
        try:
            time.sleep(60)
        except Exception:  # noqa: BLE001 - what a careless author writes
            continue


def backtracks(*_: Any) -> Any:
    return re.fullmatch("(?:a|a)*b", "a" * 60)


FAULTS = [raises, returns_rubbish, leaves, loops, loops_over_errors, backtracks]
NAMES = [fault.__name__ for fault in FAULTS]


def awaited(fault: Callable[..., Any]) -> Callable[..., Any]:
    async def callback(*given: Any) -> Any:
        await asyncio.sleep(0)
        return fault(*given)

    return callback


async def asks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "awaiting_user", {}, ("much",), user_response="要多少？")


def soy(**changed: Any) -> AgentSpec:
    values: dict[str, Any] = {
        "code": "soy",
        "name": "酱油",
        "intents": (Intent("buy", "打酱油", ("打酱油",), act="make"),),
        "boundary": "打酱油",
        "handler": asks,
        "rules": lambda clause: Match("buy", 3) if "酱油" in clause.text else None,
        "slots": (Slot("much", "要多少？", required=True),),
    }
    return AgentSpec(**{**values, **changed})


async def works(desk: Desk) -> None:
    """Our own work: something is kept, and found again."""
    made = await desk.call("小红", "提醒我明天20:00寄信")
    assert made.text is not None
    assert "寄信" in made.text
    listed = await desk.call("小红", "我有什么任务")
    assert listed.text is not None
    assert "寄信" in listed.text


@first(2)
@pytest.mark.parametrize("fault", FAULTS, ids=NAMES)
@pytest.mark.parametrize(
    "callback", ["rules", "read", "answers", "replies", "overhears", "listens", "Slot.read"]
)
async def test_a_pure_callback(callback: str, fault: Callable[..., Any]) -> None:
    changed: dict[str, Any] = {callback: fault}
    if callback == "Slot.read":
        changed = {"slots": (Slot("much", "要多少？", required=True, read=fault),)}
    if callback == "replies":
        changed["answers"] = lambda frame, clause: AnswerMatch("fills")
    if callback == "listens":
        changed["overhears"] = lambda clause: False
    async with Desk.open(soy(**changed), strict=False) as desk:
        await desk.call("小明", "打酱油")
        for line in ("三斤", "四斤", "五斤"):
            await desk.say("小明", line)
            await desk.call("小明", line)
        await desk.say("小红", "今天的酱油真咸")
        await works(desk)
        told = [line for line in desk.errors if "soy" in line]
        quiet = fault is returns_rubbish and callback in ("overhears", "listens", "Slot.read")
        assert bool(told) is not quiet, desk.errors
        assert not any("秘密" in line for line in desk.errors)
        if callback == "answers":
            assert await desk.questions("小明") == ()


@first(2)
@pytest.mark.parametrize("fault", FAULTS, ids=NAMES)
async def test_a_handler(fault: Callable[..., Any]) -> None:
    async with Desk.open(soy(handler=awaited(fault)), strict=False) as desk:
        both = await desk.call("小明", "打酱油，再提醒我明天20:00取快递")
        assert both.text is not None
        assert "没办成" in both.text
        assert "取快递" in both.text
        await works(desk)
        assert any("智能体 soy" in line for line in desk.errors)


@first(2)
@pytest.mark.parametrize("fault", FAULTS, ids=NAMES)
@pytest.mark.parametrize("callback", ["expire", "drop"])
async def test_what_is_called_when_a_question_ends(callback: str, fault: Callable[..., Any]) -> None:
    async with Desk.open(soy(**{callback: awaited(fault)}), strict=False) as desk:
        await desk.call("小明", "打酱油")
        if callback == "expire":
            await desk.later(minutes=11)
        else:
            await desk.recall(desk.said("小明"))
        assert await desk.questions("小明") == ()
        await works(desk)
        told = any("智能体 soy" in line for line in desk.errors)
        assert told is not (fault is returns_rubbish and callback == "drop")


@first(2)
@pytest.mark.parametrize("fault", FAULTS, ids=NAMES)
async def test_an_undo(fault: Callable[..., Any]) -> None:
    async def buys(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.undoable("打了酱油", {"number": 1})
        return TaskResult(dispatch.task_id, "completed", user_response="打好了。")

    undo: Callable[[Undo], Any] = awaited(fault)
    async with Desk.open(soy(handler=buys, undo=undo), strict=False) as desk:
        await desk.call("小明", "打酱油")
        undone = await desk.call("小明", "撤销")
        assert undone.text is not None
        assert "没撤销成" in undone.text
        assert any("soy 的 undo 出错" in line for line in desk.errors)
        await works(desk)


async def test_a_hang_is_broken_off_and_the_agent_set_aside() -> None:
    asked = 0

    def hangs(clause: object) -> None:
        nonlocal asked
        asked += 1
        loops()

    async with Desk.open(soy(rules=hangs), strict=False) as desk:
        for _ in range(5):
            await desk.call("小明", "打酱油")
        assert asked == guard.HANGS
        assert sum("到下次启动前不再问它" in line for line in desk.errors) == 1
        await works(desk)


async def test_where_nothing_can_be_broken_off_the_log_is_told_while_it_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "_can_interrupt", lambda: False)
    monkeypatch.setattr(guard, "_LOOKS", 0.01)
    told: list[str] = []
    held = guard.Guard("soy", told.append)

    def waits() -> None:
        while not told:
            time.sleep(0.01)

    held.run("rules", waits)
    assert told == ["智能体 soy 的 rules 卡住了，别的事都在等它；这里打断不了它"]
    assert held.pace.hangs == 1


async def test_a_cancellation_reaches_a_guarded_handler() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("ended")

    task = asyncio.create_task(guard.Guard("soy", ended.append).stepwise("handler", waits)())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["ended"]


async def test_who_says_that_it_was_cancelled_and_was_not() -> None:
    async def pretends() -> None:
        raise asyncio.CancelledError

    with pytest.raises(guard.Left):
        await guard.Guard("soy", print).stepwise("handler", pretends)()


RUBBISH: list[dict[str, Any]] = [
    {"status": "finished"},
    {"status": "completed", "user_response": 7},
    {"status": "completed", "slots_update": ["much"]},
    {"status": "completed", "slots_update": {1: 2}},
    {"status": "awaiting_user", "missing_slots": 5},
    {"status": "awaiting_user", "ask": "of 小红"},
    {"status": "completed", "user_response": "\ud800"},
]


@pytest.mark.parametrize("values", RUBBISH, ids=[str(sorted(each.items())) for each in RUBBISH])
async def test_a_result_that_is_none(values: dict[str, Any]) -> None:
    async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        return TaskResult(dispatch.task_id, **values)

    async with Desk.open(soy(handler=does), strict=False) as desk:
        reply = await desk.call("小明", "打酱油")
        assert reply.text is not None
        assert "没办成" in reply.text
        assert desk.errors == ["智能体 soy 出错：WrongReturn"]
        await works(desk)


@pytest.mark.parametrize(
    ("name", "value"),
    [("reason", 7), ("keep_until", float("nan")), ("keep_until", "soon"), ("pictures", ["no picture"])],
)
async def test_rubbish_in_the_context(name: str, value: Any) -> None:
    async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        setattr(context, name, value)
        return TaskResult(dispatch.task_id, "awaiting_user", {}, ("much",), user_response="要多少？")

    async with Desk.open(soy(handler=does), strict=False) as desk:
        await desk.call("小明", "打酱油")
        assert desk.errors == ["智能体 soy 出错：WrongReturn"]
        assert await desk.questions() == ()
        await works(desk)
