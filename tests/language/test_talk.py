"""The talk judge: what it makes of sentences it never learned from, and of lines of any kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import judge_talk
from nonebot_plugin_mishu.language.talk import AMOUNT, BUCKETS, TIME, WORK_ABOVE, masked
from nonebot_plugin_mishu.text.windows import read_weights, score

from training.judges import JUDGES
from training.sentences import read_sentences

TALK = next(each for each in JUDGES if each.name == "talk")


def test_most_orders_pass_and_most_talk_is_objected_to() -> None:
    weights = read_weights(TALK.weights, BUCKETS)
    held = [each for each in read_sentences(TALK) if each.held_out]
    orders = [score(each.buckets, weights) > WORK_ABOVE for each in held if each.wanted]
    talk = [score(each.buckets, weights) > WORK_ABOVE for each in held if not each.wanted]
    assert len(orders) > 800
    assert len(talk) > 1200
    assert sum(orders) > 0.88 * len(orders)
    assert sum(talk) < 0.25 * len(talk)


def test_times_and_sums_are_signs() -> None:
    assert masked("明天8点买菜35", [(0, 4)], [(6, 8)]) == f"{TIME}买菜{AMOUNT}"
    assert masked("ABC", [(0, 2), (1, 3)], []) == f"{TIME}c"


@given(st.text(max_size=200))
def test_any_line_is_judged(line: str) -> None:
    assert judge_talk(line).talk in (True, False)
