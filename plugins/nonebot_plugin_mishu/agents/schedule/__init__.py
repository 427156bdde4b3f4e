"""Schedules: group plans (seed 0; product section 4).

`machine` is seed 0's diagram, `reading` and `overhearing` are the local rules, `grounding` and `operations`
check models' answers, `executor` changes rows, `handler` connects them. See docs/schedules.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from ...config import Config
from ...llm import ModelClient
from ...storage import Storage
from ..api.builtin_codes import ACTS
from ..api.ports import DayList, TalkLookup
from ..api.references import ListedReferences
from ..api.spec import AgentSpec, Intent, Slot
from .answering import answers
from .day_list import PlansOfDays
from .free.answering import FreeTime
from .free.sources import BusyTimes
from .handler import ScheduleAgent
from .overhearing import listens, overhears
from .reader import read, replies
from .rules import claims, rules
from .search import schedule_thing

CODE: Final = "schedule"
FEATURE: Final = "日程"
"""Feature switch of the agent in a group"""

INTENTS: Final = (
    Intent(
        "add", "新增群日程", ("明天下午三点在会议室开会", "每周三下午三点开例会", "周六下午团建，地点西湖")
    ),
    Intent(
        "query",
        "查询群日程，问谁什么时候有空",
        ("本周日程", "明天有什么安排", "周会是什么时候", "大家周五什么时候都有空"),
        reads_only=True,
    ),
    Intent(
        "edit", "修改群日程，或参加、退出", ("把明天的会改到四点", "聚餐推迟半小时", "我也去", "我不去了")
    ),
    Intent("delete", "删除群日程", ("取消明天的会", "把周五的聚餐删了")),
)
BOUNDARY: Final = (
    "群里大家一起做的事：会议、聚餐、活动等的时间安排，以及参加和退出。"
    "只属于一个人的待办和提醒归 tasks，花钱的事归 bookkeeping。"
)
SLOTS: Final = (
    Slot("new_time", "什么时候？", intents=("add", "edit")),
    Slot("new_description", "要记什么事？", intents=("add", "edit")),
    Slot("old_time", "是哪天的日程？", intents=("query", "edit", "delete")),
    Slot("old_description", "是什么日程？", intents=("query", "edit", "delete")),
    Slot("place", "在哪里？", intents=("add", "edit")),
)


def schedule_spec(
    storage: Storage,
    model: ModelClient,
    config: Config,
    lately: ListedReferences,
    wall: Callable[[], float] = time.time,
    own_tasks: DayList | None = None,
    talk: TalkLookup | None = None,
    free: FreeTime | None = None,
) -> AgentSpec:
    """Specification of the schedule agent. `wall`: wall seconds, as questions outlive the process;
    `own_tasks`: the speaker's tasks beside plans of a day; `talk`: lookup in the chat if no plan is found;
    `free`: answers about free time."""
    agent = ScheduleAgent(storage, model, config, wall, lately, own_tasks, talk, free)
    return AgentSpec(
        code=CODE,
        own_words=True,
        name="日程",
        intents=INTENTS,
        boundary=BOUNDARY,
        handler=agent.handle,
        rules=rules,
        claims=claims,
        acts=ACTS[CODE],
        read=read,
        answers=answers,
        replies=replies,
        slots=SLOTS,
        feature=FEATURE,
        overhears=overhears,
        listens=listens,
        expire=agent.expire,
        drop=agent.drop,
    )


__all__ = [
    "CODE",
    "FEATURE",
    "BusyTimes",
    "FreeTime",
    "PlansOfDays",
    "ScheduleAgent",
    "answers",
    "overhears",
    "read",
    "schedule_spec",
    "schedule_thing",
]
