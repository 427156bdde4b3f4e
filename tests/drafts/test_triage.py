"""Layer 1: `data/triage.yaml` is the specification, one test a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.answers.answer_words import VOCABULARY, Word, by_word
from nonebot_plugin_mishu.language.cards.grammar import Kind
from nonebot_plugin_mishu.language.cards.triage import only_items, triage
from nonebot_plugin_mishu.language.text.fold import normalise
from rows import each_row

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "triage.yaml").read_text(encoding="utf-8")
)
ORDERS = {Kind.CANCEL, Kind.EXIT, Kind.CONTINUE, Kind.CONFIRM, Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM}


@each_row("case", CASES, ids=[f"{case['say']}-{case.get('of', 10)}" for case in CASES])
def test_utterances(case: dict[str, Any]) -> None:
    read = triage(case["say"], case.get("of", 10))
    assert read.kind == case["is"]
    assert list(read.items) == case.get("items", [])
    assert read.about_batch is case.get("about", True)
    assert [{order.kind.value: list(order.items)} for order in read.orders] == case.get("orders", [])


def test_the_data_file_is_large_enough() -> None:
    assert len(CASES) >= 300
    assert sum(Kind(case["is"]) not in ORDERS for case in CASES) >= 100


@pytest.mark.parametrize(
    ("text", "kind", "items"),
    [
        ("确认第二笔", Kind.CONFIRM_ITEM, (1,)),
        ("删掉第三笔", Kind.CANCEL_ITEM, (2,)),
        ("绝对不行", Kind.CORRECTION, ()),
        ("好像不太对", Kind.CORRECTION, ()),
        ("不用确认了", Kind.CORRECTION, ()),
        ("考试结束后吃饭30", Kind.NEW_INPUT, ()),
        ("还有一笔奶茶15", Kind.NEW_INPUT, ()),
        ("第五笔前面的都确认", Kind.CORRECTION, ()),
        ("五一可以", Kind.NEW_INPUT, ()),
        ("九成", Kind.NEW_INPUT, ()),
        ("等等，确认", Kind.CORRECTION, ()),
        ("等等，还有", Kind.CONTINUE, ()),
    ],
)
def test_pitfall_51_an_order_is_never_found_inside_a_line(
    text: str, kind: Kind, items: tuple[int, ...]
) -> None:
    read = triage(text, 10)
    assert (read.kind, read.items) == (kind, items)


@pytest.mark.parametrize("item_count", range(1, 11))
def test_numbers_beyond_the_card_never_become_others(item_count: int) -> None:
    for number in range(item_count + 1, 20):
        read = triage(f"确认第{number}笔", item_count)
        assert (read.kind, read.items) == (Kind.CONFIRM_ITEM, (number - 1,))
        assert triage(f"确认{number}", item_count).kind is Kind.CORRECTION
        assert triage(f"除了第{number}笔都确认", item_count).kind is Kind.CORRECTION


def test_the_agents_terms_make_a_line_about_the_batch() -> None:
    assert not triage("不要奶茶", 3).about_batch
    named = triage("不要奶茶", 3, terms=("奶茶", "打车"))
    assert named.about_batch
    assert named.kind is Kind.CORRECTION


@pytest.mark.parametrize(
    ("text", "items"),
    [("第二笔", (1,)), ("2", (1,)), ("第一和第三笔吧", (0, 2)), ("第二笔确认", ()), ("嗯", ()), ("30", ())],
)
def test_a_line_that_only_names_items(text: str, items: tuple[int, ...]) -> None:
    assert only_items(text, 3) == items


def test_a_word_stands_in_one_table_in_the_form_in_which_lines_are_read() -> None:
    words = [word for table in VOCABULARY.values() for word in table]
    assert len(words) == len(set(words)) == len(by_word())
    assert [word for word in words if normalise(word).lower() != word] == []
    assert set(VOCABULARY) == set(Word)


LETTERS = [word for table in VOCABULARY.values() for word in table[:12]]
PIECES = st.lists(
    st.sampled_from([*LETTERS, "第二笔", "2", "前两笔", "，", "打车", "50块", "？"]), max_size=8
)


@given(PIECES)
def test_an_order_with_a_question_or_an_unknown_word_is_none(pieces: list[str]) -> None:
    line = "".join(pieces)
    for ending in ("吗", "？", "她说的"):
        assert triage(line + ending, 10).kind not in ORDERS


@given(PIECES, st.integers(0, 12))
def test_items_are_ascending_and_an_order_on_items_names_some(pieces: list[str], item_count: int) -> None:
    read = triage("".join(pieces), item_count)
    assert list(read.items) == sorted(set(read.items))
    assert (read.kind in (Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM)) == bool(read.items)


@given(st.text(), st.integers(0, 12))
def test_never_raises(text: str, item_count: int) -> None:
    triage(text, item_count)


@pytest.mark.parametrize(
    "text", ["确认" * 500_000, "1," * 500_000, "y" * 1_000_000, "第" * 1_000_000, " " * 1_000_000]
)
def test_a_megabyte_is_no_order(text: str) -> None:
    assert triage(text, 10).kind not in ORDERS
