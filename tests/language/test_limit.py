"""Limits: what of a deletion that was asked about is to go, and what is no limit at all."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.language import Limit, limit
from nonebot_plugin_mishu.language.recognise.times import names_day, parse

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)


def limited(line: str) -> Limit | None:
    spans = [one.span for one in parse(line, NOW, ZONE) if names_day(one.text)]
    return limit(line, spans, ("例会",))


@pytest.mark.parametrize(
    "line",
    [
        *("就明天这一次", "不是全部 只要明天的", "这周而已", "只取消明天的", "只是明天的例会", "明天那次"),
        *("不是都不开 就这周五的", "单单下周四的,其他照常", "我是说明天", "就本周"),
    ],
)
def test_a_day_is_what_goes(line: str) -> None:
    found = limited(line)
    assert found is not None
    assert found.spans
    assert found.whole


@pytest.mark.parametrize("line", ["不是全部", "没说全部啊", "就一次", "又不是都不要了"])
def test_not_all_without_a_day(line: str) -> None:
    found = limited(line)
    assert found is not None
    assert not found.spans


@pytest.mark.parametrize(
    ("line", "point"),
    [("不是都删 就删后面那个", "last"), ("删前面的那个", "first"), ("不是这个 是另一个", "other")],
)
def test_another_one_is_pointed_at(line: str, point: str) -> None:
    found = limited(line)
    assert found is not None
    assert found.point == point
    assert not found.whole


@pytest.mark.parametrize(
    "line",
    [
        "明天下雨吗",
        "明天三点开会",
        "我就说嘛",
        "例会",
        "好",
        "删了吧",
        "后面那个人是谁",
        "明天提醒我买菜",
        "",
        "的",
    ],
)
def test_anything_else_is_no_limit(line: str) -> None:
    assert limited(line) is None
