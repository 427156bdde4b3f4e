"""Two agents of somebody else's: one that asks, notes and expires, one that breaks."""

import re

from nonebot import require

require("nonebot_plugin_mishu")

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    AnswerMatch,
    Clause,
    Intent,
    Match,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    register_agent,
)
from nonebot_plugin_mishu.storage.records import FrameRecord  # noqa: E402

SECRET = "暗号-7f3a9c"
"""Stands in the error of the agent that breaks; nobody in a group may see it."""
OVER = "快递的事先放下了，要取再叫我。"


def _locker(clause: Clause) -> str | None:
    found = re.search(r"(\d+)\s*号柜", clause.text)
    return found.group(1) if found else None


def _found(clause: Clause) -> dict[str, str]:
    locker = _locker(clause)
    return {} if locker is None else {"locker": locker}


async def _fetch(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    slots = {**dispatch.slots, **(context.bound.slots if context.bound else {})}
    if "locker" not in slots:
        noted = {**slots, "_seen": 1}
        return TaskResult(dispatch.task_id, "awaiting_user", noted, ("locker",), user_response="在几号柜？")
    context.acted("fetch", {"locker": slots["locker"]}, {"by": context.actor.user_id})
    said = f"{context.actor.name} 的快递在 {slots['locker']} 号柜，记下了。"
    return TaskResult(dispatch.task_id, "completed", slots, user_response=said)


def _answer(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    found = _found(clause)
    return AnswerMatch("fills", found) if found else None


async def _over(frame: FrameRecord) -> str | None:
    return OVER


async def _break(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    raise RuntimeError(f"Traceback of mine: {SECRET}")


register_agent(
    AgentSpec(
        code="parcels",
        name="快递",
        intents=(Intent("fetch", "取快递", ("帮我取快递",)),),
        boundary="只管取快递。",
        handler=_fetch,
        rules=lambda clause: Match("fetch", weight=3) if "取快递" in clause.text else None,
        read=lambda intent, clause: _found(clause),
        answers=_answer,
        slots=(Slot("locker", "在几号柜？", required=True, read=_locker),),
        expire=_over,
    )
)
register_agent(
    AgentSpec(
        code="printer",
        name="打印机",
        intents=(Intent("print", "打印", ("打印一份合同",)),),
        boundary="只管打印机。",
        handler=_break,
        rules=lambda clause: Match("print", weight=3) if "打印机" in clause.text else None,
    )
)


def _broken(*_: object) -> bool:
    raise ZeroDivisionError(SECRET)


async def _ask(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "awaiting_user", {}, ("herb",), user_response="要几把香菜？")


async def _nothing(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return {"status": "done"} if "礼物" in context.text else TaskResult(dispatch.task_id, "completed")


register_agent(
    AgentSpec(
        code="vandal",
        name="捣蛋",
        intents=(Intent("break", "捣蛋"),),
        boundary="每句话都出错。",
        handler=_nothing,
        rules=_broken,
        overhears=_broken,
        listens=_broken,
    )
)
register_agent(
    AgentSpec(
        code="herbs",
        name="香菜",
        intents=(Intent("bring", "来个香菜"),),
        boundary="问了就听不懂回答。",
        handler=_ask,
        rules=lambda clause: Match("bring", weight=3) if "香菜" in clause.text else None,
        read=_broken,
        answers=_broken,
        slots=(Slot("herb", "要几把香菜？", required=True),),
    )
)
register_agent(
    AgentSpec(
        code="gifts",
        name="包装",
        intents=(Intent("wrap", "包装"),),
        boundary="办完不说话，或者返回的不是结果。",
        handler=_nothing,
        rules=lambda clause: Match("wrap", weight=3) if "包装" in clause.text else None,
    )
)
