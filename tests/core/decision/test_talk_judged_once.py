"""What the judge makes of a line as talk is a part of its reading, and judged nowhere else in the core."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu import core
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision.reader import read
from nonebot_plugin_mishu.language.clause import Situation

_HERE = Situation(datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai")))
_AGENTS = tuple(builtin_rules())


def test_the_reading_says_whether_it_sounds_like_talk() -> None:
    assert read("今天这雨下得我都不想出门了", _HERE, _AGENTS).sounds_like_talk
    assert not read("明天下午三点开会", _HERE, _AGENTS).sounds_like_talk


def test_one_module_of_the_core_asks_the_judge() -> None:
    folder = Path(core.__file__).parent
    asking = [each.name for each in folder.rglob("*.py") if "judge_talk(" in each.read_text("utf-8")]
    assert asking == ["reader.py"]
