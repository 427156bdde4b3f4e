"""Data in quotations: nothing ends the one it stands in, nothing unseen, nothing long."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.prompts.quoting import (
    INDENT,
    LINE,
    NAME,
    WHOLE,
    as_data,
    clean_name,
    fitted,
    indented,
    one_line,
    quoted,
    shortened,
    visible,
)

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)


@given(ANY, st.integers(1, 100))
def test_a_quotation_cannot_be_ended(text: str, limit: int) -> None:
    shown = quoted(text, limit)
    assert shown[0] == "「"
    assert shown[-1] == "」"
    assert not set("「」『』【】[]<>{}\n\r\u2028\u2029\x85\u200b\u202e\x00") & set(shown[1:-1])
    assert len(shown) <= limit + 3
    assert len(shown.splitlines()) == 1


@given(ANY)
def test_names(text: str) -> None:
    shown = clean_name(text)
    assert 1 <= len(shown) <= NAME
    assert not set("「」【】[]\n") & set(shown)


@given(ANY)
def test_every_further_line_of_a_message_is_indented(text: str) -> None:
    first, *rest = indented(text).split("\n")
    assert first.splitlines() in ([], [first])
    assert all(each.startswith(INDENT) for each in rest)


@given(ANY)
def test_nothing_unseen_is_left_and_line_ends_are_one(text: str) -> None:
    shown = visible(text)
    assert all(each.splitlines() in ([], [each]) for each in shown.split("\n"))
    assert not set("\u200b\u200d\u202e\u2066\ufeff\x00\x1b\u3164\U000e0041") & set(shown)


@pytest.mark.parametrize("text", ["小明，明天三点开会", "周报 (v2)", "a b\nc", "👍🏻 好", "①②③ ½"])
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text
    assert fitted(text) == text


def test_long_lines_keep_head_and_tail() -> None:
    text = "".join(f"{number:04}" for number in range(500))
    shown = shortened(text)
    assert shown.startswith("0000" + "0001")
    assert shown.endswith("0498" + "0499")
    assert "（中间略去 1400 字）" in shown
    assert len(shown) < LINE + 20
    assert shortened("短") == "短"


@given(st.recursive(ANY | st.integers() | st.none() | st.booleans(), lambda each: st.lists(each, max_size=3)))
def test_values_of_other_kinds_stay(value: object) -> None:
    made = as_data({"value": value, "more": (1, 2.5, True, None)})
    assert made["more"] == [1, 2.5, True, None]
    assert json.loads(json.dumps(made)) == made


def test_every_line_and_every_value_is_bounded() -> None:
    made = as_data({"lines": "\n".join(["长" * 5000] * 100), "deep": [{"x": ["长" * 5000]}]})
    assert max(map(len, made["lines"].split("\n"))) <= LINE + 50
    assert len(made["lines"]) <= WHOLE + 50
    assert len(made["deep"][0]["x"][0]) <= LINE + 50


def test_a_million_characters_cost_little() -> None:
    assert len(one_line("\u200b" * 10**6)) <= 201
    assert len(fitted("长\n" * 10**6)) < LINE + 50
