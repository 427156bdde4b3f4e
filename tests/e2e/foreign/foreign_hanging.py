"""An agent of somebody else's that does not come back: its rules of some lines, its handler of others."""

from nonebot import require

require("nonebot_plugin_mishu")

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Clause,
    Intent,
    Match,
    TaskContext,
    TaskDispatch,
    TaskResult,
    register_agent,
)


def _rules(clause: Clause) -> Match | None:
    while "树懒" in clause.text:
        pass
    return Match("sleep", 3) if "考拉" in clause.text else None


async def _handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    while True:
        pass


register_agent(
    AgentSpec(
        code="sloth",
        name="树懒",
        intents=(Intent("sleep", "睡觉", ("叫考拉睡觉",), own_mood=True),),
        boundary="只管睡觉",
        rules=_rules,
        handler=_handle,
    )
)
