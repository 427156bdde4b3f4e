"""Silence words and names: what is one, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.addressing.called_names import is_word, names_one, uncalled

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


NAMES = ["秘书", "小秘", "小秘书", "Mishu"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("小秘 10秒后提醒我关火", "10秒后提醒我关火"),
        ("提醒我喝水 小秘", "提醒我喝水"),
        ("小秘提醒我喝水", "提醒我喝水"),
        ("周五碰头，小秘记一下", "周五碰头，记一下"),
        ("小秘啊, 明天七点叫我", "明天七点叫我"),
        ("那个小秘，周六聚餐", "周六聚餐"),
        ("小秘，小秘 午饭35", "午饭35"),
        ("明天下午3点小秘提醒我打电话", "明天下午3点提醒我打电话"),
        ("秘书大人 后天十点叫我", "后天十点叫我"),
        ("小秘书今天有什么安排", "今天有什么安排"),
        ("小秘書，幫我記一下", "幫我記一下"),
        ("ＭＩＳＨＵ 明天3点开会", "明天3点开会"),
        ("你好小秘 明天早上叫我", "明天早上叫我"),
        ("小秘!!! 明早七点叫我", "明早七点叫我"),
        ("午饭35，打车20 小秘～", "午饭35，打车20"),
    ],
)
def test_a_name_is_taken_off_where_it_calls(text: str, left: str) -> None:
    assert uncalled(text, NAMES) == left


@pytest.mark.parametrize(
    "text",
    [
        "给秘书买花35",
        "秘书处明天开会",
        "秘书长明天下午三点来",
        "提醒我明天给秘书打电话",
        "我觉得小秘真好用",
        "叫小秘来",
        "mishumishu 明天开会",
        "小秘",
        "小秘小秘，在吗",
        "",
    ],
)
def test_a_name_that_is_spoken_of_stays(text: str) -> None:
    assert uncalled(text, NAMES) == text


@given(st.text(alphabet="小秘书, ，提醒我明天Mi 3", max_size=30))
def test_taking_names_off_leaves_the_members_own_characters(text: str) -> None:
    left = iter(text)
    assert all(character in left for character in uncalled(text, NAMES))
