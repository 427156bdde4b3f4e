"""The bot muted, removed, invited (product section 12)."""

from __future__ import annotations

from model_server import ModelServer

from .harness import Api, Chat, Held, OneBotClient, seconds_left, summon


async def muted(room: Chat, api: Api) -> None:
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")


async def test_a_muted_bot_is_silent_until_it_ends(room: Chat, api: Api, model: ModelServer):
    await room.mute(1800)
    await muted(room, api)
    assert 1700 < seconds_left(room, (await api.presence(room))["silenced_until"]) <= 1800
    said = await room.call(room.member("阿明"), "在吗")
    await api.until_stored(room, "在吗")
    await room.say(room.member("管理员", role="admin"), "随便说一句")
    await api.until_stored(room, "随便说一句")
    await api.until_free(room)
    assert model.requests == []
    room.nothing_else()
    await room.mute(0)
    await api.until(room, lambda seen: seen["silenced_until"] is None, "no longer silenced")
    await summon(room, room.member("阿明"), "现在呢")
    assert [sent for sent in room.sends if sent.quotes == said.id] == []


async def test_muted_while_it_works(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.call(room.member("小红"), "我也问")
    await api.until_held(room, 1)
    await room.mute(600)
    await muted(room, api)
    await api.until_free(room)
    held.release()
    await room.mute(0)
    await api.until(room, lambda seen: seen["silenced_until"] is None, "no longer silenced")
    await api.settle(room)
    room.nothing_else()


async def test_somebody_else_muted_is_nothing_to_us(room: Chat, api: Api):
    await room.mute(1800, user=room.member("小红").user_id)
    await summon(room, room.member("阿明"), "在吗")
    assert (await api.presence(room))["silenced_until"] is None


async def test_the_whole_group_muted(room: Chat, api: Api):
    """全员禁言 is reported with user 0 and duration -1; 0 lifts it."""
    fields = {"user_id": 0, "operator_id": 9}
    await room.notice("group_ban", sub_type="ban", duration=-1, **fields)
    await muted(room, api)
    await room.notice("group_ban", sub_type="lift_ban", duration=0, **fields)
    await api.until(room, lambda seen: seen["silenced_until"] is None, "no longer silenced")
    await summon(room, room.member("阿明"), "在吗")


async def test_a_mute_of_one_group_is_not_another_groups(room: Chat, client: OneBotClient, api: Api):
    other = client.room()
    await room.mute(600)
    await muted(room, api)
    await summon(other, other.member("小红"), "在吗")


async def test_removed_from_a_group_everything_there_stops(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.call(room.member("小红"), "我也问")
    await api.until_held(room, 1)
    own = int(client.self_id)
    await room.notice("group_decrease", sub_type="kick_me", user_id=own, operator_id=9)
    await api.until_free(room)
    assert await api.state(room) == "absent"
    held.release()
    other = client.room()
    model.reset()
    await summon(other, other.member("小李"), "在吗")
    room.nothing_else()


async def test_somebody_else_leaving_is_nothing_to_us(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    said = await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.notice("group_decrease", sub_type="leave", user_id=12345, operator_id=12345)
    held.release()
    await room.expect(quoting=said)


async def test_joining_a_group_it_introduces_itself_once(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    own = int(client.self_id)
    await room.notice("group_increase", sub_type="invite", user_id=own, operator_id=9)
    sent = await room.expect()
    assert len(sent.text) <= 200
    assert model.requests == []
    await room.notice("group_increase", sub_type="approve", user_id=777, operator_id=9)
    await api.settle(room)
    room.nothing_else()


async def test_asked_what_it_can_do_it_introduces_itself(room: Chat, model: ModelServer):
    said = await room.call(room.member("阿明"), "你会什么")
    sent = await room.expect()
    assert 0 < len(sent.text) <= 300
    assert sent.quotes in (None, said.id)
    assert model.of("chat_reply") == [], "words of its own, not a model's invention"
