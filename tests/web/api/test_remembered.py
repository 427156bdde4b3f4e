"""What is remembered is corrected by whose it is, and what a group keeps by who said it or an admin."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.memory.terms import terms
from nonebot_plugin_mishu.services import memory
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor, Write
from nonebot_plugin_mishu.services.refusals import Refused
from nonebot_plugin_mishu.storage.record.facts import Fact
from nonebot_plugin_mishu.storage.records import Summary

from .conftest import GROUP, MING, NOW, PLACE, YA, Running

MEMBER, OTHER = Actor("member", MING, GROUP, "小明"), Actor("member", YA, GROUP, "小雅")
ADMIN, ELSEWHERE = Actor("admin", YA, GROUP, "小雅"), Actor("admin", YA, "888", "小雅")
WIFI = Fact("wifi密码", "WiFi密码是 1234", MING, "小明", NOW.timestamp(), "m1")


async def items(running: Running) -> dict[str, str]:
    page = await memory.list_memories(running.office, OWNER, MING, group_id=None, limit=50, after=None)
    return {each.id: each.text for each in page.rows}


async def test_ones_own_words_are_found_in_place_of_ours(running: Running) -> None:
    storage = running.office.storage
    await storage.summaries.store_summary(
        Summary(PLACE, MING, "t1", "tasks", "周六爬山", ("周六", "爬山"), 1.0)
    )
    ((item, _),) = (await items(running)).items()
    for actor in (OTHER, ADMIN, ELSEWHERE):
        with pytest.raises(Refused) as refused:
            await memory.correct(running.office, actor, MING, group_id=None, item=item, text="改掉")
        assert refused.value.status == 403
    for text in ("", "   ", "长" * (memory.LONGEST + 1)):
        with pytest.raises(Refused) as refused:
            await memory.correct(running.office, MEMBER, MING, group_id=None, item=item, text=text)
        assert refused.value.status == 422
    for item_of_nobody in (
        "summary-999",
        "digest-1",
        "turn-1",
        "x",
        f"{item}'; DROP TABLE mishu_summary; --",
    ):
        with pytest.raises(Refused) as refused:
            await memory.correct(running.office, MEMBER, MING, group_id=None, item=item_of_nobody, text="好")
        assert refused.value.status == 404
    await memory.correct(running.office, MEMBER, MING, group_id=None, item=item, text="周日去游泳")
    assert await items(running) == {item: "周日去游泳"}
    found = await storage.summaries.search(PLACE, MING, terms("游泳"), 5)
    assert [each.content for each in found] == ["周日去游泳"]
    assert await storage.summaries.search(PLACE, MING, terms("爬山"), 5) == []


async def test_a_fact_is_changed_by_who_said_it_or_an_admin(running: Running) -> None:
    office = running.office
    await office.storage.facts.store_fact(PLACE, WIFI, "o1", only_own=False)
    with pytest.raises(Refused) as refused:
        await memory.correct_fact(office, Write(OTHER, "web:WiFi密码是 0000"), PLACE, WIFI, "WiFi密码是 0000")
    assert refused.value.status == 403
    await memory.correct_fact(office, Write(MEMBER, "web:WiFi密码是 5678"), PLACE, WIFI, "WiFi密码是 5678")
    assert [each.content for each in await memory.list_facts(office, PLACE)] == ["WiFi密码是 5678"]
    await memory.correct_fact(office, Write(ADMIN, "web:WiFi密码是 9999"), PLACE, WIFI, "WiFi密码是 9999")
    (kept,) = await memory.list_facts(office, PLACE)
    assert (kept.content, kept.name) == ("WiFi密码是 9999", "小雅")


async def test_a_fact_is_forgotten_after_asking_with_the_lines_that_hold_it(running: Running) -> None:
    office = running.office
    await running.say(MING, "小明", "大家记一下 WiFi密码是 1234 哦")
    await office.storage.facts.store_fact(PLACE, WIFI, "o1", only_own=False)
    with pytest.raises(Refused) as refused:
        await memory.forget_fact(office, Write(OTHER, confirm=True), PLACE, WIFI)
    assert refused.value.status == 403
    with pytest.raises(Refused) as refused:
        await memory.forget_fact(office, Write(ADMIN, confirm=False), PLACE, WIFI)
    assert refused.value.question
    await memory.forget_fact(office, Write(ADMIN, confirm=True), PLACE, WIFI)
    assert await memory.list_facts(office, PLACE) == []
    async with running.client() as client:
        assert (await client.get(f"/groups/{GROUP}/record", params={"q": "1234"})).json() == []
    with pytest.raises(Refused) as refused:
        await memory.forget_fact(office, Write(ADMIN, confirm=True), PLACE, WIFI)
    assert refused.value.status == 404


async def test_only_an_open_question_waits_for_an_answer(running: Running) -> None:
    storage = running.office.storage
    line = "要求：午饭35；还在等回答：要记这笔吗？"
    await storage.summaries.store_summary(Summary(PLACE, MING, "t1", "bookkeeping", line, ("午饭",), 1.0))
    page = await memory.list_memories(running.office, OWNER, MING, group_id=None, limit=5, after=None)
    assert await memory.find_open_tasks(running.office) == set()
    assert memory.format_memory(page.rows[0], {"t1"}).sentence == "还等着回答：要记这笔吗？"
    assert memory.format_memory(
        page.rows[0], await memory.find_open_tasks(running.office)
    ).sentence.startswith("问过")
