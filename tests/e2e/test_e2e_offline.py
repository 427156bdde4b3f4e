"""Without a model (product section 10): honest words, nothing invented, everything local works."""

from __future__ import annotations

import pytest

from .harness import Api, BotProcess, Chat, OneBotClient
from .harness.segments import at, image

OFFLINE = True
BOT = {"MISHU__SECRETARY__DENSE_COUNT": 12, "MISHU__SECRETARY__DENSE_PEOPLE": 4}


async def test_a_summons_is_answered_honestly(room: Chat, api: Api):
    said = await room.call(room.member("阿明"), "讲讲相对论")
    sent = await room.expect(quoting=said)
    assert "记日程" in sent.text
    await api.until_state(room, "observing")
    assert (await api.health())["llm"] == "off"


async def test_a_friend_is_answered_honestly(client: OneBotClient):
    friend = client.friend()
    await friend.say(None, "讲讲相对论")
    assert "记日程" in (await friend.expect()).text


async def test_chatter_gets_no_reply_at_all(room: Chat, api: Api):
    await room.call(room.member("阿明"), "在吗")
    await room.expect()
    for number in range(5):
        await room.say(room.member("小红"), f"闲聊{number}")
    await api.settle(room)
    room.nothing_else()


async def test_echo_bare_at_and_poke_need_no_model_and_dense_talk_is_left_alone(
    room: Chat, client: OneBotClient, api: Api
):
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "好耶")
    await room.expect("好耶")
    await room.call(room.member("阿明"))
    await room.expect("在呢")
    await room.poke(room.member("小红"))
    await room.expect("在呢")
    busy = client.room()
    talkers = busy.members("甲", "乙", "丙", "丁")
    for number in range(12):
        await busy.say(talkers[number % 4], f"第{number}句各说各的")
    await api.settle(busy)
    busy.nothing_else()  # nothing to say without a model


async def test_a_picture_is_no_trouble(room: Chat, client: OneBotClient):
    said = await room.say(room.member("阿明"), at(client.self_id), image("http://127.0.0.1:9/x.png"))
    await room.expect(quoting=said)


async def test_silence_and_commands_work(room: Chat, api: Api):
    admin = room.member("管理员", role="admin")
    await room.command(admin, "闭嘴")
    assert (await api.presence(room))["silenced_until"] is not None
    await room.command(admin, "说话")
    assert (await api.presence(room))["silenced_until"] is None


@pytest.mark.parametrize("words", ["我不想活了", "我想自杀"])
async def test_an_emergency_is_answered_by_local_rules(room: Chat, words: str):
    said = await room.call(room.member("阿明"), words)
    sent = await room.expect(quoting=said)
    assert any(number in sent.text for number in ("12356", "120", "110", "400"))


async def test_twenty_summons_without_a_model(room: Chat, api: Api, bot: BotProcess):
    saids = [await room.call(who, "在吗") for who in room.members(*(f"第{n}位" for n in range(20)))]
    await api.settle(room)
    replies = room.left()
    assert replies
    quoted = {sent.quotes for sent in replies}
    assert quoted <= {said.id for said in saids} | {None}
    assert "Traceback" not in bot.log
