"""The local decision: a plain request from its text to its frames, without slots, model or database."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

import nonebot

from .measurement import Measurement

ROUNDS = 20
GOAL_MS = 1.0
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
REQUESTS = (
    "明天下午三点开会",
    "提醒我明天下午三点去拿一下快递",
    "午饭35，打车20",
    "今天花了多少",
    "这周群里有什么活动",
    "把明天的会改到下午四点",
    "取消周五的聚餐",
    "买菜完成了",
    "把买菜推迟到晚上",
    "下周三下午三点到五点在会议室开项目评审会",
    "每周一三五早上八点到九点背单词",
    "刚才那笔改成45",
    "撤销",
    "我的任务",
    "昨天跟朋友吃火锅花了三百二",
    "帮我加个日程，周五下午三点评审会",
    "明天三点开会，五点去接孩子",
    "你好",
    "今天天气不错，心情也好",
    "我有三点建议，第一是预算，第二是人手",
)
LONG = {"one word": "好", "orders": "提醒我明天买菜，", "expenses": "午饭35，", "brackets": "("}


def run() -> Iterable[Measurement]:
    """p99 and median of plain requests; what 1,000 and 10,000 characters take."""
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.core.decision import read
    from nonebot_plugin_mishu.language.clause import Situation
    from nonebot_plugin_mishu.language.clauses import features as clause_features

    agents = [replace(agent, read=_no_slots) for agent in builtin_rules()]
    situation = Situation(NOW)

    def decide(text: str) -> None:
        clause_features.forget()  # what was heard a moment ago must not help
        read(text, situation, agents)

    times = _samples(decide)
    requests = sorted(min(one) for one in times)  # so that a busy machine counts little
    every = sorted(chain.from_iterable(times))
    slowest = requests[int(len(requests) * 0.99)]
    yield Measurement(
        f"decision, p99 of {len(requests)} plain requests",
        slowest,
        "ms",
        against="its limit",
        ratio=slowest / GOAL_MS,
        goal=f"at most {GOAL_MS:g} ms",
        met=slowest <= GOAL_MS,
    )
    yield Measurement("decision, p99 of single calls", every[int(len(every) * 0.99)], "ms")
    yield Measurement("decision, median", statistics.median(requests), "ms")
    for name, piece in LONG.items():
        thousand, more = (_best(decide, (piece * length)[:length]) for length in (1_000, 10_000))
        yield Measurement(
            f"decision, 10,000 characters ({name})",
            more,
            "ms",
            against=f"1,000 characters {thousand:.1f} ms",
            ratio=more / thousand,
        )


def _no_slots(intent: str, clause: object) -> dict[str, Any]:
    return {}


def _samples(call: Callable[[str], None]) -> list[list[float]]:
    """Times of single calls in ms, `ROUNDS` for each request, after a warm-up."""
    for text in REQUESTS:
        call(text)
    times: list[list[float]] = [[] for _ in REQUESTS]
    gc.collect()
    for _ in range(ROUNDS):
        for text, of_text in zip(REQUESTS, times, strict=True):
            of_text.append(_once(call, text))
    return times


def _once(call: Callable[[str], None], text: str) -> float:
    began = time.perf_counter()
    call(text)
    return (time.perf_counter() - began) * 1000


def _best(call: Callable[[str], None], text: str) -> float:
    return min(_once(call, text) for _ in range(5))
