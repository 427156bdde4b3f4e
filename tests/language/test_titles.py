"""What a new thing is called, over `data/titles.yaml`; and that it is nothing but words of the line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import read, title, words_of
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise
from rows import each_row

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 11, 18, 10, 0, tzinfo=SHANGHAI)
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "titles.yaml").read_text("utf-8")
)
WORDS = [
    *(
        "提醒我",
        "大家",
        "明天下午三点",
        "记一下",
        "开会",
        "去",
        "在",
        "的",
        "把",
        "年假",
        "休了",
        "，",
        " ",
        "。",
    ),
    *(
        "@小北",
        "吧",
        "一下",
        "别迟到",
        "不",
        "取消",
        "加个日程",
        "设计评审",
        "全班",
        "（周五前）",
        "好",
        "🍎",
        "我妈",
    ),
]


def titled(say: str) -> str:
    """The title of a line."""
    line = normalise(say)
    return title(line, read(line, tuple(parse(line, WEDNESDAY, SHANGHAI))).tokens)


@each_row("case", ROWS, ids=lambda case: case["say"])
def test_title_is_what_remains(case: dict[str, str]) -> None:
    assert titled(case["say"]) == case["title"]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
@settings(max_examples=400)
def test_a_title_is_made_of_the_words_of_its_line(words: list[str]) -> None:
    line = normalise("".join(words))
    left = iter(line)
    assert all(character in left for character in titled(line)), "in their order"


@pytest.mark.parametrize("word", ["的", "麻烦你", "提醒我", "帮我", "再"])
def test_a_word_over_and_over_costs_no_time_without_end(word: str) -> None:
    """Rows that cover one stretch in many ways are not tried in all of them: this ended in years."""
    line = word * 60 + "鑫"
    assert title(line, words_of(line)).endswith("鑫")
