"""With a card open every line of its owner is the card's, but for clear orders that can be nothing on it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import AnswerMatch, Situation, TaskResult
from nonebot_plugin_mishu.agents.bookkeeping.handler import answers
from nonebot_plugin_mishu.agents.drafting import BATCH
from nonebot_plugin_mishu.core.situation import whole
from task_contexts import context, frame

WHERE = Situation(datetime(2026, 11, 22, 10, 30, tzinfo=ZoneInfo("Asia/Shanghai")))


def read(line: str) -> AnswerMatch | None:
    card = frame(context("打车20"), TaskResult("t1", "awaiting_user", {BATCH: {"items": []}}))
    return answers(card, whole(line, WHERE))


@pytest.mark.parametrize(
    "line", ["打球改到三点", "买菜改到后天", "把明天的会改到四点", "产品会改成下周一", "提醒我八点吃药"]
)
async def test_an_hour_or_a_day_to_come_is_nothing_on_a_card(line: str) -> None:
    bound = read(line)
    assert bound is None or bound.weak


@pytest.mark.parametrize(
    "line",
    [
        "打车那笔改到昨天",
        "改成60",
        "第二笔改成三点五",
        "改成三块",
        "确认",
        "取消",
        "第一笔改到明天",
        "不是20是25",
    ],
)
async def test_what_may_be_on_the_card_is_the_card_s(line: str) -> None:
    bound = read(line)
    assert bound is not None
    assert not bound.weak


@pytest.mark.parametrize(
    "line",
    [
        "跟财务对账 也跟着改下",
        "把对账那个也改下",
        "对账那个改下",
        "把报销的事也改一下",
        "房东那边也跟着改",
        "也跟着改下",
    ],
)
async def test_what_names_something_else_to_be_changed_is_not_the_card_s(line: str) -> None:
    assert read(line) is None


@pytest.mark.parametrize("line", ["那个不要了", "取消那个", "把那笔删了", "别记那个", "这个唔要"])
async def test_a_refusal_that_only_points_is_the_card_s(line: str) -> None:
    bound = read(line)
    assert bound is not None
    assert not bound.weak
