"""Remarks after a new task: guessed values and unavailable reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from ....language.recognise.times import WITHIN_A_DAY
from ...api.frame import GUESSED
from ...api.task_context import TaskContext
from ..frames import Creation
from ..model.calls import Result

NO_CLOCK: Final = "（没说几点，先按 {clock}）"
NO_REMINDERS: Final = "这里把提醒关了，到点我不会出声；管理员发「/秘书 开关 提醒 开」就打开。"


def remarked(result: Result, order: Creation | None, context: TaskContext) -> Result:
    """Result with its remarks; `order`: the new order, if any."""
    if result.kind != "done":
        return result
    said = [result.said]
    if order is not None and order.guessed:
        said.append(GUESSED)
    elif order is not None and (clock := _assumed(result, order)):
        said.append(NO_CLOCK.format(clock=clock))
    return unheard(replace(result, said="\n".join(said)), context)


def _assumed(result: Result, order: Creation) -> str:
    """Default clock of a reminder with only a day; empty if a time was given."""
    wish = order.draft.wish
    told = any(each is not None for each in (wish.start, wish.segment, wish.remind_at))
    recurrence = wish.recurrence or {}
    told = told or "count" in recurrence or recurrence.get("freq") in WITHIN_A_DAY  # 每隔3小时: no guess
    calls = [task.fields.remind_at for task in result.tasks if task.fields.remind_at]
    return (
        "" if told or not wish.reminded or not calls else datetime.fromisoformat(calls[0]).strftime("%H:%M")
    )


def unheard(result: Result, context: TaskContext) -> Result:
    """Result with a warning if reminders are switched off."""
    silent = not context.reminders and any(task.fields.remind_at for task in result.tasks)
    return (
        replace(result, said=f"{result.said}\n{NO_REMINDERS}") if silent and result.kind == "done" else result
    )
