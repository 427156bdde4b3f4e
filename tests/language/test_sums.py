"""The judge of sums: what it makes of sentences it never learned from, and of lines of any kind."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import MOVED_ABOVE, SURELY_MOVED, moved
from nonebot_plugin_mishu.language.learned.sums import BUCKETS, masked
from nonebot_plugin_mishu.language.learned.windows import read_weights, score
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise

from training.judges import JUDGES
from training.sentences import read_sentences

SUMS = next(each for each in JUDGES if each.name == "sums")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


def test_most_that_was_paid_is_heard_and_most_that_is_only_talked_about_is_not() -> None:
    weights = read_weights(SUMS.weights, BUCKETS)
    held = [each for each in read_sentences(SUMS) if each.held_out]
    paid = [score(each.buckets, weights) > MOVED_ABOVE for each in held if each.wanted]
    talked = [score(each.buckets, weights) > SURELY_MOVED for each in held if not each.wanted]
    assert len(paid) > 600
    assert len(talked) > 300
    assert sum(paid) > 0.95 * len(paid)
    assert sum(talked) < 0.1 * len(talked)


def test_sums_and_times_are_signs_and_what_is_to_come_is_another() -> None:
    def seen(line: str) -> str:
        return masked(line, parse(line, NOW, NOW.tzinfo), find_amounts(line), NOW.date())

    assert seen("昨天买菜35") == "\ue000买菜\ue001"
    assert seen("明天买菜35") == "\ue003买菜\ue001"


@given(st.text(max_size=200))
def test_any_line_is_judged(line: str) -> None:
    text = normalise(line)
    assert isinstance(moved(text, (), find_amounts(text), date(2026, 11, 18)), float)
