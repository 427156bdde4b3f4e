"""Accounts and their connections (pitfalls 20, 58, 61; two bots in one group)."""

from __future__ import annotations

import pytest
from model_server import ModelServer
from websockets.exceptions import InvalidStatus

from .conftest import SELF_ID, StartBot
from .harness import QUIET, Api, BotProcess, Chat, Held, OneBotClient, summon


async def test_pitfall_58_one_event_that_is_told_three_times(room: Chat, api: Api, model: ModelServer):
    said = await room.call(room.member("阿明"), "报了几遍")
    await room.deliver(said)
    await room.expect(quoting=said)
    await room.deliver(said)
    await api.settle(room)
    assert len(model.of("chat_reply")) == 1
    room.nothing_else()


async def test_pitfall_58_again_after_a_reconnect(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    said, _ = await summon(room, room.member("阿明"), "只一次")
    await client.reconnect()
    await room.deliver(said)
    await api.settle(room)
    assert len(model.of("chat_reply")) == 1
    room.nothing_else()


async def test_the_line_drops_while_it_works(room: Chat, client: OneBotClient, api: Api, model: ModelServer):
    """The answer goes out over the new line, or is given up; the group is free either way."""
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await client.reconnect()
    held.release()
    await api.until_free(room)
    for sent in room.left():
        sent.taken = True
    await summon(room, room.member("小红"), "现在呢")


async def test_pitfall_20_no_history_is_fetched(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """Nor does a reconnect make old lines trigger."""
    model.always("analyze_conversation", QUIET)
    before = len(client.actions)
    for number in range(5):
        await room.say(room.member("阿明"), f"第{number}句")
    await client.reconnect()
    await room.say(room.member("阿明"), "又一句")
    await api.settle(room)
    names = {action.name for action in client.actions[before:]}
    assert not {name for name in names if "history" in name}
    room.nothing_else()


async def test_pitfall_61_a_second_connection_of_the_same_account_is_refused(
    room: Chat, client: OneBotClient
):
    twin = OneBotClient(client.url, SELF_ID)
    with pytest.raises(InvalidStatus) as refused:
        await twin.connect()
    assert refused.value.response.status_code == 403
    await summon(room, room.member("阿明"), "还在吗")


async def test_pitfall_61_the_events_self_id_may_differ_from_the_headers(
    bot: BotProcess, api: Api, model: ModelServer
):
    async with OneBotClient(bot.onebot_url, 10_077, header_self_id="10078") as odd:
        await api.poll(api.health, lambda seen: "10078" in map(str, seen["bots"]), "connected")
        group = odd.room()
        said = await group.call(group.member("阿明"), "在吗")
        await group.expect(quoting=said)
        await group.deliver(said)
        await group.call(group.member("小红"), "再来")
        await group.expect()
        group.nothing_else()


async def test_two_accounts_in_one_group_are_one_secretary(
    room: Chat, client: OneBotClient, bot: BotProcess, api: Api, model: ModelServer
):
    async with OneBotClient(bot.onebot_url, 10_003, name="二秘") as second:
        await api.poll(api.health, lambda seen: second.self_id in map(str, seen["bots"]), "connected")
        there = second.room(int(room.id))
        ming = room.member("阿明")
        said = await room.call(ming, "只叫一个")
        await room.expect(quoting=said)
        await there.deliver(there.compose(ming, *said.event["message"], message_id=int(said.id)))
        await api.settle(room)
        there.nothing_else()
        room.nothing_else()
        assert await api.state(room) == await api.state(there) == "observing"
        assert len(await api.decisions(there)) == len(await api.decisions(room)) == 1
        newest = await api.get(f"/api/groups/{room.id}/presence")
        assert newest["state"] == "observing", "whichever account is meant"


async def test_a_silence_holds_for_both_accounts(room: Chat, client: OneBotClient, bot: BotProcess, api: Api):
    async with OneBotClient(bot.onebot_url, 10_004, name="三秘") as second:
        await api.poll(api.health, lambda seen: second.self_id in map(str, seen["bots"]), "connected")
        there = second.room(int(room.id))
        await there.command(there.member("管理员", role="admin"), "闭嘴")
        await room.call(room.member("阿明"), "在吗")
        await api.poll(
            lambda: api.presence(there), lambda seen: seen["silenced_until"] is not None, "silenced"
        )
        assert (await api.presence(there))["silenced_until"] is not None
        await there.command(there.member("管理员", role="admin"), "说话")
        room.nothing_else()


async def test_pitfall_61_a_token_counts_only_in_the_authorization_header(
    start_bot: StartBot, model: ModelServer
):
    bot = start_bot(ONEBOT_ACCESS_TOKEN="only-in-the-header")
    await bot.start()
    for url, token in (
        (bot.onebot_url, None),
        (bot.onebot_url, "wrong"),
        (f"{bot.onebot_url}?access_token=only-in-the-header", None),
    ):
        with pytest.raises(InvalidStatus):
            await OneBotClient(url, 10_005, token=token).connect()
    async with OneBotClient(bot.onebot_url, 10_005, token="only-in-the-header") as account:
        room = account.room()
        await summon(room, room.member("阿明"), "在吗")


async def test_events_of_the_past_after_a_reconnect_are_stored(room: Chat, client: OneBotClient, api: Api):
    """Implementations report what was missed; the ledger puts it where it belongs."""
    now = int(room.now())
    await room.say(room.member("阿明"), "断线后的话", time=now)
    await api.until_stored(room, "断线后的话")
    await client.reconnect()
    await room.say(room.member("阿明"), "断线时的话", time=now - 600)
    await api.until_stored(room, "断线时的话")
    texts = [row["text"] for row in await api.messages(room) if row["name"] == "阿明"]
    assert texts == ["断线时的话", "断线后的话"]
