"""What the safety tables' patterns need, and that no pattern sleeps through a text it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.core.safety_crime import CRIMES
from nonebot_plugin_mishu.core.safety_guards import GUARDS
from nonebot_plugin_mishu.core.safety_harm import HARM
from nonebot_plugin_mishu.core.safety_idioms import IDIOMS
from nonebot_plugin_mishu.core.safety_medical import BODY
from nonebot_plugin_mishu.core.safety_needs import Index, alternatives
from nonebot_plugin_mishu.core.safety_output import SPOKEN
from nonebot_plugin_mishu.core.safety_selfharm import SELF_HARM
from nonebot_plugin_mishu.core.safety_smuggled import SMUGGLING

_TABLES = (SELF_HARM, BODY, HARM, CRIMES, SMUGGLING, SPOKEN)
_TABLED = [
    *((f"{rule.name}", rule.pattern) for table in _TABLES for rule in (*table.rules, *table.hints)),
    *(("idiom", idiom) for idiom in IDIOMS),
]


@pytest.mark.parametrize(("name", "pattern"), _TABLED)
@given(data=st.data())
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
def test_a_pattern_is_woken_by_whatever_it_matches(name: str, pattern: str, data: st.DataObject) -> None:
    for part in alternatives(pattern):
        text = data.draw(st.from_regex(part.pattern.compiled), label=name)
        assert Index([(part.needs, True)]).found(text) == [True]


def test_every_pattern_and_guard_compiles() -> None:
    """They are compiled when a text first needs them, which is too late to find one broken."""
    for _, pattern in _TABLED:
        assert all(part.pattern.compiled for part in alternatives(pattern))
    assert all(re.compile(guard.pattern) for guard in GUARDS.values())


def test_a_broken_pattern_is_found_when_it_is_tried() -> None:
    (part,) = alternatives("a{2,1}")
    with pytest.raises(re.error):
        _ = part.pattern.compiled


def test_no_pattern_is_tried_on_every_text() -> None:
    assert [pattern for _, pattern in _TABLED for part in alternatives(pattern) if not part.needs] == []


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
    (part,) = alternatives(pattern)
    assert part.needs[:1] == tuple(map(frozenset, needs))[:1]
    assert len(part.needs) == len(needs)


@pytest.mark.parametrize("pattern", ["(a)", "a)", "(?P<name>a)"])
def test_a_pattern_of_another_kind_is_an_error(pattern: str) -> None:
    with pytest.raises((ValueError, re.error)):
        alternatives(pattern)
