"""In somebody's instance, beside other plugins (product section 1; pitfalls 11, 14, 62, 63, 66)."""

from __future__ import annotations

import pytest
from model_server import ModelServer

from .harness import Api, Chat, Held, OneBotClient, summon

BOT = {
    "MISHU__BOT__PLUGINS": ["foreign_neighbour"],
    "LOG_LEVEL": "WARNING",
    "MISHU__SECRETARY__PATIENCE": [[0.8, "让我想想…"]],
}


@pytest.mark.exhaustive
async def test_pitfall_11_another_plugins_message_changes_nothing(room: Chat, api: Api, model: ModelServer):
    """Neither lock nor state nor timer is ours to lose."""
    model.always("chat_reply", held := Held())
    said = await room.call(room.member("阿明"), "在吗")
    await held.entered()
    waiting = await room.call(room.member("小李"), "我也问")
    await api.until_held(room, 1)
    await room.say(room.member("小红"), "ping")
    await room.expect("pong")
    presence = await api.presence(room)
    assert presence["busy"] is True
    assert presence["held"] == 1
    assert presence["state"] == "summoned"
    assert len(model.of("chat_reply")) == 1
    await room.expect("让我想想…")
    held.release()
    await room.expect(quoting=said)
    await room.expect(quoting=waiting)


async def test_pitfall_63_a_message_that_another_plugin_took_is_stored_not_answered(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    await room.say(room.member("阿明"), "归我 小秘在吗")
    await room.expect("已归我")
    await api.until_stored(room, "归我")
    await api.settle(room)
    assert model.requests == []
    assert await api.state(room) == "absent"
    room.nothing_else()


async def test_pitfall_63_a_message_that_another_plugin_ignores_is_stored(
    room: Chat, api: Api, model: ModelServer
):
    """Its IgnoredException cancels our preprocessor at its first await: the ledger has it already."""
    for number in range(5):
        await room.say(room.member("阿明"), f"不许处理 小秘 {number}")
    await api.until_stored(room, "不许处理 小秘 4")
    rows = [row for row in await api.messages(room) if "不许处理" in row["text"]]
    assert len(rows) == 5
    await api.settle(room)
    assert model.requests == []
    room.nothing_else()


async def test_pitfall_63_we_starve_nobody(room: Chat, api: Api):
    """Messages we answer, are silent about, or are silenced for reach plugins behind us."""
    ming = room.member("阿明")
    said = await room.call(ming, "最后的邻居")
    await room.expect("最后的邻居听到了")
    await room.expect(quoting=said)
    await room.say(ming, "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    await room.call(ming, "最后的邻居")
    await room.expect("最后的邻居听到了")
    room.nothing_else()


async def test_pitfall_14_a_held_message_delays_no_plugin_behind_us(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.call(room.member("小红"), "最后的邻居")
    await api.until_held(room, 1)
    await room.expect("最后的邻居听到了")
    assert (await api.presence(room))["held"] == 1
    held.release()
    await room.expect()
    await room.expect()


async def test_pitfall_62_one_matcher_and_one_preprocessor(room: Chat):
    await room.say(room.member("阿明"), "点名")
    roll = (await room.expect("matchers=")).text
    assert "hooks=1" in roll
    assert "heavy=[]" in roll
    kinds = roll.split("matchers=")[1].split()[0].split(",")
    assert kinds == ["any"], roll  # messages and pokes alike


async def test_pitfall_66_at_warning_no_debug_record_is_built(room: Chat):
    await room.say(room.member("阿明"), "点名")
    assert "level=30" in (await room.expect("matchers=")).text


async def test_other_plugins_messages_move_no_state(room: Chat, api: Api):
    await room.say(room.member("阿明"), "ping")
    await room.expect("pong")
    await api.settle(room)
    assert await api.state(room) == "absent"
    await summon(room, room.member("阿明"), "在吗")
    await api.until_state(room, "observing")
    since = (await api.presence(room))["since"]
    await room.say(room.member("阿明"), "/ping")
    await api.settle(room)
    assert (await api.presence(room))["since"] == since
