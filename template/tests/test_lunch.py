"""The agent at a desk: what members say, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from nonebot_plugin_lunch.agent import lunch_spec
from nonebot_plugin_lunch.orders import Orders
from nonebot_plugin_mishu.agents import AgentSpec
from nonebot_plugin_mishu.testing import Desk, check_agent


@pytest.fixture
def spec(tmp_path: Path) -> AgentSpec:
    return lunch_spec(Orders(tmp_path / "orders.json"))


async def test_every_intent_is_whole(spec: AgentSpec) -> None:
    await check_agent(spec)


async def test_an_order_is_confirmed_counted_and_undone(spec: AgentSpec) -> None:
    async with Desk.open(spec) as desk:
        asked = await desk.call("小明", "报餐两份")
        assert asked.text == "午饭报 2 份，对吗？"
        assert (await desk.say("小红", "对")).silent
        done = await desk.say("小明", "对")
        assert done.text == "报好了，午饭 2 份。说「撤销」就收回。"
        assert (await desk.call("小红", "今天报了几份饭")).text == "今天午饭一共 2 份：小明 2 份。"
        undone = await desk.call("小明", "撤销")
        assert undone.text == "撤销了：报餐 2 份。"
        assert (await desk.call("小红", "今天报了几份饭")).text == "今天还没有人报餐。"


async def test_what_is_missing_is_asked_also_over_a_restart(spec: AgentSpec) -> None:
    async with Desk.open(spec) as desk:
        assert (await desk.call("小明", "帮我报餐")).text == "报几份？"
        await desk.restart()
        assert (await desk.say("小明", "三份")).text == "午饭报 3 份，对吗？"
        assert (await desk.say("小明", "算了")).text == "好，没有报。"
        assert await desk.questions() == ()


async def test_a_question_or_a_refusal_orders_nothing(spec: AgentSpec) -> None:
    async with Desk.open(spec) as desk:
        for line in ("报餐了吗", "不用报餐了", "要是下雨就报餐两份"):
            assert "lunch" not in (await desk.call("小明", line)).called


async def test_the_plugin_is_registered() -> None:
    async with Desk.open() as desk:
        assert "lunch" in [each.code for each in desk.agents]
