"""Silence words and names: what is one, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.words import is_word, names_one

WORDS = ["闭嘴", "Shut Up", "住口吧"]


@pytest.mark.parametrize(
    "text",
    [
        "闭嘴",
        "闭嘴吧",
        "闭嘴！",
        "闭嘴吧啊了。",
        " 闭 嘴 ",
        "閉嘴",
        "【闭嘴】",
        "闭嘴~~~",
        "shut up",
        "ＳＨＵＴ　ＵＰ!",
        "住口吧",
        "住口吧啊",
        "闭\u200b嘴",
    ],
)
def test_a_word(text: str) -> None:
    assert is_word(text, WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "吧",
        "啊了",
        "！",
        "闭",
        "闭嘴谢谢",
        "请闭嘴",
        "别闭嘴",
        "不要闭嘴",
        "闭嘴吗",
        "住口",
        "闭嘴" * 40,
        "shutup now",
    ],
)
def test_no_word(text: str) -> None:
    assert not is_word(text, WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "叫他闭嘴吧他说的不对",
        "你能不能闭嘴",
        "老师让我们闭嘴",
        "闭嘴是不礼貌的",
        "闭嘴吧你说得不对",
        "他说：闭嘴！然后走了",
    ],
)
def test_pitfall_29_a_word_inside_a_sentence_is_none(text: str) -> None:
    assert not is_word(text, WORDS)


def test_no_words_match_nothing() -> None:
    assert not is_word("", [])
    assert not is_word("!!", ["!!"])  # a word of punctuation is no word


@given(st.text(max_size=80), st.lists(st.text(max_size=10), max_size=3))
def test_never_raises(text: str, words: list[str]) -> None:
    assert is_word(text, words) in (True, False)
    assert names_one(text, words) in (True, False)


@pytest.mark.parametrize(
    ("text", "names", "named"),
    [
        ("小秘在吗", ["小秘"], True),
        ("问问小秘吧", ["小秘"], True),
        ("小祕", ["小秘"], True),
        ("小 秘", ["小秘"], False),
        ("ai 你好", ["AI"], True),
        ("say it again", ["ai"], False),
        ("用ai吧", ["ai"], True),
        ("ａｉ", ["ai"], True),
        ("a_ai", ["ai"], False),
        ("什么", [""], False),
        ("什么", [], False),
        ("c++ 好", ["c++"], True),
        ("x" * 5000 + "小秘", ["小秘"], False),
    ],
)
def test_names(text: str, names: list[str], named: bool) -> None:
    assert names_one(text, names) is named
