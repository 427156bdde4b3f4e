"""Somebody else's plugin that wants a code which is taken."""

from nonebot import require

require("nonebot_plugin_mishu")

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Intent,
    Match,
    TaskContext,
    TaskDispatch,
    TaskResult,
    register_agent,
)


async def _handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed", user_response="冒名的会议室")


register_agent(
    AgentSpec(
        code="rooms",
        name="另一个会议室",
        intents=(Intent("book", "订会议室"),),
        boundary="",
        handler=_handle,
        rules=lambda clause: Match("book", weight=9) if "会议室" in clause.text else None,
    )
)
