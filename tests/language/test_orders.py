"""What the forms make of the sentences the agents' rules are tested with, and that nothing breaks them."""

from __future__ import annotations

import time

import pytest
from core.decision.support import DATA, NOW, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.routing import route
from nonebot_plugin_mishu.language import read
from nonebot_plugin_mishu.language.clause import Clause
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import fold

OF_BOOKS = "bookkeeping"
"""Accounts have rules of their own; the forms are asked for schedules and tasks."""
FILES = sorted(path.name for path in DATA.glob("*.yaml"))
SINGLE = [case for name in FILES for case in cases(name) if len(case.frames) == 1]
BORDERS = frozenset(
    {"negation", "change", "later", "earlier", "take_away", "defer", "whether", "what", "time"}
)


def clause_of(said: str, situation: object = None) -> Clause:
    """A whole line as one clause."""
    line = fold(said).text
    times = tuple(parse(line, NOW, NOW.tzinfo))  # type: ignore[arg-type]
    return Clause(line, situation, times, tuple(find_amounts(line)))  # type: ignore[arg-type]


def test_single_orders_and_talk_are_read_as_the_rules_read_them() -> None:
    wrong: list[str] = []
    asked = 0
    for case in SINGLE:
        (wanted, _) = case.frames[0]
        if wanted.startswith(OF_BOOKS):
            continue
        asked += 1
        routed = route(clause_of(case.said, case.situation))
        found = "chat/chitchat" if routed is None else f"{routed.agent_code}/{routed.intent}"
        if found != wanted:
            wrong.append(f"{case.said}: {found}, not {wanted}")
    assert asked > 900
    assert len(wrong) <= 0.1 * asked, "\n".join(wrong)


@given(st.text(alphabet="明天下午三点提醒我别不改到取消开会买菜吗，的了把 ok0-", max_size=40))
@settings(max_examples=200)
def test_a_free_slot_holds_no_word_of_an_order(said: str) -> None:
    clause = clause_of(said)
    for fit in read(clause.text, clause.times, clause.amounts).fits:
        for token in fit.slots.get("title", ()):
            deed = {"action", "occasion", "finish"}
            if "把" in clause.text[: token.start]:
                deed.add("change")  # 提醒我把会议改期: what is to be done with it
            assert token.classes.isdisjoint(BORDERS) or not token.classes.isdisjoint(deed)


@pytest.mark.parametrize("piece", ["提醒我", "改到明天", "买菜、", "把", "不", "(", "ok ", "\u200b"])
def test_a_long_line_takes_bounded_time(piece: str) -> None:
    read("热身")
    began = time.process_time()
    read(piece * 5_000)
    assert time.process_time() - began < 2
