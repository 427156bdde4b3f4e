"""Questions to the calendar: answered by the day, and nothing else is taken for one."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.chat.calendar import answer

NOW = datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("下周三是几号", "下周三是11月25日，周三。"),
        ("后天周几啊", "后天是11月20日，周五。"),
        ("12月25号是周几", "12月25日是周五。"),
        ("离元旦还有几天", "离元旦（1月1日）还有44天。"),
        ("离过年还有多少天呀", "离春节（2月6日）还有80天。"),
        ("国庆还有几天", "离国庆（10月1日）还有317天。"),
    ],
)
def test_a_day_is_told(words: str, said: str) -> None:
    assert answer(words, NOW) == said


@pytest.mark.parametrize(
    "words",
    [
        "",
        "下周三",
        "周会是几号",
        "每周三是几号",
        "明天三点几号楼",
        "昨天还有几天",
        "下周三下周四是几号",
        "2月30号是周几",
        "几号" * 30,
    ],
)
def test_other_questions_are_none_of_its(words: str) -> None:
    assert answer(words, NOW) is None
