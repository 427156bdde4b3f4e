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
        "发起投票、报名接龙或统计，问大家去不去、选哪个、要几份：kind 写投票、报名或统计，question 问的事，"
        "options 照抄各选项，用顿号隔，话里没有就不写；limit 名额，closes_at 截止，anonymous 不记名的原话",
        (
            "投个票 周六还是周日去爬山，周五截止",
            "周六羽毛球报名 限8人",
            "爬完山吃啥，涮肉还是烤鸭，大伙儿挑挑",
        ),
        own_mood=True,
        label="发起投票、报名接龙或统计",
    ),
    Intent(
        "answer",
        "对开着的投票、报名、统计的回答：choice 照抄选项，报名、统计写 count，替别人答加 member",
        ("选2", "+1"),
        own_mood=True,
        label="对开着的投票、报名、统计的回答",
    ),
    Intent(
        "show",
        "问统计到哪了、谁报了、谁还没回；poll 写 world.polls 的 id",
        ("投票结果怎么样", "看报名结果", "还有谁没投"),
        reads_only=True,
        label="问统计到哪了、谁还没回",
    ),
    Intent(
        "chase",
        "喊还没投、没报、没回的人；poll 写 world.polls 的 id",
        ("催一下没回的", "把没投的喊一嗓子"),
        own_mood=True,
        label="催还没回的人",
    ),
    Intent(
        "change",
        "改开着的投票、报名、统计：question 新名字，limit 名额，closes_at 截止，options 要加的选项；"
        "poll 写 world.polls 的 id",
        ("投票改到周六截止", "名额卡死7个", "报名的名字改成香山爬山"),
        own_mood=True,
        label="改名字、截止时间、名额，加选项",
    ),
    Intent(
        "close", "截止、出结果；poll 写 world.polls 的 id", ("截止投票",), own_mood=True, label="截止、出结果"
    ),
    Intent(
        "delete",
        "删掉一个投票、报名或统计；poll 写 world.polls 的 id",
        ("取消投票",),
        own_mood=True,
        label="删掉一个投票、报名或统计",
    ),
    Intent(
        "follow",
        "把结果变成日程、任务或分摊（into）；poll 写 world.polls 的 id",
        ("排进日程",),
        own_mood=True,
        label="把结果变成日程、任务或分摊",
    ),
)
_OF_A_POLL: Final = ("answer", "show", "chase", "change", "close", "delete", "follow")
SLOTS: Final = (
    Slot("poll", intents=_OF_A_POLL),
    Slot("choice", intents=("answer",)),
    Slot("count", intents=("answer",)),
    Slot("member", intents=("answer",)),
    Slot("kind", intents=("make",)),
    Slot("question", intents=("make", "change")),
    Slot("options", intents=("make", "change")),
    Slot("limit", intents=("make", "change")),
    Slot("closes_at", intents=("make", "change")),
    Slot("anonymous", intents=("make", "change")),
    Slot("into", intents=("follow",)),
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
