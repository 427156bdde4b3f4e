"""闭嘴 and 张嘴 (product section 1, Silence)."""

from __future__ import annotations

import pytest
from model_server import ModelServer

from .harness import Api, Chat, Held, OneBotClient, observing, seconds_left, summon
from .harness.segments import at, image, text


async def silenced(room: Chat, api: Api) -> None:
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")


async def test_silence_is_not_answered_stores_everything_and_is_lifted(
    room: Chat, api: Api, model: ModelServer
):
    ming, hong = room.members("阿明", "小红")
    await room.say(ming, "闭嘴")
    await silenced(room, api)
    left = seconds_left(room, (await api.presence(room))["silenced_until"])
    assert 580 < left <= 600
    await room.call(hong, "在吗")
    await api.settle(room)
    assert model.requests == []
    room.nothing_else()
    assert (await api.until_stored(room, "在吗"))["processed"] is True, "dropped for good"
    await room.say(hong, "张嘴")
    await room.expect()
    assert (await api.presence(room))["silenced_until"] is None
    await api.settle(room)
    room.nothing_else()
    await summon(room, hong, "现在呢")


@pytest.mark.parametrize(
    "words", ["闭嘴吧", "闭嘴啊", "闭嘴了。", "闭嘴！！", "  闭嘴 ", "閉嘴", "闭\u200b嘴"]
)
async def test_fillers_and_punctuation_do_not_matter(room: Chat, api: Api, words: str):
    await room.say(room.member("阿明"), words)
    await silenced(room, api)
    room.nothing_else()


async def test_silence_word_with_an_at_of_the_bot(room: Chat, api: Api):
    await room.call(room.member("阿明"), "闭嘴")
    await silenced(room, api)
    await room.sentinel()
    room.nothing_else()


@pytest.mark.parametrize(
    "words",
    [
        "叫他闭嘴吧他说的不对",
        "你给我闭嘴行不行",
        "闭嘴这个词不好听",
        "别闭嘴",
        "他说“闭嘴”",
        "闭嘴闭嘴说正事",
        "不要闭嘴",
    ],
)
async def test_pitfall_29_silence_word_inside_a_sentence(room: Chat, api: Api, words: str):
    await room.say(room.member("阿明"), words)
    await api.settle(room)
    assert (await api.presence(room))["silenced_until"] is None


async def test_silence_word_said_to_somebody_else(room: Chat, api: Api):
    hong = room.member("小红")
    await room.say(room.member("阿明"), at(hong.user_id), " 闭嘴")
    await api.settle(room)
    assert (await api.presence(room))["silenced_until"] is None


async def test_pitfall_28_silence_during_generation(room: Chat, api: Api, model: ModelServer):
    ming, hong = room.members("阿明", "小红")
    model.always("chat_reply", held := Held("来不及的回答"))
    said = await room.call(ming, "慢慢想")
    await held.entered()
    waiting = await room.call(hong, "我也问")
    await api.until_held(room, 1)
    await room.say(ming, "闭嘴")
    await silenced(room, api)
    await api.until_free(room)
    assert (await api.presence(room))["state"] == "absent"
    held.release()
    await api.settle(room)
    room.nothing_else()
    rows = {str(row["id"]): row for row in await api.messages(room)}
    assert rows[said.id]["processed"] is True
    assert rows[waiting.id]["processed"] is True
    await room.say(hong, "张嘴")
    await room.expect()
    await api.settle(room)
    room.nothing_else()
    assert len(model.of("chat_reply")) == 1


async def test_pitfall_28_silence_while_the_reply_waits_for_its_turn(
    room: Chat, api: Api, model: ModelServer
):
    """The patience of the outbox is no excuse: what is not out yet stays in."""
    admin = room.member("管理员", role="admin")
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.command(admin, "闭嘴")
    held.release()
    await api.settle(room)
    room.nothing_else()


async def test_silence_ends_in_absent(room: Chat, api: Api):
    await observing(room, api)
    await room.say(room.member("阿明"), "闭嘴")
    await silenced(room, api)
    assert await api.state(room) == "absent"


async def test_silence_by_command_is_lifted_by_admins_only(room: Chat, api: Api):
    admin, ming = room.member("管理员", role="admin"), room.member("阿明")
    await room.command(admin, "闭嘴 30")
    left = seconds_left(room, (await api.presence(room))["silenced_until"])
    assert 1700 < left <= 1800
    await room.say(ming, "张嘴")
    await api.settle(room)
    assert (await api.presence(room))["silenced_until"] is not None
    await room.command(admin, "说话")
    assert (await api.presence(room))["silenced_until"] is None


async def test_an_admin_lifts_a_silence_by_command_with_the_word(room: Chat, api: Api):
    admin = room.member("管理员", role="admin")
    await room.command(admin, "闭嘴")
    await room.say(admin, "张嘴")
    await room.expect()
    assert (await api.presence(room))["silenced_until"] is None


async def test_another_members_word_lifts_a_silence_by_word(room: Chat, api: Api):
    ming, hong = room.members("阿明", "小红")
    await room.say(ming, "闭嘴")
    await silenced(room, api)
    await room.say(hong, "张嘴！")
    await room.expect()
    assert (await api.presence(room))["silenced_until"] is None


async def test_speak_word_without_a_silence_says_nothing(room: Chat, api: Api):
    await room.say(room.member("阿明"), "张嘴")
    await api.settle(room)
    room.nothing_else()


async def test_silence_of_one_group_is_not_another_groups(room: Chat, client: OneBotClient, api: Api):
    other = client.room()
    await room.say(room.member("阿明"), "闭嘴")
    await silenced(room, api)
    await summon(other, other.member("小红"), "在吗")
    assert (await api.presence(other))["silenced_until"] is None


async def test_silence_words_are_changed_at_run_time(room: Chat, api: Api):
    admin, ming = room.member("管理员", role="owner"), room.member("阿明")
    await room.command(admin, "静音词 添加 安静点")
    listed = await room.command(admin, "静音词 列表")
    assert "安静点" in listed.text
    assert "闭嘴" in listed.text
    await room.say(ming, "安静点吧")
    await silenced(room, api)
    await room.command(admin, "说话")
    await room.command(admin, "静音词 删除 安静点")
    await room.say(ming, "安静点")
    await api.settle(room)
    assert (await api.presence(room))["silenced_until"] is None
    await room.command(admin, "静音词 删除 闭嘴")
    await room.say(ming, "闭嘴")
    await api.settle(room)
    assert (await api.presence(room))["silenced_until"] is None


async def test_words_of_one_group_are_not_another_groups(room: Chat, client: OneBotClient, api: Api):
    await room.command(room.member("管理员", role="admin"), "静音词 添加 安静点")
    other = client.room()
    await other.say(other.member("小红"), "安静点")
    await api.settle(other)
    assert (await api.presence(other))["silenced_until"] is None


async def test_an_echo_in_silence_is_not_joined(room: Chat, api: Api):
    await room.say(room.member("阿明"), "闭嘴")
    await silenced(room, api)
    for who in room.members("甲", "乙", "丙", "丁"):
        await room.say(who, "哈哈哈")
    await room.say(room.member("戊"), text("小秘"), image("http://127.0.0.1:9/x.png"))
    await api.settle(room)
    room.nothing_else()


async def test_a_friend_can_silence_too(client: OneBotClient):
    """In private everything said is a summons; 闭嘴 silences that conversation only."""
    friend, other = client.friend(), client.friend()
    await friend.say(None, "闭嘴")
    await other.say(None, "在吗")
    await other.expect()
    await friend.say(None, "在吗")
    await friend.say(None, "张嘴")
    await friend.expect()
    await friend.say(None, "现在呢")
    await friend.expect()
    friend.nothing_else()
