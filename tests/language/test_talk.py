"""Talk: what the judge makes of lines it never learned from, and of lines of any kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import TalkScore, judge_talk, words_of
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.clauses.segments import message

from benchmarks.corpus import Row, said_rows
from benchmarks.understanding import NOW


def judged(row: Row) -> TalkScore:
    said, _ = message(row.say, Situation(NOW))
    return judge_talk(said.text, words_of(said.text, said.times, said.amounts))


def test_most_orders_pass_and_most_talk_is_objected_to() -> None:
    held = [row for row in said_rows() if row.held_out]
    orders = [judged(row) for row in held if row.frames]
    talk = [judged(row) for row in held if not row.frames]
    assert len(orders) > 1000
    assert len(talk) > 200
    assert sum(each.talk for each in orders) < 0.1 * len(orders)
    assert sum(each.surely_talk for each in orders) < 0.04 * len(orders)
    assert sum(each.talk for each in talk) > 0.75 * len(talk)


@given(st.text(max_size=200))
def test_any_line_is_judged(line: str) -> None:
    assert judge_talk(line, words_of(line)).talk in (True, False)
