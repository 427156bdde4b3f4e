"""Layer 1 of the correction dialogue, amounts in a sentence, and what importing both costs."""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from .measurement import Measurement

ROUNDS = 20
GOAL_TRIAGE_MS = 0.1

LINES = (
    "确认",
    "好的呀，保存吧",
    "不要了",
    "确认第一和第三笔",
    "除了第二笔以外其他的都确认",
    "第二笔不要，其他的都确认",
    "麻烦帮我把第三笔和第五笔都删掉吧谢谢",
    "继续记账",
    "绝对不行",
    "那个应该是收入不是支出啊",
    "还有一笔奶茶15",
    "考试结束后和同学一起去学校旁边的小馆子吃饭三十块",
    "确認第二筆",
    "今天天气真好，晚上要不要一起出去吃饭？",
    "我说的不是确认，是说等会儿再看看，先别急着保存，第二笔的金额我还要再问一下他",
)
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
    from nonebot_plugin_mishu.drafts import triage
    from nonebot_plugin_mishu.text import find_amounts

    lines = _samples(lambda line: triage(line, 10), LINES)
    p99 = lines[int(len(lines) * 0.99)]
    yield Measurement(
        "triage, p99",
        p99,
        "ms",
        against="limit of issue 4",
        ratio=p99 / GOAL_TRIAGE_MS,
        goal=f"at most {GOAL_TRIAGE_MS} ms",
        met=p99 <= GOAL_TRIAGE_MS,
    )
    yield Measurement("triage, median", statistics.median(lines), "ms")
    yield Measurement("amounts, median", statistics.median(_samples(find_amounts, SENTENCES)), "ms")
    yield Measurement("triage of a line of 1 MB", _once(lambda: triage("确认" * 500_000, 10)), "ms")
    yield Measurement("amounts in a text of 1 MB", _once(lambda: find_amounts("午饭35" * 300_000)), "ms")
    yield Measurement("import of drafts and text", _import_time(), "ms")


def _samples(call: Callable[[str], object], texts: Iterable[str]) -> list[float]:
    """Sorted times of single calls in ms, over all texts, after a warm-up."""
    texts = tuple(texts)
    for text in texts:
        call(text)
    times: list[float] = []
    gc.collect()
    for _ in range(ROUNDS * 10):
        for text in texts:
            began = time.perf_counter()
            call(text)
            times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


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
