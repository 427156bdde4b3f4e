"""A sum that a model read of a line was said there, or follows from two of its numbers."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language.ledger.amount_check import is_said


@pytest.mark.parametrize(
    ("text", "yuan", "said"),
    [
        ("午饭35 打车20", 35, True),
        ("午饭35 打车20", 55, False),
        ("早饭花了6 打车花了20左右", 26, False),
        ("买了3杯奶茶15一杯", 45, True),
        ("三杯奶茶每杯十五", 45, True),
        ("满100减20 买的", 80, True),
        ("聚餐300 三个人 我那份", 100, True),
        ("串儿一百四", 140, True),
        ("午饭35", 5, False),
    ],
)
def test_sums(text: str, yuan: int, said: bool) -> None:
    assert is_said(yuan * 100, text) is said
