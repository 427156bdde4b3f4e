"""What makes a message reach the secretary, found locally (product section 1, Triggers)."""

from __future__ import annotations

import pytest
from model_server import ModelServer

from .harness import QUIET, Api, Chat, OneBotClient, observing, summon
from .harness.segments import at, card, face, image, reply, text

# -- summon


@pytest.mark.parametrize("place", ["start", "middle", "end", "after a quote", "twice"])
async def test_pitfall_26_an_at_anywhere_is_a_summons(room: Chat, client: OneBotClient, place: str):
    ming = room.member("阿明")
    earlier = await room.say(room.member("小红"), "原来的话")
    words = {
        "start": [at(client.self_id), " 几点了"],
        "middle": ["我想问", at(client.self_id), " 几点了"],
        "end": ["几点了 ", at(client.self_id)],
        "after a quote": [reply(earlier.id), at(client.self_id), " 几点了"],
        "twice": [at(client.self_id), " 几点了 ", at(client.self_id)],
    }[place]
    said = await room.say(ming, *words)
    await room.expect(quoting=said)


async def test_at_after_an_at_of_somebody_else(room: Chat, client: OneBotClient):
    said = await room.say(room.member("阿明"), at(room.member("小红").user_id), at(client.self_id), " 你俩好")
    await room.expect(quoting=said)


@pytest.mark.parametrize(
    "words", ["小秘几点了", "请问小秘，几点了", "几点了呀小秘", "秘书大人几点了", "今天秘书大人在吗"]
)
async def test_names_and_wake_words_in_the_text(room: Chat, words: str):
    said = await room.say(room.member("阿明"), words)
    await room.expect(quoting=said)


async def test_a_reply_to_the_bot_is_a_summons(room: Chat):
    ming = room.member("阿明")
    _, answer = await summon(room, ming, "在吗")
    said = await room.quote(room.member("小红"), answer, "什么意思")
    await room.expect(quoting=said)


async def test_a_poke_is_answered_and_makes_the_next_line_a_summons(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    ming, hong = room.members("阿明", "小红")
    await room.poke(ming)
    await room.expect("在呢")
    await room.say(hong, "我不是在叫你")
    said = await room.say(ming, "帮我看看这个")
    await room.expect(quoting=said)
    await api.settle(room)
    assert [row["trigger"] for row in await api.decisions(room) if str(row["message_id"]) == said.id] == [
        "summon"
    ]


async def test_a_poke_of_somebody_else_is_none(room: Chat, api: Api):
    ming, hong = room.members("阿明", "小红")
    await room.poke(ming, target=hong.user_id)
    await api.settle(room)
    room.nothing_else()


@pytest.mark.parametrize("words", ["", " ", "  \u200b"])
async def test_pitfall_32_a_bare_at(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer, words: str
):
    ming, hong = room.members("阿明", "小红")
    await room.say(ming, at(client.self_id), *([text(words)] if words else []))
    await room.expect("在呢")
    assert model.of("chat_reply") == []
    model.always("analyze_conversation", QUIET)
    await room.say(hong, "吃了吗")
    said = await room.say(ming, "明天会下雨吗")
    await room.expect(quoting=said)
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_32_the_line_after_the_next_is_no_summons(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    ming = room.member("阿明")
    await room.call(ming)
    await room.expect("在呢")
    first = await room.say(ming, "第一句")
    await room.expect(quoting=first)
    await room.say(ming, "第二句")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_32_an_at_with_only_a_picture(room: Chat, client: OneBotClient, model: ModelServer):
    said = await room.say(room.member("阿明"), at(client.self_id), image("http://127.0.0.1:9/x.png"))
    sent = await room.expect(quoting=said)
    assert "在呢" not in sent.text
    assert len(model.of("chat_reply")) == 1


# -- not a summon


@pytest.mark.parametrize("case", ["at all", "other's card", "quote", "shared card", "at of a namesake"])
async def test_pitfall_26_names_that_are_not_said_by_the_sender(
    room: Chat, api: Api, model: ModelServer, case: str
):
    ming = room.member("阿明", card="小秘的粉丝")
    quoted = room.compose(room.member("小红"), "小秘在吗")
    room.client.platform.remember(quoted.event)  # said before the bot came: known to get_msg only
    namesake = {"type": "at", "data": {"qq": "4444", "name": "@小秘"}}
    words = {
        "at all": [at("all"), " 开会了"],
        "other's card": ["大家好"],
        "quote": [reply(quoted.id), "他在说什么"],
        "shared card": [card("小秘的名片")],
        "at of a namesake": [namesake, " 几点了"],
    }[case]
    await room.say(ming, *words)
    await api.settle(room)
    assert model.requests == []
    assert await api.state(room) == "absent"
    room.nothing_else()


async def test_anonymous_members_are_stored_never_obeyed(room: Chat, api: Api, model: ModelServer):
    ghost = room.member("匿名", user_id=80_000_000)
    mask = {"id": 1, "name": "大力鬼王", "flag": "x"}
    await room.call(ghost, "几点了", sub_type="anonymous", anonymous=mask)
    await room.say(ghost, "/秘书 闭嘴", sub_type="anonymous", anonymous=mask)
    await api.until_stored(room, "几点了")
    await api.settle(room)
    assert model.requests == []
    assert (await api.presence(room))["silenced_until"] is None
    room.nothing_else()


async def test_chat_is_analysed_only_while_observing(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    await room.say(room.member("阿明"), "不在场时的话")
    await api.settle(room)
    assert model.requests == []
    await observing(room, api)
    seen = len(model.of("analyze_conversation"))
    await room.say(room.member("阿明"), "观测中的话")
    request = await model.wait_for("analyze_conversation", seen + 1)
    assert request.data["state"] == "observing"
    assert request.data["trigger"] == "chat"
    assert "观测中的话" in str(request.data["lines"])


# -- echo


async def echo(room: Chat, words: str, *names: str) -> None:
    for who in room.members(*names):
        await room.say(who, words)


async def test_three_people_saying_the_same_are_joined(room: Chat, api: Api, model: ModelServer):
    await echo(room, "好耶", "甲", "乙", "丙")
    sent = await room.expect()
    assert sent.text == "好耶"
    assert sent.quotes is None
    assert sent.ats == []
    await api.settle(room)
    assert model.requests == []
    rows = await api.poll(lambda: api.decisions(room), bool, "a decision")
    decision = rows[0]
    assert decision["trigger"] == "echo"
    room.nothing_else()


async def test_pitfall_9_plus_ones_in_a_second_are_an_echo(room: Chat):
    await echo(room, "+1", "甲", "乙", "丙", "丁", "戊")
    assert (await room.expect()).text == "+1"


@pytest.mark.parametrize(
    "words",
    [
        "看这个 https://example.com/a",
        "字数实在太多了的一句话不会被人当作复读来参与的因为超过了三十个字呀",
        "/签到",
    ],
)
async def test_links_commands_and_long_texts_are_no_echo(room: Chat, api: Api, words: str):
    await echo(room, words, "甲", "乙", "丙", "丁")
    await api.settle(room)
    room.nothing_else()


async def test_an_echo_with_an_at_is_none(room: Chat, api: Api):
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, at(4321), " 生日快乐")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_22_one_spammer_is_no_echo(room: Chat, api: Api):
    ming, hong = room.members("阿明", "小红")
    for _ in range(4):
        await room.say(ming, "快来")
    await room.say(hong, "快来")
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_22_stickers_and_placeholders_are_no_echo(room: Chat, api: Api):
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, image("http://127.0.0.1:9/x.png"))
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, {"type": "mface", "data": {"summary": "[开心]", "emoji_id": "1"}})
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, face())
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_22_the_bots_own_line_is_no_voice_in_an_echo(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    model.always("chat_reply", "收到")
    await summon(room, room.member("阿明"), "在吗")
    await echo(room, "收到", "甲", "乙")
    await api.settle(room)
    room.nothing_else()


async def test_an_echo_is_joined_while_observing_too(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    await observing(room, api)
    await echo(room, "冲冲冲", "甲", "乙", "丙")
    assert (await room.expect("冲冲冲")).quotes is None


async def test_a_second_echo_soon_after_is_not_joined(room: Chat, api: Api, model: ModelServer):
    """Not within FAMILIAR_COOLDOWN of the last time."""
    model.always("analyze_conversation", QUIET)
    await echo(room, "第一轮", "甲", "乙", "丙")
    await room.expect("第一轮")
    await echo(room, "第二轮", "甲", "乙", "丙")
    await api.settle(room)
    room.nothing_else()
    assert [row["trigger"] for row in await api.decisions(room)].count("echo") == 1


# -- other bots, changed words


async def test_another_account_of_this_instance_is_never_obeyed(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    async with OneBotClient(client.url, 10_002, name="另一只") as second:
        await api.poll(api.health, lambda seen: second.self_id in map(str, seen["bots"]), "connected")
        other = room.member("另一只", user_id=int(second.self_id))
        await room.call(other, "你在吗")
        await echo(room, "冲呀", "甲", "乙")
        await room.say(other, "冲呀")
        await api.settle(room)
        assert model.requests == []
        room.nothing_else()


async def test_wake_words_are_changed_at_run_time(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    admin, ming = room.member("管理员", role="admin"), room.member("阿明")
    await room.command(admin, "唤醒词 添加 大管家")
    assert "大管家" in (await room.command(admin, "唤醒词 列表")).text
    said = await room.say(ming, "大管家你好")
    await room.expect(quoting=said)
    other = client.room()
    await other.say(ming, "大管家你好")
    await api.settle(other)
    other.nothing_else()
    await room.command(admin, "唤醒词 删除 大管家")
    model.always("analyze_conversation", QUIET)
    await room.say(ming, "大管家你好")
    await api.settle(room)
    room.nothing_else()
