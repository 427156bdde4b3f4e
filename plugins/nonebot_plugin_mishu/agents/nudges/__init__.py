"""Nudges: one member asks another, politely and by name (docs/following_up.md)."""

from __future__ import annotations

from typing import Final

from ...storage.reminders.records import NUDGE
from ..api.builtin_codes import ACTS
from ..api.spec import AgentSpec, Intent, Slot
from .due import NudgeNews
from .executor import NudgeExecutor, NudgeRefused
from .handler import NudgeAgent
from .reader import read
from .rules import claims, rules

CODE: Final = NUDGE
FEATURE: Final = "催办"
INTENTS: Final = (
    Intent(
        "nudge",
        "替说话人催群里另一位成员",
        ("帮我催一下阿凯交方案", "催阿凯还钱", "每天催小雅一次直到她交"),
        own_mood=True,
    ),
    Intent("stop", "不再催那位成员，或不再催说话人", ("别催阿凯了", "别催我了"), own_mood=True),
    Intent("show", "问在替说话人催谁", ("我都在催谁",), reads_only=True),
)
SLOTS: Final = (
    Slot("member"),
    Slot("what", intents=("nudge",)),
    Slot("time", intents=("nudge",)),
    Slot("recurrence", intents=("nudge",)),
)
"""For a model only."""


def nudges_spec(executor: NudgeExecutor) -> AgentSpec:
    """Specification of the agent."""
    return AgentSpec(
        code=CODE,
        own_words=True,
        name=FEATURE,
        intents=INTENTS,
        boundary="在群里替说话人催另一位成员：交东西、还钱、回话。提醒自己和给别人派任务归任务。",
        handler=NudgeAgent(executor).handle,
        rules=rules,
        claims=claims,
        read=read,
        slots=SLOTS,
        acts=ACTS[CODE],
        feature=FEATURE,
    )


__all__ = ["CODE", "FEATURE", "NudgeAgent", "NudgeExecutor", "NudgeNews", "NudgeRefused", "nudges_spec"]
