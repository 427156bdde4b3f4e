"""Lines made to be read slowly are read in bounded work: processor time, ten times what is promised.

What is promised is measured by `python -m benchmarks fuzz`, in a whole bot and in every state that a member
can be in; the exhaustive test here runs it.
"""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from statistics import median
from zoneinfo import ZoneInfo

import pytest
from default_run import first
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.app.rehearsal import compile_rest, rehearse
from nonebot_plugin_mishu.core import local_verdict
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.core.overhearing import worth_a_question
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.addressing import spoken_commands
from nonebot_plugin_mishu.language.addressing.called_names import is_word, names_one, uncalled
from nonebot_plugin_mishu.language.answers.cancellations import cancels, cancels_all
from nonebot_plugin_mishu.language.cards.triage import triage
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.lines.record_questions import asked
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse

from benchmarks.instances.fragments import SIGNS, line

_ROOT = Path(__file__).parents[2]
_ZONE = ZoneInfo("Asia/Shanghai")
_NOW = datetime(2026, 11, 18, 10, tzinfo=_ZONE)
_HERE = Situation(_NOW, open_tasks=True)
_OVERHEARD = Situation(_NOW, addressed=False)
_AGENTS = builtin_rules()
_READERS: tuple[Callable[[str], object], ...] = (
    local_verdict,
    lambda said: read(said, _HERE, _AGENTS),
    lambda said: read(said, _OVERHEARD, _AGENTS),
    lambda said: triage(said, 10),
    lambda said: worth_a_question(said, _AGENTS, lambda: _OVERHEARD),
    lambda said: asked(whole(said, _HERE)),
    lambda said: uncalled(said, ("小秘",)),
    lambda said: names_one(said, ("小秘",)),
    lambda said: is_word(said, ("闭嘴",)),
    lambda said: spoken_commands.forget_me(said, ("小秘",)),
    lambda said: spoken_commands.speak_again(said, ("小秘",)),
    lambda said: parse(said, _NOW, _ZONE),
    cancels,
    cancels_all,
    find_amounts,
)
_KNOWN = (
    *("刚刚" * 14, "嗯" * 24 + "不太对", "哈" * 24 + "笑死", "谢谢" * 14, "那就" * 13, "6" * 28, "早" * 26),
    *("的" * 26, "了" * 28, "呃" * 24 + "怎么说", "嗯" * 26 + "葵", "刚刚" * 20 + "葵", "哈嘿" * 20 + "葵"),
)
"""What stopped the whole process for seconds."""


_PLAIN = "提醒我明天下午三点开会"
_PLAIN_COSTS = 1.2
"""Milliseconds of processor time a plain line costs on the machine the limits are for."""


def _slowness() -> float:
    """How many times as long as there a plain line costs here and now, at least 1."""
    costs = [_milliseconds(lambda said: read(said, _HERE, _AGENTS), _PLAIN) for _ in range(9)]
    return max(1.0, median(costs) / _PLAIN_COSTS)


def _milliseconds(reader: Callable[[str], object], said: str) -> float:
    """Processor time of a reading."""
    began = time.thread_time()
    reader(said)
    return (time.thread_time() - began) * 1000


def _slowest(lines: Iterator[str] | list[str], limit: float) -> list[str]:
    """Lines that cost a reader more than so many ms of processor time, by the measure of a plain line."""
    rehearse(_NOW.timestamp(), _ZONE)  # as a bot does behind its start
    compile_rest(lambda: False)
    for reader in _READERS:
        reader(_PLAIN)
    gc.collect()
    gc.disable()
    slow: list[str] = []
    limit *= _slowness()
    try:
        for said in lines:
            for number, reader in enumerate(_READERS):
                took = _milliseconds(reader, said)
                if took > limit:  # what is put together once is no part of a line's price
                    took = min(took, _milliseconds(reader, f"啊{said}"))
                if took > limit:
                    slow.append(f"reader {number}: {took:.0f} ms, {said[:40]!r} ({len(said)} characters)")
    finally:
        gc.enable()
    return slow


@first(1)
@pytest.mark.parametrize("before", ["", "小秘 ", "记账 打车23 "])
def test_lines_that_hung_are_read_at_once(before: str) -> None:
    assert not _slowest([before + said for said in _KNOWN], 200)


def _of_one(signs: tuple[str, ...]) -> Iterator[str]:
    for sign in signs:
        yield (sign * 20_000)[:20_000]
        yield (f"{sign}好" * 20_000)[:20_000]


def test_twenty_thousand_of_one_sign() -> None:
    assert not _slowest(_of_one(SIGNS[::5]), 500)


@pytest.mark.exhaustive
def test_twenty_thousand_of_every_sign() -> None:
    assert not _slowest(_of_one(SIGNS), 500)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("length", "count", "limit"), [(32, 3000, 50), (200, 600, 200), (20_000, 100, 500)])
def test_many_lines_of_fragments(length: int, count: int, limit: float) -> None:
    chance = random.Random(f"many {length}")
    assert not _slowest((line(chance, length) for _ in range(count)), limit)


@pytest.mark.exhaustive
def test_no_step_of_a_whole_bot_is_long() -> None:
    """In every state, ten times what is promised: the machine may be busy. Fewer lines than the benchmark."""
    command = [sys.executable, "-m", "benchmarks.fuzz", "600", "--json"]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, timeout=1500, check=True)
    rows = [json.loads(row) for row in done.stdout.splitlines() if row.startswith("{")]
    assert len(rows) >= 10
    assert not [row for row in rows if row["ratio"] > 10]
