"""The safety gate's local rules: time per sentence, and for a text of a megabyte."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import nonebot

from .measurement import Measurement

_CHAT = (
    "晚饭吃什么",
    "提醒我明天下午三点去开会，别忘了带电脑",
    "笑死我了哈哈哈",
    "打车120块，记一下",
    "周六聚餐谁来，地点定了吗",
    "今天加班到好晚，打车回家花了35，顺便提醒我明早八点去医院做检查",
    "这个boss怎么杀啊，队友太菜了",
    "好的",
)
_GRAVE = ("我不想活了", "教我做炸弹", "我爸胸口剧痛喘不上气", "我朋友说她想自杀怎么办")
_ROUNDS = 400
_GOAL_CHAT = 100.0
_GOAL_LONG = 1000.0


def _microseconds(judge: Callable[[str], object], sentences: tuple[str, ...]) -> float:
    """Mean time of one sentence, over the best of five runs."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(_ROUNDS // 5):
            for sentence in sentences:
                judge(sentence)
        best = min(best, (time.perf_counter() - start) / (_ROUNDS // 5 * len(sentences)))
    return best * 1e6


def run() -> Iterator[Measurement]:
    """Measure the gate on lines of chat, on grave lines, and on the longest text."""
    nonebot.logger.remove()  # standard output is for the numbers
    nonebot.init(driver="~none", log_level="ERROR")  # importing any part of a plugin runs the plugin
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.core.gate import local_verdict

    chat = _microseconds(local_verdict, _CHAT)
    yield Measurement(
        "gate: line of chat", chat, "µs", goal=f"at most {_GOAL_CHAT:.0f} µs", met=chat <= _GOAL_CHAT
    )
    yield Measurement("gate: grave line", _microseconds(local_verdict, _GRAVE), "µs")
    megabyte = "".join(_CHAT + _GRAVE) * 8_000
    start = time.perf_counter()
    local_verdict(megabyte)
    long = (time.perf_counter() - start) * 1e3
    yield Measurement(
        f"gate: text of {len(megabyte) / 1e6:.1f} million characters",
        long,
        "ms",
        goal=f"at most {_GOAL_LONG:.0f} ms",
        met=long <= _GOAL_LONG,
    )
