"""A plan made by several in several lines, heard by the rules alone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.secretary.plans import find_agreed_plan
from nonebot_plugin_mishu.storage.records import LedgerMessage
from stand_ins import line

NOW = datetime(2026, 3, 12, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def talk(*said: tuple[str, str], apart: float = 20.0) -> list[LedgerMessage]:
    began = NOW.timestamp() - apart * len(said)
    return [
        line(number, text, user_id=who, name=f"名{who}", time=began + apart * number)
        for number, (who, text) in enumerate(said, 1)
    ]


@pytest.mark.parametrize(
    ("said", "whose", "words"),
    [
        ((("1", "那评审放哪天啊"), ("2", "周五吧 下午两点 302"), ("1", "ok")), "2", "周五 下午两点 302 评审"),
        ((("1", "聚餐几点啊"), ("2", "周六晚上七点吧"), ("3", "好的")), "2", "周六晚上七点 聚餐"),
        ((("1", "帮战周五晚上八点"), ("1", "扣1"), ("2", "1")), "1", "帮战周五晚上八点"),
        ((("1", "帮战周五晚上八点"), ("2", "1"), ("3", "1")), "1", "帮战周五晚上八点"),
        ((("1", "周日下午两点剧本杀 扣1"), ("2", "我来"), ("3", "+1")), "1", "周日下午两点剧本杀 扣1"),
    ],
)
def test_it_is_whose_who_set_the_time(said: tuple[tuple[str, str], ...], whose: str, words: str) -> None:
    found = find_agreed_plan(talk(*said), NOW)
    assert found is not None
    assert (found.said.user_id, found.words) == (whose, words)


@pytest.mark.parametrize(
    "said",
    [
        (("1", "那评审放哪天啊"), ("2", "周五吧 下午两点 302")),
        (("1", "那评审放哪天啊"), ("2", "周五吧 下午两点 302"), ("2", "ok")),
        (("1", "帮战周五晚上八点"), ("2", "1")),
        (("1", "我周五晚上八点的飞机"), ("2", "好的")),
        (("1", "周五晚上八点有直播吗"), ("2", "1"), ("3", "1")),
        (("1", "今天好累"), ("2", "嗯"), ("3", "对")),
        (("1", "帮战周五晚上八点"), ("2", "哈哈"), ("3", "今天吃啥"), ("2", "1"), ("4", "1")),
        (("1", "嗯"),),
        (),
    ],
)
def test_what_is_no_plan_of_several(said: tuple[tuple[str, str], ...]) -> None:
    assert find_agreed_plan(talk(*said), NOW) is None


def test_an_old_proposal_is_agreed_to_by_nobody() -> None:
    said = (("1", "那评审放哪天啊"), ("2", "周五吧 下午两点 302"), ("1", "ok"))
    assert find_agreed_plan(talk(*said, apart=900.0), NOW) is None
