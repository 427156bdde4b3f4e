"""What is said behind a new task: what was guessed, and what of the order one task cannot keep."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..ahead import ahead_in
from ..errand import Errand
from ..frame import GUESSED
from ..timing import guessed
from .calls import Result
from .when import Wish

NO_REMINDERS: Final = "这里把提醒关了，到点我不会出声；管理员可以用「/秘书 开关 提醒 开」打开。"
_ONE_LEAD: Final = "一件事只能提前提醒一次，先按提前{kept}记的；提前{left}的没有记，要的话另说一次。"


def remarked(result: Result, wish: Wish, errand: Errand) -> Result:
    """The result with what must be said beside it."""
    if result.kind != "done":
        return result
    said = [result.said]
    ahead = ahead_in(errand.text) if errand.open is None else None
    if ahead is not None and ahead.further:
        said.append(_ONE_LEAD.format(kept=ahead.words, left="、".join(ahead.further)))
    if errand.open is None and wish.reminded and guessed(errand.clause):
        said.append(GUESSED)
    return unheard(replace(result, said="\n".join(said)), errand)


def unheard(result: Result, errand: Errand) -> Result:
    """The result, where 提醒 is switched off with the word that nothing will be heard."""
    silent = not errand.reminders and any(task.fields.remind_at for task in result.tasks)
    return (
        replace(result, said=f"{result.said}\n{NO_REMINDERS}") if silent and result.kind == "done" else result
    )
