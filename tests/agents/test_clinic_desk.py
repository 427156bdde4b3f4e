"""The clinic's three agents at a desk: the focus, what waits behind it, what may be inserted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import nonebot
import pytest
import pytest_asyncio
from nonebot_plugin_mishu.agents import REGISTRY, AgentSpec
from nonebot_plugin_mishu.testing import Desk, check_agent


@pytest.fixture(scope="module", autouse=True)
def _plugin() -> Any:
    """What it registered is gone behind this module."""
    assert nonebot.load_plugin("nonebot_plugin_mishu_clinic") is not None
    yield
    for code in ("triage", "smartCS", "queue"):
        REGISTRY.remove(code)


def specs() -> tuple[AgentSpec, ...]:
    from nonebot_plugin_mishu_clinic.house import smart_cs_spec
    from nonebot_plugin_mishu_clinic.triage import triage_spec
    from nonebot_plugin_mishu_clinic.waiting import WaitingRoom, queue_spec

    room = WaitingRoom()
    return triage_spec(room), smart_cs_spec(), queue_spec(room)


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    async with Desk.open(*specs()) as opened:
        yield opened


async def test_all_three_are_whole() -> None:
    for spec in specs():
        await check_agent(spec)


async def test_three_things_wait_for_the_focus(desk: Desk) -> None:
    asked = await desk.call("小明", "我头痛想挂号，顺便问停车怎么收费，前面还有几个人？")
    assert asked.read == ("triage.register", "smartCS.ask", "queue.query")
    assert asked.called == ("triage",)
    assert [(one.agent, one.missing) for one in asked.asks] == [("triage", ("duration",))]
    done = await desk.say("小明", "三天了")
    assert done.called == ("triage", "smartCS", "queue")
    assert done.text is not None
    assert "神经内科" in done.text
    assert "停车第一小时" in done.text


async def test_a_queue_question_is_inserted(desk: Desk) -> None:
    await desk.call("小明", "我肚子痛想挂号")
    told = await desk.call("小明", "前面还有几个人？")
    assert told.called == ("queue",)
    assert [one.agent for one in told.asks] == ["triage"]
    assert "消化内科" in ((await desk.say("小明", "两天了")).text or "")


async def test_what_hurts_is_corrected(desk: Desk) -> None:
    await desk.call("小明", "我头痛想挂号")
    again = await desk.say("小明", "不是头痛，是腿疼")
    assert "腿疼" in (again.text or "")
    assert "骨科" in ((await desk.say("小明", "三天了")).text or "")


async def test_a_visit_is_called_off(desk: Desk) -> None:
    await desk.call("小明", "我头痛想挂号")
    assert (await desk.say("小明", "不挂了")).text is not None
    assert await desk.questions() == ()


async def test_a_second_visit_is_no_answer_to_the_first(desk: Desk) -> None:
    await desk.call("小明", "我头痛想挂号")
    second = await desk.call("小明", "帮孩子挂个号，孩子发烧")
    assert "triage" not in second.called
    assert len(await desk.questions("小明")) == 1


async def test_it_ends_by_itself(desk: Desk) -> None:
    await desk.call("小明", "我头痛想挂号")
    await desk.later(minutes=11)
    assert await desk.questions() == ()
