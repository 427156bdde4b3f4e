"""A plan made by several in several lines: it was said, and it is asked of whoever set its time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.secretary.plans import locate_plan, may_make_plan
from stand_ins import line

NOW = datetime(2026, 3, 12, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
TALK = [
    line(1, "那评审放哪天啊", user_id="1"),
    line(2, "周五吧", user_id="2"),
    line(3, "下午两点咋样 302", user_id="3"),
    line(4, "ok", user_id="2"),
]


def test_it_is_asked_of_who_set_the_time() -> None:
    found = locate_plan("周五下午两点302评审", TALK, NOW)
    assert found is not None
    assert (found.words, found.said.user_id) == ("周五下午两点302评审", "3")


@pytest.mark.parametrize(
    "plan", ["后天晚上八点总统府开会", "评审", "", "周日上午九点去爬山", "周五下午两点" + "很长" * 100]
)
def test_what_nobody_said_is_no_plan(plan: str) -> None:
    assert locate_plan(plan, TALK, NOW) is None


def test_our_own_lines_set_nothing() -> None:
    ours = [line(1, "要周五下午两点评审吗", is_bot=True)]
    assert locate_plan("周五下午两点评审", ours, NOW) is None


DINNER = [
    line(1, "这周五聚一下？小林走之前", user_id="1"),
    line(2, "可以啊 吃啥", user_id="2"),
    line(3, "火锅 没商量", user_id="3"),
    line(4, "几点 我六点半下班", user_id="1"),
    line(5, "七点吧 赶得上", user_id="2"),
    line(6, "老地方？", user_id="3"),
    line(7, "行吧 我能到", user_id="4"),
]


def test_a_clock_without_its_half_of_the_day_is_the_plans() -> None:
    found = locate_plan("周五晚上七点老地方火锅", DINNER, NOW)
    assert found is not None
    assert found.said.user_id == "2"


@pytest.mark.parametrize(
    "last", ["行吧 我能到", "ok", "好", "我也去", "算我一个", "那就这样", "没问题", "可以 我提前去占位"]
)
def test_going_along_with_a_clock_is_worth_a_look(last: str) -> None:
    talk = [replace(each, processed=True) for each in DINNER[:-1]]
    assert may_make_plan([*talk, line(7, last, user_id="4")], NOW)


@pytest.mark.parametrize("last", ["我六点半才下班", "哈哈哈哈", "去哪", "我也不会", "我周末加班", "1块钱"])
def test_other_talk_is_not(last: str) -> None:
    talk = [replace(each, processed=True) for each in DINNER[:-1]]
    assert not may_make_plan([*talk, line(7, last, user_id="4")], NOW)


def test_assent_to_nothing_with_a_clock_is_not() -> None:
    assert not may_make_plan(
        [line(1, "中午吃啥", user_id="1"), line(2, "食堂吧", user_id="2"), line(3, "行", user_id="1")], NOW
    )
    assert not may_make_plan([line(1, "周五晚上七点火锅", user_id="1"), line(2, "好", user_id="1")], NOW), (
        "by oneself"
    )


def test_what_was_looked_at_is_not_looked_at_again() -> None:
    assert not may_make_plan([replace(each, processed=True) for each in DINNER], NOW)
