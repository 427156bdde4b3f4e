"""The patience line (product section 2, reply path; pitfall 31)."""

from __future__ import annotations

import pytest
from model_server import ModelServer

from .harness import SLOW_MOUTH, Api, Chat, Held, OneBotClient, analysis, observing

BOT = SLOW_MOUTH


async def test_pitfall_31_patience_comes_before_the_answer_and_only_here(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    other = client.room()
    model.always("chat_reply", held := Held("想好了"))
    said = await room.call(room.member("阿明"), "很难的问题")
    await room.expect("让我想想…")
    await room.expect("还在想…")
    assert (await api.presence(room))["busy"] is True
    assert await api.state(room) == "summoned", "a patience line changes nothing"
    held.release()
    await room.expect("想好了", quoting=said)
    await api.settle(room)
    room.nothing_else()
    other.nothing_else()


async def test_pitfall_31_none_after_the_answer(room: Chat, api: Api, model: ModelServer):
    said = await room.call(room.member("阿明"), "简单的问题")
    await room.expect("好的", quoting=said)
    later = Held("后来的")
    model.always("chat_reply", later)
    await room.call(room.member("小红"), "难的问题")
    await room.expect("让我想想…")
    later.release()
    await room.expect("后来的")
    await api.settle(room)
    assert room.texts().count("让我想想…") == 1
    assert "还在想…" not in room.texts()[room.texts().index("后来的") :]


async def test_pitfall_31_cancelled_by_silence(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held("想好了"))
    await room.call(room.member("阿明"), "很难的问题")
    await room.expect("让我想想…")
    await room.say(room.member("小红"), "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    held.release()
    other = room.client.room()
    model.always("chat_reply", slower := Held("别处"))
    await other.call(other.member("小李"), "也很难")
    await other.expect("还在想…")  # as long as the silenced group's second line would have taken
    slower.release()
    await other.expect("别处")
    room.nothing_else()


async def test_patience_is_not_the_reply(room: Chat, api: Api, model: ModelServer):
    """It takes no claim, no presence, no lock."""
    model.always("chat_reply", held := Held("想好了"))
    said = await room.call(room.member("阿明"), "很难的问题")
    await room.expect("让我想想…")
    second = await room.call(room.member("小红"), "我也问")
    await api.until_held(room, 1)
    held.release()
    await room.expect(quoting=said)
    await room.expect("想好了", quoting=second)


@pytest.mark.exhaustive
async def test_no_patience_for_chatter(room: Chat, api: Api, model: ModelServer):
    await observing(room, api)
    for sent in room.left():
        sent.taken = True
    model.always("analyze_conversation", analysis(should_reply=True, is_interesting=True))
    model.always("chat_reply", held := Held("说两句"))
    await room.say(room.member("小红"), "聊聊")
    await held.entered()
    other = room.client.room()
    model.always("chat_reply", slower := Held("别处"))
    await other.call(other.member("小李"), "很难")
    await other.expect("还在想…")
    slower.release()
    await other.expect("别处")
    held.release()
    await room.expect("说两句")
    assert "让我想想…" not in room.texts()
