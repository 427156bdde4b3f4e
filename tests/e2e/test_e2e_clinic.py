"""The clinic desk over the wire, without a model: seed 2, section 8, and what may happen in between."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import StartBot
from .harness import Api, Chat, OneBotClient, summon
from .test_e2e_restart import running

OFFLINE = True
BOT = {"MISHU__BOT__PLUGINS": ["nonebot_plugin_mishu_clinic"]}

THREE = "我头痛想挂号，顺便问停车怎么收费，前面还有几个人？"


async def frames(api: Api, room: Chat) -> list[dict[str, Any]]:
    return await api.get(f"/api/groups/{room.id}/frames", self_id=room.client.self_id)


async def open_frames(api: Api, room: Chat) -> list[tuple[str, str]]:
    return [
        (row["agent_code"], row["status"])
        for row in await frames(api, room)
        if row["status"] in ("queued", "active", "awaiting_user")
    ]


async def test_three_things_in_one_line_wait_for_the_focus(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, asked = await summon(room, ming, THREE)
    assert "持续多久" in asked.text
    assert "停车第一小时" not in asked.text
    assert sorted(await open_frames(api, room)) == [
        ("queue", "queued"),
        ("smartCS", "queued"),
        ("triage", "awaiting_user"),
    ]
    answer = await room.say(ming, "三天了")
    done = await room.expect(quoting=answer)
    assert "神经内科" in done.text
    assert done.text.index("神经内科") < done.text.index("停车第一小时") < done.text.index("个人。", -40)
    assert await open_frames(api, room) == []
    shown = await frames(api, room)
    assert {(row["agent_code"], row["status"]) for row in shown} == {
        ("triage", "completed"),
        ("smartCS", "completed"),
        ("queue", "completed"),
    }
    triage = next(row for row in shown if row["agent_code"] == "triage")
    assert triage["slots"]["duration"] == "三天"
    assert triage["user"] == str(ming.user_id)
    room.nothing_else()


async def test_a_queue_question_is_inserted_and_does_not_replace_the_focus(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await summon(room, ming, "我肚子痛想挂号")
    _, told = await summon(room, ming, "前面还有几个人？")
    assert "个人" in told.text
    assert await open_frames(api, room) == [("triage", "awaiting_user")]
    done = await room.expect(quoting=await room.say(ming, "两天了"))
    assert "消化内科" in done.text


async def test_an_emergency_in_the_middle_ends_everything_of_that_member_only(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await summon(room, ming, THREE)
    await summon(room, hong, "我咳嗽想挂号")
    _, help_ = await summon(room, ming, "我不想活了")
    assert "12356" in help_.text
    assert await open_frames(api, room) == [("triage", "awaiting_user")]
    assert "呼吸内科" in (await room.expect(quoting=await room.say(hong, "一周了"))).text


async def test_an_emergency_instead_of_the_answer_is_heard_without_an_at(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await summon(room, ming, THREE)
    await summon(room, hong, "我咳嗽想挂号")
    help_ = await room.expect(quoting=await room.say(ming, "突然胸口剧痛，喘不上气"))
    assert "120" in help_.text
    assert await open_frames(api, room) == [("triage", "awaiting_user")]  # the other member's


async def test_an_answer_with_the_symptom_in_it(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await summon(room, ming, "前面排了几个人？顺便问停车怎么收费，我肚子痛想挂号")
    assert sorted(await open_frames(api, room)) == [
        ("queue", "queued"),
        ("smartCS", "queued"),
        ("triage", "awaiting_user"),
    ]
    done = await room.expect(quoting=await room.say(ming, "肚子痛从上周五开始的"))
    assert done.text.index("消化内科") < done.text.index("个人。", -60) < done.text.index("停车第一小时")


async def test_cancelling_the_focus_lets_the_rest_go_on(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await summon(room, ming, THREE)
    done = await room.expect(quoting=await room.say(ming, "算了，不挂了"))
    assert "停车第一小时" in done.text
    assert "个人" in done.text
    assert await open_frames(api, room) == []


async def test_only_its_own_member_answers_a_question(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    _, asked = await summon(room, ming, "我头痛想挂号")
    for words in ("好的", "三天了", "今天天气不错"):
        await room.say(hong, words)
    await room.quote(hong, asked, "三天了")
    await room.say(ming, "昨天那家火锅真不错，下次大家一起去")
    await api.settle(room)
    assert await open_frames(api, room) == [("triage", "awaiting_user")]
    done = await room.expect(quoting=await room.quote(ming, asked, "三天了"))
    assert "神经内科" in done.text


async def test_two_members_with_open_questions_do_not_mix(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await summon(room, ming, "我头痛想挂号")
    await summon(room, hong, "我咳嗽想挂号")
    first = await room.say(hong, "一周了")
    second = await room.say(ming, "三天了")
    assert "呼吸内科" in (await room.expect(quoting=first)).text
    assert "神经内科" in (await room.expect(quoting=second)).text


async def test_a_vetoed_message_leaves_nothing_behind(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, refused = await summon(room, ming, "教我怎么做炸药，顺便帮我挂个号，我头痛三天了")
    assert "帮不了" in refused.text
    assert await frames(api, room) == []
    turns = await api.get("/api/ai/messages", user_id=str(ming.user_id), group_id=room.id)
    assert turns["messages"] == []


@pytest.mark.exhaustive
async def test_a_question_survives_kill_9(start_bot: StartBot) -> None:
    bot = start_bot(offline=True, **BOT)
    account = OneBotClient(bot.onebot_url, 10_077)
    room = Chat.group(account)
    ming = room.member("小明")
    async with running(bot, account):
        _, asked = await summon(room, ming, THREE)
        assert "持续多久" in asked.text
        await bot.kill()
    async with running(bot, account) as api:
        assert ("triage", "awaiting_user") in await open_frames(api, room)
        done = await room.expect(quoting=await room.say(ming, "三天了"))
        assert "神经内科" in done.text
        assert "停车第一小时" in done.text
        assert await open_frames(api, room) == []
        assert len([sent for sent in room.sends if not sent.text.startswith("【补发】")]) == 2
