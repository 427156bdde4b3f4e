"""The time grammar: a sentence, against JioNLP where that is installed; import time and memory of the room.

JioNLP is a development tool only (`pip install jionlp`); where it is absent its side is left out and the
name says so.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

from .measurement import Measurement

PLUGIN = Path(__file__).resolve().parent.parent / "plugins" / "nonebot_plugin_mishu"
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZONE)
ROUNDS = 40

SENTENCES = (
    "提醒我明天下午三点去拿一下快递",
    "下周三下午三点到五点在会议室开项目评审会",
    "每周一三五早上八点到九点背单词",
    "周五之前把论文初稿发给导师",
    "10分钟后叫我关火",
    "这个月最后一个周五团建",
    "每年农历八月十五回家吃饭",
    "工作日早上8点叫我打卡",
    "从3号开始每天晚上十点提醒我关电脑",
    "今晚九点开黑不，缺两个人",
    "我有三点建议，第一是预算，第二是人手",
    "快递放在3号楼门口的柜子里了，取件码8832",
    "哈哈哈哈笑死我了",
    "好的收到",
    "明天上午九点开会，下午三点面试，晚上八点聚餐",
    "国庆期间去云南，3号到5号在大理",
    "一点也不好笑",
    "在吗",
    "这次出去一共花了1299块5毛，大家AA一下吧",
    "周日上午9:00-11:30社区志愿活动，集合地点在五一路",
)


def _without_nonebot() -> ModuleType:
    """The room alone: the `__init__`s above it need a running NoneBot or load all words."""
    if "nonebot_plugin_mishu" not in sys.modules:
        for name, folder in (("", PLUGIN), (".language", PLUGIN / "language")):
            package = ModuleType(f"nonebot_plugin_mishu{name}")
            package.__path__ = [str(folder)]
            sys.modules[package.__name__] = package
    return importlib.import_module("nonebot_plugin_mishu.language.recognise.times")


def _median_microseconds(read: Callable[[str], Any]) -> float:
    """The median over the sentences of the best of some rounds, so that a busy machine counts little."""
    for sentence in SENTENCES:
        read(sentence)
    best: list[float] = []
    for sentence in SENTENCES:
        taken: list[float] = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            read(sentence)
            taken.append(time.perf_counter() - started)
        best.append(min(taken) * 1e6)
    return median(best)


_MEMORY = """
def memory():
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * 4
    except OSError:  # no such file on this system
        return 0
"""
_IMPORT = (
    _MEMORY
    + """
import sys, time, types
import calendar, dataclasses, datetime, decimal, re, typing, unicodedata, zoneinfo
for name in ("", ".language"):
    package = types.ModuleType("nonebot_plugin_mishu" + name)
    package.__path__ = [sys.argv[1] + name.replace(".", "/")]
    sys.modules[package.__name__] = package
before = memory()
started = time.perf_counter()
import nonebot_plugin_mishu.language.recognise.times
taken = time.perf_counter() - started
print(taken * 1000, memory() - before)
"""
)
_IMPORT_OTHER = (
    _MEMORY
    + """
import time
before = memory()
started = time.perf_counter()
import jionlp
jionlp.ner.extract_time("明天下午三点", time_base=1763431200)
taken = time.perf_counter() - started
print("cost", taken * 1000, memory() - before)
"""
)


def _cost(code: str, *arguments: str) -> tuple[float, float]:
    """Milliseconds and MiB that importing takes in a process of its own."""
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    *_, taken, kilobytes = run.stdout.split()
    return float(taken), float(kilobytes) / 1024


def _jionlp() -> Callable[[str], Any] | None:
    if importlib.util.find_spec("jionlp") is None:
        return None
    jionlp: Any = importlib.import_module("jionlp")
    base = NOW.timestamp()

    def extract(sentence: str) -> Any:
        try:
            return jionlp.ner.extract_time(sentence, time_base=base, with_parsing=True)
        except ValueError:  # it raises on what it cannot read
            return None

    return extract


def run() -> Iterable[Measurement]:
    """Median time of a sentence, import time, memory; JioNLP's in the same run."""
    room: Any = _without_nonebot()
    ours = _median_microseconds(lambda sentence: room.parse(sentence, NOW, ZONE))
    other = _jionlp()
    absent = "" if other is not None else " (JioNLP not installed)"
    theirs = _median_microseconds(other) if other is not None else None
    yield Measurement(
        f"times: a sentence, median{absent}",
        ours,
        "µs",
        against=None if theirs is None else f"JioNLP {theirs:.0f} µs",
        ratio=None if theirs is None else ours / theirs,
        goal="at most 100 µs",
        met=ours <= 100,
    )
    taken, memory = min(_cost(_IMPORT, str(PLUGIN)) for _ in range(3))
    costs = _cost(_IMPORT_OTHER) if other is not None else None
    yield Measurement(
        f"times: import{absent}",
        taken,
        "ms",
        against=None if costs is None else f"JioNLP {costs[0]:.0f} ms",
        ratio=None if costs is None else taken / costs[0],
    )
    yield Measurement(
        f"times: memory after import{absent}",
        memory,
        "MiB",
        against=None if costs is None else f"JioNLP {costs[1]:.0f} MiB",
        ratio=None if costs is None else memory / costs[1],
    )
