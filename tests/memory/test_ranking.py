"""Ranking by words and by sense, and what pairs of characters are worth."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.memory import query, ranking, terms, vectors

TASKS = [
    "明天下午三点在二号会议室开项目会",
    "周六和家人去爬香山",
    "给会计小李报销上周的打车费",
    "周五之前把季度总结发给王总",
    "买牛奶、鸡蛋和面包",
    "下周一上午去医院做体检",
    "提醒妈妈按时吃降压药",
    "周三晚上七点半羽毛球馆打球",
    "交下个季度的房租",
    "把会议纪要整理好发到群里",
    "预约周日给狗洗澡",
    "帮女儿报名暑假游泳班",
    "订十二号去上海的高铁票",
    "续费云服务器",
    "月底前交社保材料",
    "取快递，在小区东门的柜子里",
    "给客厅的空调约清洗",
    "周四中午和老同学聚餐",
    "把电脑送去修理，屏幕坏了",
    "上海出差的酒店要订两晚",
    "还信用卡，每月八号",
    "带身份证去银行换卡",
    "大扫除，擦窗户",
    "给车做保养，顺便换机油",
    "学生会的海报要重新设计",
    "体育课改到下午第二节",
    "会员卡快过期了，去续一下",
    "写生课要带画板",
    "上班路上买咖啡",
    "海边露营的帐篷要提前租",
]
ASKED = {
    "那个会几点开来着，会议室是哪间": {0},
    "打车费报了没有": {2},
    "总结什么时候要交给王总": {3},
    "体检是哪天": {5},
    "吃药的事": {6},
    "去上海的票买了吗": {12},
    "上海的酒店订了几晚": {19},
    "会员卡续了没": {26},
    "海报设计得怎么样了": {24},
    "空调清洗约了吗": {16},
    "车子保养的事": {23},
    "游泳班报名了没": {11},
    "会议纪要发了吗": {9},
    "屏幕坏了的电脑修了吗": {18},
    "生日会上要用的海边照片": {29},
}
_SHUFFLE = Random(7)
OTHERS = ["".join(_SHUFFLE.sample(text, len(text))) for text in ASKED for _ in range(6)]
"""Texts of the questions' own characters in another order: other words, as 会计 is none of 会议 and 计划."""


def recall(read: object, most: int) -> float:
    """The share of questions whose summary is among the first `most` found."""
    assert callable(read)
    found = {number: read(text) for number, text in enumerate([*TASKS, *OTHERS])}
    hits = sum(bool(right & set(ranking.by_words(read(text), found)[:most])) for text, right in ASKED.items())
    return hits / len(ASKED)


def test_pairs_find_what_single_characters_miss() -> None:
    def singles(text: str) -> list[str]:
        return [term for term in terms(text) if len(term) == 1]

    assert recall(query, 5) > recall(singles, 5)
    assert recall(query, 5) >= 0.9


def test_the_rare_word_counts_more() -> None:
    found = {number: terms(text) for number, text in enumerate(["会议 开会", "会议 开会", "会议 体检"])}
    assert ranking.by_words(terms("会议体检"), found)[0] == 2


def test_what_has_nothing_in_common_is_not_found() -> None:
    assert ranking.by_words(terms("体检"), {1: terms("爬山")}) == []


@given(st.lists(st.text(max_size=20), max_size=8), st.text(max_size=30))
def test_ranking_takes_anything(texts: list[str], asked: str) -> None:
    order = ranking.by_words(query(asked), {number: terms(text) for number, text in enumerate(texts)})
    assert len(set(order)) == len(order)
    assert set(order) <= set(range(len(texts)))


def test_both_orders_count() -> None:
    assert ranking.merged([1, 2, 3], [3, 2]) == [3, 2, 1]
    assert ranking.merged([1, 2], [2, 1])[0] in (1, 2)
    assert ranking.merged([], []) == []


def test_vectors_keep_their_direction() -> None:
    stored = vectors.unpacked(vectors.packed([3.0, 4.0]))
    assert list(stored) == pytest.approx([0.6, 0.8])
    assert len(vectors.packed([1.0] * 10)) == 40


def test_the_nearest_first_and_strangers_not_at_all() -> None:
    stored = [
        ("same", vectors.packed([1.0, 0.0])),
        ("near", vectors.packed([1.0, 1.0])),
        ("across", vectors.packed([0.0, 1.0])),
        ("other model", vectors.packed([1.0, 0.0, 0.0])),
        ("torn", b"\x00\x00\x00"),
    ]
    assert vectors.nearest([5.0, 0.0], stored, 10) == ["same", "near"]
    assert vectors.nearest([5.0, 0.0], stored, 1) == ["same"]


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=20))
def test_any_vector_is_kept(numbers: list[float]) -> None:
    stored = vectors.unpacked(vectors.packed(numbers))
    assert len(stored) == len(numbers)
    assert all(map(math.isfinite, stored))
