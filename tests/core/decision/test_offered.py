"""What a model may offer in a member's name, and the reason where it may not."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.core.decision.model.offered import (
    NO_ORDER,
    NO_TIME,
    NO_WORK,
    NOT_KEPT,
    agreed,
    by_itself,
    why_not,
)
from nonebot_plugin_mishu.language.clause import KeptThing, LastDone, Situation

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 26, 12, 0, tzinfo=ZONE)
THINGS = (
    KeptThing("schedule", "茶话会", "1", datetime(2026, 11, 28, 15, 0, tzinfo=ZONE)),
    KeptThing("schedule", "周一例会", "2", datetime(2026, 11, 30, 9, 0, tzinfo=ZONE)),
    KeptThing("schedule", "周三例会", "3", datetime(2026, 12, 2, 9, 0, tzinfo=ZONE)),
    KeptThing("tasks", "关火", "4", datetime(2026, 11, 26, 18, 0, tzinfo=ZONE)),
)
AGENTS = builtin_rules()
WHERE = Situation(NOW, things=THINGS, open_tasks=True)
BEHIND = Situation(
    NOW,
    things=THINGS,
    open_tasks=True,
    shown=(THINGS[1],),
    shown_at=NOW.timestamp() - 10,
    done=LastDone("新建日程「周一例会」", NOW.timestamp() - 10),
)


def refused(order: str, where: Situation) -> str | None:
    return why_not(read(order, by_itself(where), AGENTS), AGENTS)


@pytest.mark.parametrize("where", [WHERE, BEHIND], ids=["by itself", "behind a deed"])
@pytest.mark.parametrize(
    "order",
    [
        "周六下午三点体育馆打球 记到群日程",
        "周日中午12点海底捞聚餐 记到群日程",
        "加个任务：周六换护照",
        "茶话会地点改到二楼茶水间",
        "把关火的提醒改到18:20",
        "周六上午九点提醒我去换护照",
        "明天下午两点提醒我去取阿胶糕",
        "周五晚上七点剧本杀 记到群日程",
        "把茶话会改到周日下午两点",
        "茶话会地点改成302",
        "提醒我周日早上八点去香山",
    ],
)
def test_an_order_of_which_act_title_and_time_are_read_may_be_offered(order: str, where: Situation) -> None:
    reading = read(order, by_itself(where), AGENTS)
    assert why_not(reading, AGENTS) is None
    assert agreed(reading, AGENTS).sure


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("提醒我去换护照", NO_TIME),
        ("加个日程：部门聚餐", NO_TIME),
        ("今天天气真好", NO_WORK),
        ("多喝热水", NO_WORK),
        ("要是下雨就把茶话会取消", NO_ORDER),
        ("把面试改到周日下午两点", NOT_KEPT),
        ("把钢琴课的地点改到302", NOT_KEPT),
    ],
)
def test_a_refusal_says_what_is_missing(order: str, reason: str) -> None:
    assert refused(order, WHERE) == reason


def test_which_of_several_is_told_by_name() -> None:
    found = refused("把例会改到周五上午十点", WHERE)
    assert found is not None
    assert "周一例会" in found
    assert "周三例会" in found
