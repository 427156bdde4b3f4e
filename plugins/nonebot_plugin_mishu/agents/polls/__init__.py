"""Polls: votes, sign-ups, counts of a group (docs/polls.md)."""

from __future__ import annotations

from typing import Final

from ..api.builtin_codes import ACTS
from ..api.spec import AgentSpec, Intent, Slot
from .answering import answers
from .board import PollBoard, strict
from .due import PollNews
from .executor import PollExecutor, PollRefused
from .handler import PollAgent
from .reader import read
from .rules import claims, rules

CODE: Final = "polls"
FEATURE: Final = "统计"
INTENTS: Final = (
    Intent(
        "make",
        "发起投票、报名接龙或统计",
        ("投个票 周六还是周日去爬山，周五截止", "周六羽毛球报名 限8人"),
        own_mood=True,
    ),
    Intent(
        "answer",
        "对开着的投票、报名、统计的回答：choice 照抄选项，报名、统计写 count，替别人答加 member",
        ("选2", "+1"),
        own_mood=True,
        label="对开着的投票、报名、统计的回答",
    ),
    Intent("show", "问统计到哪了、谁还没回", ("投票结果怎么样", "还有谁没投"), reads_only=True),
    Intent("chase", "催还没回的人", ("催一下没回的",), own_mood=True),
    Intent("change", "改截止时间、名额，加选项", ("投票改到周六截止", "名额改成10人"), own_mood=True),
    Intent("close", "截止、出结果", ("截止投票",), own_mood=True),
    Intent("delete", "删掉一个投票、报名或统计", ("取消投票",), own_mood=True),
    Intent("follow", "把结果变成日程、任务或分摊", ("排进日程",), own_mood=True),
)
SLOTS: Final = (
    Slot("poll", intents=("answer",)),
    Slot("choice", intents=("answer",)),
    Slot("count", intents=("answer",)),
    Slot("member", intents=("answer",)),
    Slot("kind", intents=("make",)),
    Slot("question", intents=("make",)),
    Slot("options", intents=("make", "change")),
    Slot("limit", intents=("make", "change")),
    Slot("closes_at", intents=("make", "change")),
    Slot("anonymous", intents=("make",)),
)
"""For a model only."""


def polls_spec(executor: PollExecutor) -> AgentSpec:
    """Specification of the agent."""
    agent = PollAgent(executor)
    return AgentSpec(
        code=CODE,
        own_words=True,
        name=FEATURE,
        intents=INTENTS,
        boundary="在群里问大家：投票、报名接龙、统计份数，以及对它们的回答和催促。日程、任务、账目归各自的助手。",
        handler=agent.handle,
        rules=rules,
        claims=claims,
        read=read,
        answers=answers,
        slots=SLOTS,
        acts=ACTS[CODE],
        insertable=True,
        feature=FEATURE,
        undo=agent.undo,
    )


__all__ = [
    "CODE",
    "FEATURE",
    "PollAgent",
    "PollBoard",
    "PollExecutor",
    "PollNews",
    "PollRefused",
    "polls_spec",
    "strict",
]
