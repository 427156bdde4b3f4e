"""What the safety tables' patterns need, and that no pattern sleeps through a text it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.safety import Rule, load
from nonebot_plugin_mishu.language.safety.required_characters import Index, needs_of
from nonebot_plugin_mishu.patterns import Pattern

_LOADED = load()
_ROWS = [*_LOADED.heard, *_LOADED.spoken]


def _woken(pattern: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(pattern)))
    assert Index([(needs_of(pattern), True)]).found(text) == [True]


@pytest.mark.exhaustive
@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row.name)
@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_a_pattern_is_woken_by_whatever_it_matches(row: Rule, data: st.DataObject) -> None:
    _woken(data.draw(st.sampled_from(row.patterns)), data)


def test_every_pattern_and_frame_compiles() -> None:
    """They are compiled when a text first needs them, which is too late to find one broken."""
    for row in _ROWS:
        assert all(re.compile(pattern) for pattern in row.patterns)
    assert all(re.compile(frame.pattern) for frame in _LOADED.frames.values())


def test_a_broken_pattern_is_found_when_it_is_tried() -> None:
    with pytest.raises(re.error):
        Pattern("a{2,1}").search("a")


def test_no_pattern_is_tried_on_every_text() -> None:
    assert [(row.name, pattern) for row in _ROWS for pattern in row.patterns if not needs_of(pattern)] == []


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        ("死", ["死"]),
        ("安(?:眠药|定)", ["安", "眠定"]),
        ("想.{0,3}死?", ["想"]),
        ("(?:很|太)?好{1,2}", ["好"]),
        ("[^死]活", ["活"]),
        ("(?<!不)[要想](?=死)", ["想要"]),
        (r"\d+片", ["片"]),
        ("(?:a|b?)", []),
        ("[0-9]+", ["0123456789"]),
    ],
)
def test_what_a_pattern_needs(pattern: str, needs: list[str]) -> None:
    found = needs_of(pattern)
    assert found[:1] == tuple(map(frozenset, needs))[:1]
    assert len(found) == len(needs)


@pytest.mark.parametrize("pattern", ["(a)", "a)", "(?P<name>a)"])
def test_a_pattern_of_another_kind_is_an_error(pattern: str) -> None:
    with pytest.raises((ValueError, re.error)):
        needs_of(pattern)
