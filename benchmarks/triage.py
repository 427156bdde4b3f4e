"""Layer 1 of the correction dialogue, amounts in a sentence, and what importing both costs."""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import nonebot
import yaml

from .measurement import Measurement

ROUNDS = 20
GOAL_TRIAGE_MS = 0.1

LINES = Path(__file__).parents[1] / "tests" / "drafts" / "data" / "triage.yaml"
SENTENCES = (
    "午饭35，打车20",
    "今天中午和同事在公司楼下吃了麻辣烫花了32.5",
    "3瓶水15",
    "2月15号吃饭50",
    "工资到账一万五千六",
    "早餐八块五午饭二十八块五毛晚饭四十",
    "¥1,299的鞋打八折",
    "三个人吃了90人均30",
)
_IMPORT = """
import sys, time, types
package = types.ModuleType("nonebot_plugin_mishu")
package.__path__ = [sys.argv[1]]
sys.modules["nonebot_plugin_mishu"] = package
began = time.perf_counter()
import nonebot_plugin_mishu.drafts
print((time.perf_counter() - began) * 1000)
"""


def run() -> Iterable[Measurement]:
    """Triage p99 and median, amounts median, import of `drafts` with all it needs, each in ms."""
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.language.cards.triage import triage
    from nonebot_plugin_mishu.language.recognise.money import find_amounts

    cases: list[dict[str, Any]] = yaml.safe_load(LINES.read_text(encoding="utf-8"))
    said: list[str] = [case["say"] for case in cases]
    calls = _samples(lambda line: triage(line, 10), said)
    lines = sorted(statistics.median(times) for times in calls)
    p99 = _p99(lines)
    yield Measurement(
        f"triage, p99 of {len(lines)} different lines",
        p99,
        "ms",
        against="its limit",
        ratio=p99 / GOAL_TRIAGE_MS,
        goal=f"at most {GOAL_TRIAGE_MS} ms",
        met=p99 <= GOAL_TRIAGE_MS,
    )
    yield Measurement("triage, p99 of single calls", _p99(sorted(chain.from_iterable(calls))), "ms")
    yield Measurement("triage, median", statistics.median(lines), "ms")
    amounts = statistics.median(chain.from_iterable(_samples(find_amounts, SENTENCES)))
    yield Measurement("amounts, median", amounts, "ms")
    yield Measurement("triage of a line of 1 MB", _once(lambda: triage("确认" * 500_000, 10)), "ms")
    yield Measurement("amounts in a text of 1 MB", _once(lambda: find_amounts("午饭35" * 300_000)), "ms")
    yield Measurement("import of drafts and text", _import_time(), "ms")


def _samples(call: Callable[[str], object], texts: Sequence[str]) -> list[list[float]]:
    """Times of single calls in ms, `ROUNDS` for each text, after a warm-up."""
    for text in texts:
        call(text)
    times: list[list[float]] = [[] for _ in texts]
    gc.collect()
    for _ in range(ROUNDS):
        for text, of_text in zip(texts, times, strict=True):
            began = time.perf_counter()
            call(text)
            of_text.append((time.perf_counter() - began) * 1000)
    return times


def _p99(times: Sequence[float]) -> float:
    return times[int(len(times) * 0.99)]


def _once(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _import_time() -> float:
    """Median of three fresh interpreters, without the plugin's own start-up."""
    package = Path(__file__).parents[1] / "plugins" / "nonebot_plugin_mishu"
    command = [sys.executable, "-c", _IMPORT, str(package)]
    results = [subprocess.run(command, capture_output=True, check=True, timeout=60).stdout for _ in range(3)]
    return statistics.median(float(result) for result in results)
