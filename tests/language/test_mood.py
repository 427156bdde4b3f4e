"""Mood of a clause: a table, and what holds of any line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import ends_in_question, is_bare, mood_of, offers_choice
from nonebot_plugin_mishu.language.mood import HEADS, leaves_open
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise
from rows import each_row

from benchmarks.understanding import NOW, ZONE

ROWS = yaml.safe_load((Path(__file__).parent / "data" / "moods.yaml").read_text("utf-8"))
PARTS = ("kind", "polarity", "aspect", "modality")
PLAIN = ("order", "plus", "to_do", "none")


def heard(text: str, act: str, lead: str = "") -> dict[str, str]:
    line = normalise(text)
    return mood_of(line, act, tuple(parse(line, NOW, ZONE)), tuple(find_amounts(line)), lead=lead).as_json()


@each_row("row", ROWS, ids=lambda row: row["say"])
def test_moods(row: dict[str, Any]) -> None:
    told = row["mood"].split("/")
    want = dict(zip(PARTS, (*told, *PLAIN[len(told) :]), strict=True))
    assert heard(row["say"], row["act"]) == want


@pytest.mark.parametrize(
    ("lead", "kind"),
    [("要是下雨，", "condition"), ("听说", "report"), ("小王说，", "report"), ("今天真累，", "order")],
)
def test_what_leads_into_a_clause_counts(lead: str, kind: str) -> None:
    assert heard("把羽毛球取消", "delete", lead)["kind"] == kind


@pytest.mark.parametrize("text", ["停", "恢复", "取消", "改"])
def test_a_verb_alone_is_bare(text: str) -> None:
    assert is_bare(text) is (text != "恢复")


@pytest.mark.parametrize("text", ["取消周会", "改到四点", "删掉那个"])
def test_a_verb_with_its_thing_is_not(text: str) -> None:
    line = normalise(text)
    assert not is_bare(line, tuple(parse(line, NOW, ZONE)))


@pytest.mark.parametrize(
    ("text", "asks"), [("真的会猝死吗", True), ("来不", True), ("好的", False), ("不", False), ("？", True)]
)
def test_questions_at_the_end(text: str, asks: bool) -> None:
    assert ends_in_question(normalise(text)) is asks


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("聚餐周五还是周六好", True),
        ("周五或者周六去看电影", True),
        ("改成9点还是10点", True),
        ("聚餐还是周六", False),
        ("羽毛球改周四 还是晚上七点哈", False),
        ("还信用卡提前到24号 还是九点", False),
        ("周五和周六都去", False),
    ],
)
def test_two_times_of_which_one_is_meant(text: str, offers: bool) -> None:
    line = normalise(text)
    assert offers_choice(line, tuple(parse(line, NOW, ZONE))) is offers


@given(st.text(max_size=80), st.sampled_from([*HEADS, "amend", "query", "?"]), st.text(max_size=20))
def test_any_line_has_a_mood(text: str, act: str, lead: str) -> None:
    mood = mood_of(text, act, lead=lead)
    assert mood.plain == (mood.kind == "order" and mood.polarity == "plus" and mood.modality == "none")


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("待定", True),
        ("我再想想", True),
        ("有可能", True),
        ("八字还没一撇呢", True),
        ("我问问再说", True),
        ("看情况吧", True),
        ("还没定好", True),
        ("不一定", True),
        ("大家都来", False),
        ("到时候看电影", False),
        ("记得提醒我", False),
        ("", False),
    ],
)
def test_a_piece_that_leaves_open_what_stands_before_it(text: str, leaves: bool) -> None:
    assert leaves_open(normalise(text)) is leaves
