"""What holds of any line in any world: it is read, and what is read of it stands in it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.decision.support import AGENTS
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.config import loading as configuration
from nonebot_plugin_mishu.core.decision import clauses, read
from nonebot_plugin_mishu.language import words_of
from nonebot_plugin_mishu.language.clause import KeptThing, Mention, Situation

from benchmarks.corpus import read_corpus
from benchmarks.understanding import NAMES, NOW, ZONE
from bot.explain import explain

SAID = [row.say for row in read_corpus()]
PIECES = st.sampled_from(
    [
        *(piece for said in SAID for piece in said.split()),
        *(
            "，",
            "。",
            "第二个",
            "那个",
            "别",
            "不",
            "取消",
            "改到",
            "推迟半小时",
            "记一下",
            "午饭35",
            "\n",
            "“",
            "”",
        ),
    ]
)
LINES = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=7).map(" ".join), st.sampled_from(SAID))
NAMES_OF_THINGS = st.one_of(
    st.sampled_from(
        ["羽毛球", "设计评审", "技术评审", "聚餐", "周会", "买猫粮", "给客户打电话", "跑步", "", "会"]
    ),
    st.text(max_size=8),
)
THINGS = st.lists(
    st.builds(
        lambda agent, name, number, hours: KeptThing(
            agent, name, str(number), None if hours is None else NOW + timedelta(hours=hours)
        ),
        st.sampled_from(["schedule", "tasks"]),
        NAMES_OF_THINGS,
        st.integers(1, 99),
        st.one_of(st.none(), st.integers(-48, 400)),
    ),
    max_size=6,
)
NEVER_PASSED_OVER = frozenset({"filler", "courtesy", "particle", "call", "aside", "greeting"})


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Any world."""
    things = tuple(draw(THINGS))
    shown = tuple(draw(st.lists(st.sampled_from(things), max_size=3))) if things else ()
    return Situation(
        NOW,
        private=draw(st.booleans()),
        addressed=draw(st.booleans()),
        members=(Mention("10001", "阿凯"), Mention("10002", draw(st.text(max_size=4)))),
        open_tasks=any(thing.agent == "tasks" for thing in things),
        things=things,
        shown=shown,
    )


@given(LINES, situations())
@settings(max_examples=300)
def test_any_line_in_any_world_is_read(line: str, situation: Situation) -> None:
    found = read(line, situation, AGENTS)
    ids = {thing.id for thing in situation.things}
    assert found.frames
    for frame in found.frames:
        slots = dict(frame.slots)
        assert {slots.get("ref"), *slots.get("refs", [])} - {None} <= ids, (
            "nothing is meant that is not there"
        )
        for start, end in frame.read.spans.values():
            assert 0 <= start <= end <= len(frame.text)


@given(LINES, situations())
@settings(max_examples=300)
def test_nothing_passes_over_a_negation(line: str, situation: Situation) -> None:
    for clause in clauses(line, situation):
        for token in words_of(clause.text, clause.times, clause.amounts):
            assert not ("negation" in token.classes and token.classes & NEVER_PASSED_OVER)


@given(LINES)
@settings(max_examples=100)
def test_what_is_explained_is_one_object_that_any_line_has(line: str) -> None:
    told: dict[str, Any] = explain(line, NOW, ZONE, configuration.read({}, {}), NAMES, None)
    assert told["frames"]
    assert told["sure"] in (True, False)
    assert all(told["unread"])
