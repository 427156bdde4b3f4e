"""Items of everyday lines: direction, sums for several people, names (`language.entries`)."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.language.entries.reading import read_items
from nonebot_plugin_mishu.language.entries.unspent import is_planned, is_repeating
from nonebot_plugin_mishu.language.recognise.times import parse
from rows import each_row

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 26, 14, tzinfo=ZONE)
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "entries_everyday.yaml").read_text(encoding="utf-8")
)


@each_row("row", ROWS, ids=lambda row: row["say"])
def test_items(row: dict[str, Any]) -> None:
    found = read_items(row["say"], NOW, ZONE).entries
    assert [f"{each.description} {each.yuan} {each.type[0]}" for each in found] == row["items"]


def test_a_price_by_the_pound_is_of_today() -> None:
    (entry,) = read_items("土豆两毛五一斤 买了10斤", NOW, ZONE).entries
    assert entry.day == date(2026, 11, 26)


@pytest.mark.parametrize(
    ("said", "planned"),
    [
        ("尾款周六付1600", True),
        ("定金明天交500", True),
        ("周日还2000", True),
        ("工钱月底结3000", True),
        ("货款下周一打8000", True),
        ("房租30号交1800", True),
        ("周六吃饭付了60", False),
        ("周三打车40", False),
        ("昨天付的1600", False),
        ("尾款付了1600", False),
    ],
)
def test_what_is_to_be_paid_on_a_day_to_come(said: str, planned: bool) -> None:
    assert is_planned(said, parse(said, NOW, ZONE), NOW.date()) is planned


@pytest.mark.parametrize(
    ("said", "repeats"),
    [
        ("房贷每月8号4350", True),
        ("每月1号房租1800", True),
        ("水费每个月5号60", True),
        ("每月底还花呗1200", True),
        ("话费每月58", False),
        ("每天早饭6块", False),
        ("每周一买菜100", True),
        ("每年3月车险4200", True),
        ("每月8号房贷扣了4350", False),
        ("房贷4350", False),
    ],
)
def test_what_falls_due_again_and_again(said: str, repeats: bool) -> None:
    assert is_repeating(said, parse(said, NOW, ZONE)) is repeats
