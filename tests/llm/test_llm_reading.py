"""Reading JSON from a model's text: lenient in form, never inventing (pitfalls 36 and 37)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers_llm import Check
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.llm.answers.json_reading import (
    LONGEST,
    Unreadable,
    arguments,
    values,
    without_thoughts,
)
from nonebot_plugin_mishu.llm.answers.validation import choose
from pydantic import BaseModel

WHOLE = '{"verdict": "SAFE", "items": [1, 2]}'
SAFE = Check(verdict="SAFE", items=[1, 2])


def read(text: str, *, writes: bool = False) -> Check | str:
    """The answer in a text, or why there is none."""
    try:
        return choose(values(text), Check, writes=writes)
    except Unreadable as error:
        return error.reason


@pytest.mark.parametrize("writes", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        "\ufeff" + WHOLE + "\n\n",
        f"```json\n{WHOLE}\n```",
        f"```\n{WHOLE}\n```\n以上。",
        f"好的，结果是：{WHOLE}",
        f"<think>先看看 {{ 再说</think>{WHOLE}",
        f"<think>一</think>\n<think>二</think>\n{WHOLE}",
        f"也许是 {{}} 吧</think>\n\n{WHOLE}",
        json.dumps(WHOLE),
        f"{WHOLE}\n{WHOLE}",
        f"[备注] {WHOLE} 【完】",
    ],
)
def test_pitfall_36_what_is_read(text: str, writes: bool) -> None:
    assert read(text, writes=writes) == SAFE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "blank"),
        ("  \n", "blank"),
        ("<think>想着想着就", "blank"),
        ("没问题", "nothing"),
        ("null", "nothing"),
        ("12", "nothing"),
        ('{"verdict": "SAFE"', "unbalanced"),
        ('```json\n{"verdict": "SAFE", "items": [1\n```', "unbalanced"),
        ('{"verdict": "SAFE"]}', "unbalanced"),
        ('{"verdict": "SAFE",}', "nothing"),
        ("{'verdict': 'SAFE'}", "nothing"),
        ('{"verdict": "SAFE", "items": [NaN]}', "nothing"),
        ('{"verdict": "SAFE", "items": [1e999]}', "nothing"),
        ('{"verdict": "SAFE", "verdict": "BLOCK"}', "nothing"),
        ('{"verdict": "MAYBE"}', "mismatch"),
        ("{}", "mismatch"),
        ("[1, 2]", "mismatch"),
        ("[" * 100_000 + "]" * 100_000, "nothing"),
        ('{"a":' * 300 + WHOLE + "}" * 300, "nothing"),
        ('{"verdict": ' + "[" * 300 + "]" * 300 + "}", "nothing"),
        ("{} " * 100, "too_long"),
        ("9" * 5000 + WHOLE, SAFE),
        ('{"verdict": "SAFE", "items": [' + "9" * 5000 + "]}", "nothing"),
        (" " * (LONGEST + 1), "too_long"),
    ],
)
def test_pitfall_37_what_is_not_read(text: str, why: object) -> None:
    assert read(text) == why


def test_pitfall_37_a_piece_of_a_broken_answer_is_no_answer() -> None:
    inner = '{"verdict": "SAFE"}'
    assert read(f'{{"a": {inner}, "b": oops}}') == "nothing"
    assert read(f'{{"a": [{inner}, {inner}') == "unbalanced"
    assert read(f'[{inner}, {{"verdict": "BLO') == "unbalanced"


def test_two_objects_first_that_fits_or_none_where_something_is_written() -> None:
    both = '{"verdict": "BLOCK"} 或者 {"verdict": "SAFE"}'
    assert read(both) == Check(verdict="BLOCK")
    assert read(both, writes=True) == "ambiguous"
    assert read('{"x": 1} {"verdict": "SAFE"}') == Check(verdict="SAFE")
    assert read('{"x": 1} {"verdict": "SAFE"}', writes=True) == "ambiguous"


@pytest.mark.parametrize(
    ("said", "meant"),
    [("是", True), ("否", False), ("true", True), ("不是", False), (" 对 ", True), (1, True)],
)
def test_pitfall_36_words_for_truth(said: object, meant: bool) -> None:
    assert read(json.dumps({"verdict": "SAFE", "sure": said})) == Check(verdict="SAFE", sure=meant)


def test_words_that_are_no_truth_are_not_guessed() -> None:
    assert read('{"verdict": "SAFE", "sure": "也许"}') == "mismatch"


def test_null_is_missing_where_there_is_a_default() -> None:
    assert read('{"verdict": "SAFE", "sure": null, "items": null}') == Check(verdict="SAFE")
    assert read('{"verdict": null}') == "mismatch"


class Items(BaseModel):
    items: list[Check]


def test_a_bare_list_is_the_only_field() -> None:
    found = choose(values(f"[{WHOLE}]"), Items, writes=True)
    assert found == Items(items=[SAFE])
    nested = '{"items": [{"verdict": "SAFE", "sure": "否"}, {"verdict": "BLOCK", "sure": null}]}'
    assert choose(values(nested), Items, writes=True).items[0].sure is False


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, {}),
        ("", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{"a": 1', None),
        ('{"a": 1}{"b": 2}', None),
        ("[1]", None),
        (7, None),
        ("null", None),
    ],
)
def test_tool_arguments(given: object, meant: object) -> None:
    assert arguments(given) == meant


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("你好", "你好"),
        ("<think>嗯</think>你好", "你好"),
        ("嗯</think>\n你好", "你好"),
        ("<think>嗯", ""),
        ("标签写作<think>和</think>", "标签写作<think>和</think>"),
        ("</think>", ""),
    ],
)
def test_thoughts_are_left_out(text: str, left: str) -> None:
    assert without_thoughts(text) == left


plain = st.text(st.characters(exclude_characters='{}[]"<', exclude_categories=["Cs"]), max_size=40)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=5), json_values, min_size=1, max_size=4)


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_any_text_is_read_or_unreadable(text: str) -> None:
    read(text)


@given(st.text(alphabet='{}[]",:\\ 1truefalsnl<thik>/`', max_size=60))
@settings(max_examples=500)
def test_what_is_read_stands_in_the_text(text: str) -> None:
    try:
        found = values(text)
    except Unreadable:
        return
    whole = [_loads(text[start:end]) for start in range(len(text)) for end in range(start + 1, len(text) + 1)]
    for value in found:
        assert value in whole or value in [_loads(inner) for inner in whole if isinstance(inner, str)]


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@pytest.mark.parametrize("text", ['好的：{"a": "</think>"}', '好的 {} 再 {"a": ["</think>", 1]} 完'])
def test_the_end_of_a_thought_inside_a_value_ends_no_thought(text: str) -> None:
    assert any("</think>" in str(value) for value in values(text))


@pytest.mark.parametrize("text", ['也许 {"a": 1}</think>没有', '也许 {"a": 1} { </think>没有'])
def test_an_object_of_a_thought_is_no_answer(text: str) -> None:
    with pytest.raises(Unreadable):
        values(text)


@example("0", {"": "</think>"}, "", False)
@given(plain, objects, plain, st.booleans())
def test_an_object_in_prose_is_found_as_it_is(
    before: str, value: dict[str, Any], after: str, raw: bool
) -> None:
    written = json.dumps(value, ensure_ascii=raw)
    assert values(f"{before}{written}{after}") == [value]


@given(plain, objects, st.data())
def test_pitfall_37_no_part_of_a_cut_answer_is_read(before: str, value: dict[str, Any], data: Any) -> None:
    written = json.dumps({"answer": value, "more": [value, value]}, ensure_ascii=False)
    cut = data.draw(st.integers(1, len(written) - 1))
    with pytest.raises(Unreadable):
        values(before + written[:cut])


@given(json_values)
def test_arguments_are_an_object_or_nothing(value: Any) -> None:
    for given_ in (value, json.dumps(value)):
        found = arguments(given_)
        if isinstance(value, dict):
            assert found == value
        else:
            assert not found


@given(json_values)
def test_choosing_raises_its_own_error_only(value: Any) -> None:
    for writes in (False, True):
        try:
            choose([value], Check, writes=writes)
        except Unreadable:
            continue
