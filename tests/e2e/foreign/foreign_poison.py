"""Another plugin's agent that ends the whole process at its work: what nobody foresaw of a line."""

import asyncio
import os
import signal

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


def rules(clause: Clause) -> Match | None:
    """Its word."""
    return Match("mix", weight=3) if "配毒药" in clause.text else None


async def handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    """Once the line is on disk."""
    await asyncio.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)
    return TaskResult(dispatch.task_id, "completed")


register_agent(
    AgentSpec(
        code="poison",
        name="毒药",
        intents=(Intent("mix", "配一副毒药", ("帮我配毒药",)),),
        boundary="只配毒药。",
        handler=handle,
        rules=rules,
    )
)
