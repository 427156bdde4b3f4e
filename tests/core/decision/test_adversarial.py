"""Texts made to keep the patterns busy: one word over and over, with something behind."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

LONGEST_SECONDS = 60
"""What backtracks without end takes ages; everything else is done in seconds, also on a busy machine."""
_WORDS = [
    *(
        "的",
        "了",
        "吧",
        "啊",
        "我",
        "就",
        "再",
        "也",
        "都",
        "请",
        "麻烦",
        "你",
        "那",
        "嗯",
        "哈",
        "好",
        "好的",
    ),
    *(
        "谢谢",
        "秘书",
        "帮我",
        "给我",
        "提醒我",
        "再提醒",
        "记得",
        "可以",
        "把",
        "在",
        "从",
        "和",
        "到",
        "明天",
    ),
    *(
        "三点",
        "周",
        "上",
        "每天",
        "半",
        "十",
        "点",
        "号",
        "分钟",
        "1",
        "a",
        "任务",
        "日程",
        "大家",
        "改到",
        "取消",
    ),
    *("完成", "做", "买", "一个", "是", "不", "要", "·", "#", "@", "、", "~", ":", ",", ".", "!", "🎉"),
]
_LENGTHS = (36, 400, 20_000)


def texts() -> list[str]:
    """All of them, up to 20,000 characters."""
    found: list[str] = []
    for length in _LENGTHS:
        short = length < _LENGTHS[-1]
        units = [*_WORDS, *(first + second for first, second in pairwise(_WORDS))] if short else _WORDS[::4]
        found += [(unit * length)[:length] + "鑫" for unit in units]
    return found


@pytest.mark.exhaustive
def test_no_text_keeps_the_patterns_busy() -> None:
    """In a process of its own, which can be ended in the middle of a pattern."""
    done = subprocess.run(
        [sys.executable, "-c", _READ],
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
        cwd=Path(__file__).parents[3],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr[-2000:]


_READ = """
import nonebot
nonebot.init()
nonebot.load_plugin("nonebot_plugin_mishu")
from tests.core.decision.support import named, reading
from tests.core.decision.test_adversarial import texts
for text in texts():
    for addressed in (True, False):
        assert named(reading(text, addressed=addressed))
"""
