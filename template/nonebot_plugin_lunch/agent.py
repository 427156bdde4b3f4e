"""The agent: what it understands, what it does, how it is undone."""

from __future__ import annotations

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Ask,
    Clause,
    Intent,
    Match,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Undo,
    number_in,
)

from .orders import Order, Orders

MOST = 20
"""Lunches that one member may order at a time."""


def rules(clause: Clause) -> Match | None:
    """Pure and quick: is this clause ours, and which intent?"""
    text = clause.text
    if "报餐" not in text and not ("饭" in text and "份" in text):
        return None
    if "取消" in text or "不报" in text:
        return Match("cancel", weight=3)
    if "几份" in text or "多少份" in text or "谁报" in text:
        return Match("count", weight=3)
    return Match("order", weight=3) if "报" in text else None


def read(intent: str, clause: Clause) -> dict[str, object]:
    """Pure: the slots that a clause fills."""
    count = number_in(clause)
    return {} if count is None else {"count": count}


def lunch_spec(orders: Orders) -> AgentSpec:
    """The agent over its orders."""

    def today(context: TaskContext) -> tuple[str, str]:
        return context.conversation.peer, context.now.date().isoformat()

    async def order(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        task, bound = dispatch.task_id, context.bound
        count = dispatch.slots.get("count")
        if bound is not None and bound.relation == "deny":
            return TaskResult(task, "canceled", user_response="好，没有报。")
        if not isinstance(count, int) or not 0 < count <= MOST:
            asks = "报几份？" if count is None else f"一次报 1 到 {MOST} 份，报几份？"
            return TaskResult(task, "awaiting_user", {"count": None}, ("count",), user_response=asks)
        if bound is None or bound.relation != "confirm":
            asks = f"午饭报 {count} 份，对吗？"
            return TaskResult(task, "awaiting_user", {"count": count}, user_response=asks, ask=Ask("do"))
        group, day = today(context)
        me = context.actor
        orders.add(Order(context.origin, group, day, me.user_id, me.name, count))
        context.undoable(f"报餐 {count} 份", {"origin": context.origin})
        context.acted("lunch.order", {"count": count}, {"day": day})
        said = f"报好了，午饭 {count} 份。说「撤销」就收回。"
        return TaskResult(task, "completed", {"count": count}, user_response=said)

    async def cancel(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        mine = [each for each in orders.of(*today(context)) if each.user_id == context.actor.user_id]
        if not mine:
            return TaskResult(dispatch.task_id, "completed", user_response="你今天没有报餐。")
        orders.remove(*(each.origin for each in mine))
        count = sum(each.count for each in mine)
        return TaskResult(dispatch.task_id, "completed", user_response=f"取消了你的午饭 {count} 份。")

    async def count(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        found = orders.of(*today(context))
        if not found:
            return TaskResult(dispatch.task_id, "completed", user_response="今天还没有人报餐。")
        each = "，".join(f"{one.name} {one.count} 份" for one in found)
        total = sum(one.count for one in found)
        said = f"今天午饭一共 {total} 份：{each}。"
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    async def undo(undo: Undo) -> str | None:
        orders.remove(str(undo.token["origin"]))
        return None

    return AgentSpec(
        code="lunch",
        name="报餐",
        intents=(
            Intent("order", "报今天的午饭几份", ("报餐两份", "帮我报餐"), act="make", handler=order),
            Intent("cancel", "取消自己今天报的午饭", ("取消报餐",), act="delete", handler=cancel),
            Intent("count", "问今天报了几份午饭", ("今天报了几份饭",), reads_only=True, handler=count),
        ),
        boundary="只数今天的午饭报几份；吃什么、多少钱不归它。",
        rules=rules,
        read=read,
        slots=(Slot("count", "报几份？", required=True, intents=("order",), read=number_in),),
        feature="报餐",
        undo=undo,
    )
