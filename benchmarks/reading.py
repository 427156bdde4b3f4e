"""Reading a line by the rules, without a model: processor time of one line of the corpus.

Beside it a piece of work that never changes, done in turns with it, so that figures of two machines, or of
one at two hours, can be held against each other.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Final

from .corpus import read_corpus
from .measurement import Measurement

LINES: Final = 400
ROUNDS: Final = 3
GOAL_MEDIAN: Final = 0.5
GOAL_P99: Final = 2.0
_SOME: Final = "明天下午三点到五点在会议室开项目评审会，提醒大家带上周的 35 份报告和 2 台电脑"
_WORDS: Final = re.compile(r"[一二三四五六七八九十]点|\d+|会议室|报告|提醒")


def yardstick() -> object:
    """About a millisecond of what reading does, too: patterns, dictionaries, slices, small objects."""
    counts: dict[str, int] = {}
    for length in range(1, 5):
        for start in range(len(_SOME)):
            part = _SOME[start : start + length]
            counts[part] = counts.get(part, 0) + len(_WORDS.findall(_SOME[start:]))
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def run() -> Iterable[Measurement]:
    """Median and p99 over lines nobody keeps secret, the best of some rounds each, in ms."""
    from .instances.office import load_plugin

    load_plugin()
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.config import Config
    from nonebot_plugin_mishu.core.decision import read
    from nonebot_plugin_mishu.core.situation import situation

    said = [row.say for row in read_corpus() if not row.held_out]
    said = said[:: max(1, len(said) // LINES)]
    specs, where = builtin_rules(), situation(1_800_000_000.0, Config().zone)
    read("明天下午三点开会", where, specs)
    return _measured(said, lambda line: read(line, where, specs))


def _measured(said: Sequence[str], read: Callable[[str], object]) -> list[Measurement]:
    lines: list[float] = []
    steady: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for line in said:
            lines.append(min(_measure_milliseconds(lambda line=line: read(line)) for _ in range(ROUNDS)))
            steady.append(min(_measure_milliseconds(yardstick) for _ in range(ROUNDS)))
            gc.collect(0)
    finally:
        gc.enable()
    middle, stick, late = median(lines), median(steady), sorted(lines)[int(len(lines) * 0.99)]
    against = f"a steady piece of work {stick:.3f} ms"
    return [
        Measurement(
            f"reading: a line, median of {len(lines)}",
            *(middle, "ms", against, middle / stick),
            *(f"at most {GOAL_MEDIAN} ms", middle <= GOAL_MEDIAN),
        ),
        Measurement(
            "reading: a line, p99",
            *(late, "ms", against, late / stick),
            *(f"at most {GOAL_P99} ms", late <= GOAL_P99),
        ),
    ]


def _measure_milliseconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1e3
