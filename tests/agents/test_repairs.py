"""What a speaker takes back within one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.repairs import repaired
from nonebot_plugin_mishu.text import fold

REPAIRED = {
    "周五聚餐 晚上七点老地方 啊不对 七点半": "周五聚餐 晚上七点半老地方",
    "下午四点喊我 有个电话会 哦不 三点五十": "下午三点五十喊我 有个电话会",
    "水果花了25 不对 是35": "水果花了35",
    "周四开会 说错了 周五": "周五开会",
    "打球七点半 不 八点半": "打球八点半",
    "打车32 打错了 是23": "打车23",
}
LEFT = [
    "不对，是35",
    "明天七点开会，不去了",
    "这题不对，重算一下",
    "周五不是周六",
    "他说的不对 我们七点见",
    "错了",
]


@pytest.mark.parametrize(("said", "meant"), REPAIRED.items())
def test_what_is_said_last_counts(said: str, meant: str) -> None:
    assert repaired(fold(said)).text == meant


@pytest.mark.parametrize("said", LEFT)
def test_nothing_is_taken_back_where_nothing_is_put_in_its_place(said: str) -> None:
    assert repaired(fold(said)).text == fold(said).text


@given(st.text(alphabet="七八点半35 不对是周五啊,哦错了", max_size=30))
def test_every_character_is_one_that_was_written(said: str) -> None:
    before = fold(said)
    after = repaired(before)
    assert len(after.text) == len(after.origin) <= len(before.text)
    assert all(
        before.text[before.origin.index(place)] == each
        for each, place in zip(after.text, after.origin, strict=True)
    )
