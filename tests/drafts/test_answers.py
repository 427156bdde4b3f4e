"""Layer 2: what a model says is applied exactly, or is unclear."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.drafts import CheckedAnswer, LineIntent, read_answer

THRESHOLD = 0.7
NUMBERS = (1, 4, 5)


def correction(**more: Any) -> dict[str, Any]:
    return {"intent": "correction", "corrections": [{"index": 1, "updatedFields": {"amount": 50.0}}], **more}


@pytest.mark.parametrize("confidence", [0.7, 0.92, 1, None])
def test_a_correction_is_mapped_back_to_the_card(confidence: float | None) -> None:
    answer = read_answer(correction(confidence=confidence), NUMBERS, THRESHOLD)
    assert answer == CheckedAnswer(LineIntent.CORRECTION, {4: {"amount": 50.0}})


@pytest.mark.parametrize("confidence", [0.69, 0.55, 0, -1, 1.5, True, "0.9", [], float("nan"), 10**400])
def test_too_little_or_no_proper_confidence_is_unclear(confidence: object) -> None:
    assert read_answer(correction(confidence=confidence), NUMBERS, THRESHOLD).intent is LineIntent.UNCLEAR


@pytest.mark.parametrize(
    ("intent", "corrections", "counts"),
    [
        ("correction", [{"index": 0, "updatedFields": {"amount": 1}}], True),
        ("append", [{"index": -1, "updatedFields": {"amount": 1}}], True),
        ("confirm", [], False),
        ("cancel", [], False),
    ],
)
def test_a_missing_confidence_counts_for_changes_only(intent: str, corrections: Any, counts: bool) -> None:
    answer = read_answer({"intent": intent, "corrections": corrections}, NUMBERS, THRESHOLD)
    assert (answer.intent is not LineIntent.UNCLEAR) is counts


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "confirm",
        {},
        {"intent": None},
        {"intent": "确认", "confidence": 1},
        {"intent": ["confirm"], "confidence": 1},
        {
            "intent": "cancel",
            "confidence": 0.9,
            "corrections": [{"index": 0, "updatedFields": {"amount": 1}}],
        },
        {"intent": "correction", "corrections": []},
        {"intent": "correction", "corrections": {}},
        {"intent": "correction", "corrections": ["x"]},
        {"intent": "correction", "corrections": [{"index": 3, "updatedFields": {"amount": 1}}]},
        {"intent": "correction", "corrections": [{"index": True, "updatedFields": {"amount": 1}}]},
        {"intent": "correction", "corrections": [{"index": 0.0, "updatedFields": {"amount": 1}}]},
        {"intent": "correction", "corrections": [{"index": "0", "updatedFields": {"amount": 1}}]},
        {"intent": "correction", "corrections": [{"updatedFields": {"amount": 1}}]},
        {"intent": "correction", "corrections": [{"index": 0, "updatedFields": {}}]},
        {"intent": "correction", "corrections": [{"index": 0, "updatedFields": {"amount": None}}]},
        {"intent": "correction", "corrections": [{"index": 0, "updatedFields": {1: 1}}]},
        {"intent": "correction", "corrections": [{"index": 0, "updatedFields": [1]}]},
        {"intent": "append", "corrections": [{"index": 0, "updatedFields": {"amount": 1}}]},
    ],
)
def test_whatever_is_not_exactly_right_is_unclear(raw: object) -> None:
    assert read_answer(raw, NUMBERS, THRESHOLD) == CheckedAnswer(LineIntent.UNCLEAR)


@pytest.mark.parametrize("confidence", [None, 0.9])
def test_a_confirm_that_changes_is_a_correction(confidence: float | None) -> None:
    changes = [{"index": 0, "updatedFields": {"amount": 32}}]
    raw = {"intent": "confirm", "corrections": changes, "confidence": confidence}
    assert read_answer(raw, NUMBERS, THRESHOLD) == CheckedAnswer(LineIntent.CORRECTION, {1: {"amount": 32}})


def test_null_fields_are_not_updated_and_two_entries_for_one_item_are_one() -> None:
    entries = [
        {"index": 0, "updatedFields": {"amount": 100, "type": None}},
        {"index": 0, "updatedFields": {"type": "INCOME"}},
    ]
    answer = read_answer({"intent": "correction", "corrections": entries}, NUMBERS, THRESHOLD)
    assert answer.changes == {1: {"amount": 100, "type": "INCOME"}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["intent", "corrections", "confidence", "index", "updatedFields", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_never_raises_and_never_names_an_item_that_was_not_shown(raw: object) -> None:
    answer = read_answer(raw, NUMBERS, THRESHOLD)
    assert set(answer.changes) <= set(NUMBERS)


def test_changes_new_items_and_removals_stand_beside_each_other() -> None:
    raw = {
        "intent": "correction",
        "corrections": [{"index": 0, "updatedFields": {"amount": 16}}],
        "added": [{"amount": 12, "description": "水果"}],
        "removed": [1],
    }
    answer = read_answer(raw, (0, 2), 0.7)
    assert (answer.intent, answer.changes, answer.removed) == (
        LineIntent.CORRECTION,
        {0: {"amount": 16}},
        (2,),
    )
    assert answer.added == ({"amount": 12, "description": "水果"},)


def test_a_cancel_that_names_what_goes_cancels_only_that() -> None:
    answer = read_answer({"intent": "cancel", "removed": [1], "confidence": 0.9}, (0, 1, 2), 0.7)
    assert (answer.intent, answer.removed) == (LineIntent.CORRECTION, (1,))


@pytest.mark.parametrize(
    "beside",
    [
        {"removed": [2]},
        {"removed": [-1]},
        {"removed": [0, 0]},
        {"removed": [True]},
        {"removed": ["0"]},
        {"removed": 0},
        {"added": {}},
        {"added": [{}]},
        {"added": ["午饭"]},
        {"removed": [0], "corrections": [{"index": 0, "updatedFields": {"amount": 5}}]},
    ],
)
def test_what_is_not_exactly_right_beside_is_unclear(beside: dict[str, object]) -> None:
    assert read_answer({"intent": "correction", **beside}, (0, 1), 0.7).intent is LineIntent.UNCLEAR


def test_a_confirm_that_removes_is_unclear() -> None:
    raw = {"intent": "confirm", "removed": [0], "confidence": 1.0}
    assert read_answer(raw, (0, 1), 0.7).intent is LineIntent.UNCLEAR
