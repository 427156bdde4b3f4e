"""What the front desk looks at, in which order (product section 1, Order of checks and Ledger)."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
from model_server import ModelServer

from .harness import QUIET, Api, Chat, Held, OneBotClient, observing, summon
from .harness.segments import at, face, image, record


async def test_what_triggers_nothing_is_only_stored(room: Chat, api: Api, model: ModelServer):
    ming = room.member("阿明", card="明明")
    said = await room.say(ming, "今天天气不错")
    row = await api.until_stored(room, "今天天气不错")
    await api.settle(room)
    assert row["name"] == "明明"
    assert str(row["user"]) == str(ming.user_id)
    assert row["processed"] is False
    assert row["is_bot"] is False
    assert str(row["id"]) == said.id
    assert model.requests == []
    assert await api.decisions(room) == []
    assert await api.state(room) == "absent"
    room.nothing_else()


async def test_pitfall_16_own_lines_never_trigger(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    own = room.member("小秘", user_id=int(client.self_id))
    await room.call(own, "小秘 在吗")
    await room.say(own, "小秘 在吗", post_type="message_sent", message_sent_type="self")
    await api.settle(room)
    assert model.requests == []
    assert await api.decisions(room) == []
    async with asyncio.timeout(10):  # marks are written a moment later
        while not all(row["processed"] for row in await api.messages(room)):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    room.nothing_else()


async def test_pitfall_16_own_replies_are_stored_as_processed(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", "我是秘书的回话")
    await summon(room, room.member("阿明"), "在吗")
    row = await api.until_stored(room, "我是秘书的回话")
    assert row["is_bot"] is True
    assert row["processed"] is True


async def test_pitfall_16_own_reply_is_not_answered_when_it_is_reported_back(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """Implementations that report the account's own messages do so with the id of the send."""
    model.always("chat_reply", "小秘说好的")
    _, sent = await summon(room, room.member("阿明"), "在吗")
    own = room.member("小秘", user_id=int(client.self_id))
    await room.say(own, "小秘说好的", message_id=sent.message_id, post_type="message_sent")
    await room.say(own, "小秘说好的", message_id=sent.message_id)
    await api.settle(room)
    rows = [row for row in await api.messages(room) if row["text"] == "小秘说好的"]
    assert len(rows) == 1
    assert len(model.of("chat_reply")) == 1
    room.nothing_else()


async def test_pitfall_58_the_same_event_three_times_is_one_message(room: Chat, api: Api, model: ModelServer):
    said = await room.call(room.member("阿明"), "只答一次")
    await room.deliver(said)
    await room.deliver(said)
    await room.expect(quoting=said)
    await api.settle(room)
    await room.deliver(said)
    await api.settle(room)
    assert len(model.of("chat_reply")) == 1
    assert len([row for row in await api.messages(room) if "只答一次" in row["text"]]) == 1
    room.nothing_else()


async def test_pitfall_58_three_times_while_it_is_being_answered(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held("答一次"))
    said = await room.call(room.member("阿明"), "别答三次")
    await held.entered()
    await room.deliver(said)
    await room.deliver(said)
    other = await room.call(room.member("小红"), "我也问")
    await api.until_held(room, 1)
    held.release()
    await room.expect(quoting=said)
    await room.expect(quoting=other)
    await api.settle(room)
    room.nothing_else()


@pytest.mark.parametrize("words", ["empty", "face"])
async def test_a_message_with_nothing_in_it_is_passed_over(room: Chat, api: Api, words: str):
    """Text, picture, voice, @ or quote make a message; a lone face or nothing at all does not."""
    await room.say(room.member("阿明"), *([face()] if words == "face" else []))
    await api.settle(room)
    assert [row for row in await api.messages(room) if row["name"] == "阿明"] == []
    room.nothing_else()


@pytest.mark.parametrize("kind", ["picture", "voice", "at"])
async def test_pictures_voices_and_ats_are_messages(room: Chat, api: Api, kind: str):
    ming = room.member("阿明")
    segment = {"picture": image("http://127.0.0.1:9/x.png"), "voice": record(), "at": at(77)}[kind]
    await room.say(ming, segment)
    placeholder = {"picture": "[图片]", "voice": "[语音]", "at": ""}[kind]
    rows = await api.poll(
        lambda: api.messages(room), lambda rows: any(row["name"] == "阿明" for row in rows), "stored"
    )
    assert placeholder in rows[0]["text"]


async def test_the_ledger_is_in_order_of_event_time(room: Chat, api: Api):
    """A message may come in behind newer ones."""
    ming, now = room.member("阿明"), int(room.now())
    await room.say(ming, "第二句", time=now - 10)
    await api.until_stored(room, "第二句")
    await room.say(ming, "第三句", time=now - 5)
    await api.until_stored(room, "第三句")
    await room.say(ming, "第一句", time=now - 20)
    await api.until_stored(room, "第一句")
    texts = [row["text"] for row in await api.messages(room) if row["name"] == "阿明"]
    assert texts == ["第一句", "第二句", "第三句"]


async def test_pitfall_59_the_bots_line_stands_before_what_was_said_after_it(
    room: Chat, api: Api, model: ModelServer
):
    """Events carry whole seconds: the bot's own line must not sort behind what comes later in its second."""
    model.always("chat_reply", "秘书的第一答")
    await summon(room, room.member("阿明"), "第一问")
    row = await api.until_stored(room, "秘书的第一答")
    second = int(datetime.fromisoformat(row["time"]).timestamp())
    said = await room.call(room.member("阿明"), "第二问", time=second)
    await room.expect(quoting=said)
    assert "秘书的第一答" in model.last("chat_reply").prompt
    texts = [row["text"].split()[-1] for row in await api.messages(room)]
    assert texts[:3] == ["第一问", "秘书的第一答", "第二问"]


async def test_ledger_of_one_group_holds_nothing_of_another(room: Chat, client: OneBotClient, api: Api):
    other = client.room()
    await room.say(room.member("阿明"), "这边的话")
    await other.say(other.member("小红"), "那边的话")
    await api.until_stored(room, "这边的话")
    await api.until_stored(other, "那边的话")
    assert "那边的话" not in str(await api.messages(room))
    assert "这边的话" not in str(await api.messages(other))


async def test_pitfall_17_lines_are_processed_once_they_were_considered(
    room: Chat, api: Api, model: ModelServer
):
    """Unprocessed until the analysis or reply that saw them is done, processed after it."""
    model.always("analyze_conversation", QUIET)
    await room.say(room.member("小红"), "先前的闲聊")
    await api.until_stored(room, "先前的闲聊")
    model.always("chat_reply", held := Held())
    said = await room.call(room.member("阿明"), "在吗")
    await held.entered()
    busy = {row["text"]: row["processed"] for row in await api.messages(room)}
    assert busy["先前的闲聊"] is False
    held.release()
    await room.expect(quoting=said)
    await api.settle(room)
    done = {row["text"]: row["processed"] for row in await api.messages(room)}
    assert done["先前的闲聊"] is True
    assert all(row["processed"] for row in await api.messages(room) if str(row["id"]) == said.id)


async def test_pitfall_17_chatter_is_analysed_once(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    await observing(room, api)
    seen = len(model.of("analyze_conversation"))
    await room.say(room.member("小红"), "随便聊聊")
    await model.wait_for("analyze_conversation", seen + 1)
    await api.settle(room)
    row = next(row for row in await api.messages(room) if row["text"] == "随便聊聊")
    assert row["processed"] is True
    room.nothing_else()


async def test_a_command_is_answered_while_silenced(room: Chat, api: Api):
    admin = room.member("管理员", role="admin")
    await room.command(admin, "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    await room.sentinel()
    await room.call(room.member("阿明"), "在吗")
    await api.settle(room)
    room.nothing_else()


async def test_an_unknown_group_gives_empty_lists(client: OneBotClient, api: Api):
    nowhere = client.room()
    assert await api.messages(nowhere) == []
    assert await api.decisions(nowhere) == []
    presence = await api.presence(nowhere)
    assert presence["state"] == "absent"
    assert presence["busy"] is False
    assert presence["held"] == 0
