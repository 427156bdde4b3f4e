"""What is said again and again is shortened for reading, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.text.fold import fold
from nonebot_plugin_mishu.language.text.repeats import MOST, unrepeated, without_repeats


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("刚刚" * 14, "刚刚刚"),
        ("嗯" * 24 + "不太对", "嗯嗯嗯不太对"),
        ("哈" * 24 + "笑死", "哈哈哈笑死"),
        ("谢谢" * 14, "谢谢谢"),
        ("那就" * 13, "那就那就那就"),
        ("不用了，" * 20 + "明天再说", "不用了，不用了，不用了，明天再说"),
    ],
)
def test_a_long_run_is_shortened(said: str, read: str) -> None:
    assert without_repeats(said) == read


@pytest.mark.parametrize(
    "said",
    [
        *("三三两两", "天天", "常常", "谢谢", "888元", "11111", "10000", "6" * 40, "哈" * MOST, "好" * MOST),
        *("打车20，" * 20, "一一" * 20, "《" + "哈" * 20 + "》", "“" + "啦" * 30 + "”"),
    ],
)
def test_what_is_no_long_run_stands(said: str) -> None:
    assert without_repeats(said) == said


@given(st.text(st.sampled_from("哈嗯，2「」ab 了"), max_size=60))
def test_characters_keep_their_places(said: str) -> None:
    folded = fold(said)
    read = unrepeated(folded)
    assert list(read.origin) == sorted(set(read.origin))
    assert [fold(said[at]).text or " " for at in read.origin] == list(read.text)
    assert len(read.text) <= len(folded.text)
