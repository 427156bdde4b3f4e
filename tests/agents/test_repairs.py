"""What a speaker takes back within one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.repairs.repetitions import said_again
from nonebot_plugin_mishu.language.repairs.self_corrections import repaired
from nonebot_plugin_mishu.language.text.fold import fold

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


AGAIN = [
    ("明天下午三点例会，后天也是", "明天下午三点例会,后天下午三点例会"),
    ("周一上午十点周会 周三一样", "周一上午十点周会 周三上午十点周会"),
    ("明早八点提醒我吃药，后天早上也提醒", "明早八点提醒我吃药,后天早上八点提醒我吃药"),
    ("每周一上午十点周会，周四同样", "每周一上午十点周会,每周四上午十点周会"),
    ("明天十点打疫苗 后天九点也要", "明天十点打疫苗 后天九点打疫苗"),
    ("12月1号交房租，15号也要", "12月1号交房租,15号交房租"),
    ("提醒我明天买菜，后天也是吗", "提醒我明天买菜,后天也是吗"),
    ("明天三点开会后天四点面试，周五也是", "明天三点开会后天四点面试,周五也是"),
    ("我明天去北京，小王后天也去", "我明天去北京,小王后天也去"),
    ("后天也是", "后天也是"),
]


@pytest.mark.parametrize(("said", "read"), AGAIN)
def test_the_same_once_more_is_said_out(said: str, read: str) -> None:
    found = said_again(fold(said))
    assert found.text == read
    assert len(found.origin) == len(found.text)
    assert list(found.origin) == sorted(found.origin)
    assert max(found.origin) < len(said)
