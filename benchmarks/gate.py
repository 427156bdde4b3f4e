"""The safety gate's local rules: time per sentence, and for a text of a megabyte.

Where `MISHU_BENCHMARK_BEFORE` names another checkout, its gate is measured in the same run, in turns.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

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


_CHILD = """
import sys, time, nonebot
sys.path.insert(0, sys.argv[1])
nonebot.logger.remove()
nonebot.init(driver="~none", log_level="ERROR")
nonebot.load_plugin("nonebot_plugin_mishu")
from nonebot_plugin_mishu.core.gate import local_verdict
times = []
for line in sys.stdin.read().splitlines():
    local_verdict(line)
    best = 1.0
    for _ in range(50):
        start = time.perf_counter()
        local_verdict(line)
        best = min(best, time.perf_counter() - start)
    times.append(best)
print(sorted(times)[len(times) // 2] * 1e6)
"""


def _median_line(checkout: Path) -> float:
    """Median time of a line, in microseconds, with the gate of a checkout, in a process of its own."""
    command = [sys.executable, "-c", _CHILD, str(checkout / "plugins")]
    lines = "\n".join(_CHAT + _GRAVE)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=120)
    return float(done.stdout)


def _against_before() -> Iterator[Measurement]:
    before = os.environ.get("MISHU_BENCHMARK_BEFORE")
    if not before:
        return
    ours, theirs = Path(__file__).parents[1], Path(before)
    runs = [(_median_line(ours), _median_line(theirs)) for _ in range(3)]
    now, then = (statistics.median(times) for times in zip(*runs, strict=True))
    yield Measurement(
        "gate: median line",
        now,
        "µs",
        against=f"before {then:.0f} µs",
        ratio=now / then,
        goal="less than before",
        met=now < then,
    )


def run() -> Iterator[Measurement]:
    """Measure the gate on lines of chat, on grave lines, and on the longest text."""
    nonebot.logger.remove()  # standard output is for the numbers
    nonebot.init(driver="~none", log_level="ERROR")  # importing any part of a plugin runs the plugin
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.core.safety.gate import local_verdict

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
    yield from _against_before()
