"""A plan made by several in several lines: it was said, and it is asked of whoever set its time."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.secretary.plans import settled
from stand_ins import line

NOW = datetime(2026, 3, 12, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
TALK = [
    line(1, "那评审放哪天啊", user_id="1"),
    line(2, "周五吧", user_id="2"),
    line(3, "下午两点咋样 302", user_id="3"),
    line(4, "ok", user_id="2"),
]


def test_it_is_asked_of_who_set_the_time() -> None:
    found = settled("周五下午两点302评审", TALK, NOW)
    assert found is not None
    assert (found.words, found.said.user_id) == ("周五下午两点302评审", "3")


@pytest.mark.parametrize(
    "plan",
    ["后天晚上八点总统府开会", "评审", "", "周日上午九点去爬山", "周五下午两点" + "很长" * 100],
)
def test_what_nobody_said_is_no_plan(plan: str) -> None:
    assert settled(plan, TALK, NOW) is None


def test_our_own_lines_set_nothing() -> None:
    ours = [line(1, "要周五下午两点评审吗", is_bot=True)]
    assert settled("周五下午两点评审", ours, NOW) is None
