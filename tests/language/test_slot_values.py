"""Values that an answer names, for slots of any agent."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import (
    Clause,
    Mention,
    Situation,
    amount_in,
    clock_in,
    day_in,
    member_in,
    number_in,
)
from nonebot_plugin_mishu.core.situation import whole

WHERE = Situation(
    datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai")),
    members=(Mention("1", "小红"), Mention("2", "小红军"), Mention("3", "阿凯")),
)


def line(text: str, where: Situation = WHERE) -> Clause:
    return whole(text, where)


@pytest.mark.parametrize(
    ("text", "day", "clock"),
    [
        ("明天下午三点", "2026-11-19", "15:00"),
        ("下午三点半", None, "15:30"),
        ("周五", "2026-11-20", None),
        ("12月3号晚上八点", "2026-12-03", "20:00"),
        ("随便", None, None),
    ],
)
def test_a_day_and_a_clock(text: str, day: str | None, clock: str | None) -> None:
    assert (day_in(line(text)), clock_in(line(text))) == (day, clock)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("五个", 5),
        ("12份", 12),
        ("两位", 2),
        ("明天三点五个人", 5),
        ("要两杯", 2),
        ("A3", None),
        ("第二个", None),
        ("两三个", None),
        ("五个人，三份", None),
        ("不知道", None),
    ],
)
def test_a_number(text: str, number: int | None) -> None:
    assert number_in(line(text)) == number


def test_a_sum() -> None:
    assert amount_in(line("一百二十元")) == "120"
    assert amount_in(line("没有")) is None


def test_a_member_by_name_or_mention() -> None:
    assert member_in(line("给阿凯")) == "3"
    assert member_in(line("给小红军")) == "2"
    assert member_in(line("给小红和阿凯")) is None
    assert member_in(line("给他", Situation(WHERE.now, mentions=(Mention("9", "老白"),)))) == "9"


def test_own_words_are_taken_out() -> None:
    said = line("明天的三号场")
    at = said.text.index("三号场")
    rest = said.without(at, at + 3)
    assert [time.text for time in rest.times] == ["明天"]
    assert "三号场" not in rest.text
    assert len(rest.text) == len(said.text)
