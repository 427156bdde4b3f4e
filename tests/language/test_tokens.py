"""Words of a line: the cover that leaves the fewest characters unread, then the fewest words, the longest
first."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import Thing, lexicon, tokens
from nonebot_plugin_mishu.language.lexicon import build
from nonebot_plugin_mishu.language.reading import words_of
from nonebot_plugin_mishu.language.recognise.times import parse

SMALL = build(
    [
        ("negation", "no", "不 不要"),
        ("refuse", "no", "不要了"),
        ("done", "done", "了"),
        ("wish", "wish", "要"),
        ("yes", "yes", "ok"),
        ("friend", "friend", "朋友"),
    ]
)


def cut(line: str, *things: Thing) -> list[str]:
    """The words of a line, those nobody knows in brackets."""
    return [
        f"[{line[each.start : each.end]}]" if each.unread else line[each.start : each.end]
        for each in tokens(line, SMALL, things)
    ]


def test_the_longest_word_wins() -> None:
    assert cut("不要了") == ["不要了"]
    assert cut("不要朋友了") == ["不要", "朋友", "了"]


def test_a_latin_word_is_none_inside_another() -> None:
    assert cut("ok") == ["ok"]
    assert cut("ok了") == ["ok", "了"]
    assert cut("okra") == ["[okra]"]
    assert cut("wok") == ["[wok]"]


def test_what_was_recognised_stands_before_words() -> None:
    thing = Thing(0, 2, frozenset({"member"}), "u7")
    assert cut("要不要了", thing) == ["要不", "要", "了"]
    assert tokens("要不要了", SMALL, [thing])[0].value == "u7"


def test_digits_and_letters_stand_together_and_marks_alone() -> None:
    assert cut("302室,b2") == ["[302]", "[室]", ",", "[b]", "[2]"]


def test_a_thing_outside_the_line_is_left_out() -> None:
    assert cut("要", Thing(0, 9, frozenset({"time"})), Thing(-1, 1, frozenset({"time"}))) == ["要"]


@given(st.text(max_size=60))
def test_every_line_is_covered_from_end_to_end(line: str) -> None:
    found = tokens(line, lexicon())
    assert "".join(line[each.start : each.end] for each in found) == line
    assert all(each.start < each.end for each in found)


LENGTHS = {
    "万一周二下雨就改室内": [],
    "统一周三交作业": [],
    "十一周年庆": [],
    "三天两头迟到": [],
    "同一天出发": [],
    "万一一天弄不完呢": ["一天"],
    "万一两天搞不定": ["两天"],
    "周三半天课": ["半天"],
    "周三三天都在": ["三天"],
    "周一小时工来打扫": [],
    "周三分钟会": [],
    "周三月度会": [],
    "出差一周": ["一周"],
    "前半天培训": ["半天"],
}


@pytest.mark.parametrize(("line", "lengths"), LENGTHS.items())
def test_a_length_is_cut_out_of_no_other_word(line: str, lengths: list[str]) -> None:
    now = datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
    words = words_of(line, tuple(parse(line, now, ZoneInfo("Asia/Shanghai"))))
    assert [line[each.start : each.end] for each in words if "length" in each.classes] == lengths
