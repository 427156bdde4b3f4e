"""What the console makes of a sentence: names are the members', not every word after 打."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.language.clause import Mention
from nonebot_plugin_mishu.services import sentences

NOW = datetime(2026, 11, 24, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
ME, YA, KAI = Mention("1", "陈默"), Mention("2", "小雅"), Mention("3", "阿凯")


def heard(text: str) -> sentences.SentenceReading:
    return sentences.read_sentence(text, NOW, [ME, YA, KAI], ME)


@pytest.mark.parametrize("text", ["打车23", "打水5块", "发快递12", "打印3元", "打包盒2元"])
def test_what_costs_money_is_no_gift_to_a_thing(text: str) -> None:
    (item,) = heard(text).items
    assert (item.kind, item.fields["type"]) == ("transaction", "EXPENSE")


@pytest.mark.parametrize("text", ["我还小雅50", "转给阿凯100", "我把钱还给小雅了"])
def test_what_is_given_to_a_member_is_settled_where_debts_are(text: str) -> None:
    said = heard(text)
    assert not said.items
    assert "还钱" in said.trouble


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("明天8点：是早上（08:00）还是晚上（20:00）？", False),
        ("要做的是什么事？", False),
        ("是哪个？\n1. 周会\n2. 评审，几点？", False),
        ("注意，同一时间还有：评审会。还是要这样安排吗？", True),
        ("要记这笔吗？\n午饭 35元（餐饮）\n回「确认」就记下", True),
        ("第1笔本来就是这样\n（现在是现在只会改，只会简单的修改）", True),
    ],
)
def test_a_yes_is_offered_where_it_answers(question: str, yes: bool) -> None:
    today = pytest.importorskip("nonebot_plugin_mishu.web.console.today")
    assert today.yes_answers(question) is yes


def people(said: sentences.SentenceReading) -> list[Any]:
    (item,) = said.items
    return list(item.fields["participants"])


def test_an_expense_is_shared_among_those_that_are_named() -> None:
    said = heard("火锅240 我和小雅、阿凯 AA")
    assert people(said) == [("1", None), ("2", None), ("3", None)]
    assert "3人AA，每人80元" in said.items[0].shown


@pytest.mark.parametrize(
    ("text", "why"),
    [("和小红AA 聚餐100", "小红"), ("火锅240 三个人AA", "和谁平摊"), ("火锅240 大家平摊", "和谁平摊")],
)
def test_whoever_is_not_known_is_asked_for(text: str, why: str) -> None:
    said = heard(text)
    assert not said.items
    assert why in said.trouble


def test_one_sentence_holds_several_things() -> None:
    said = heard("周六上午九点去爬山，提醒我周五晚上买水，昨天打车23")
    assert [each.kind for each in said.items] == ["schedule", "task", "transaction"]


def test_the_part_of_the_day_is_shown_before_it_is_kept() -> None:
    (item,) = heard("提醒我周五晚上买水").items
    assert item.shown == "11月27日晚上 买水"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("12月5日到12月7日去杭州", "12-05", "12-07"),
        ("12月5号到7号去杭州出差", "12-05", "12-07"),
        ("下周一到周三出差", "11-30", "12-02"),
        ("12月20到25号请假", "12-20", "12-25"),
        ("5号到8号写论文", "12-05", "12-08"),
    ],
)
def test_a_stretch_of_days_is_a_plan_of_these_days(text: str, first: str, last: str) -> None:
    (item,) = heard(text).items
    assert item.kind == "schedule"
    fields = item.fields
    assert (f"{fields['starts_at']:%m-%d}", f"{fields['ends_at']:%m-%d}", fields["segment"]) == (
        first,
        last,
        "all_day",
    )


@pytest.mark.parametrize("text", ["三天后交报告", "周五前交报告", "提醒我周五晚上买水"])
def test_a_day_and_a_limit_are_tasks(text: str) -> None:
    (item,) = heard(text).items
    assert item.kind == "task"
