"""Every row of the presence table (product section 2) that a group can see happen.

Rows that need an open question or an overheard schedule are shown where those agents are.
"""

from __future__ import annotations

import asyncio

import pytest
from model_server import ModelServer

from .harness import QUIET, Api, Chat, Fail, Gate, Held, Never, OneBotClient, analysis, observing, summon

BOT = {
    "MISHU__SECRETARY__OBSERVING_TIMEOUT": 5,
    "MISHU__SECRETARY__FAMILIAR_COOLDOWN": 0.2,
    "MISHU__SECRETARY__DENSE_COUNT": 12,
    "MISHU__SECRETARY__DENSE_PEOPLE": 4,
    "MISHU__SECRETARY__COOLDOWN": 0.2,
    "MISHU__SECRETARY__LOCK_TIMEOUT": 5,
    "MISHU__FRONTDESK__HOLD_TIMEOUT": 6,
    "MISHU__LLM__TIMEOUT": 4,
    "MISHU__LLM__DECIDE_TIMEOUT": 0.8,
}


def not_alive(client: OneBotClient, room: Chat) -> Gate:
    """The next send of this group gets its answer only when the gate opens."""
    gate = Gate()
    client.plan("send", gate, matching=lambda action: str(action.params.get("group_id")) == room.id)
    return gate


async def echo(room: Chat, words: str) -> None:
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, words)


async def dense(room: Chat) -> None:
    talkers = room.members("甲", "乙", "丙", "丁")
    for number in range(12):
        await room.say(talkers[number % 4], f"第{number}句各说各的")


async def test_absent_summon_summoned_and_reply_sent_observing(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    said = await room.call(room.member("阿明"), "在吗")
    await held.entered()
    assert await api.state(room) == "summoned"
    held.release()
    await room.expect(quoting=said)
    await api.until_state(room, "observing")
    decision = await api.decision_of(room, said.id)
    assert decision["state_before"] == "absent"
    assert decision["trigger"] == "summon"
    assert decision["should_reply"] is True


async def test_observing_summon_summoned(room: Chat, api: Api, model: ModelServer):
    who = await observing(room, api)
    model.always("chat_reply", held := Held())
    said = await room.call(who, "再问")
    await held.entered()
    assert await api.state(room) == "summoned"
    held.release()
    await room.expect(quoting=said)
    assert (await api.decision_of(room, said.id))["state_before"] == "observing"
    await api.until_state(room, "observing")


async def test_absent_echo_familiar_and_reply_sent_observing(room: Chat, client: OneBotClient, api: Api):
    gate = not_alive(client, room)
    await echo(room, "芜湖")
    await api.until_state(room, "familiar")
    gate.open()
    await room.expect("芜湖")
    await api.until_state(room, "observing")


async def test_absent_dense_familiar(room: Chat, client: OneBotClient, api: Api, model: ModelServer):
    """Dense talk gets one short line, without analysis."""
    model.always("chat_reply", "好热闹呀")
    gate = not_alive(client, room)
    await dense(room)
    await api.until_state(room, "familiar")
    gate.open()
    sent = await room.expect("好热闹呀")
    assert sent.quotes is None
    await api.until_state(room, "observing")
    assert model.of("analyze_conversation") == []
    rows = await api.poll(lambda: api.decisions(room), bool, "a decision")
    assert rows[0]["trigger"] == "dense"


async def test_observing_echo_familiar(room: Chat, client: OneBotClient, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    await observing(room, api)
    gate = not_alive(client, room)
    await echo(room, "起飞")
    await api.until_state(room, "familiar")
    gate.open()
    await room.expect("起飞")
    await api.until_state(room, "observing")


async def test_familiar_summon_summoned(room: Chat, client: OneBotClient, api: Api):
    """A summons that comes while the joining line is on its way."""
    gate = not_alive(client, room)
    await echo(room, "起飞")
    await api.until_state(room, "familiar")
    said = await room.call(room.member("丁"), "在吗")
    await api.until_held(room, 1)
    gate.open()
    await room.expect("起飞")
    await room.expect(quoting=said)
    await api.until_state(room, "observing")


async def test_summoned_ended_by_recall_back_to_absent(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    said = await room.call(room.member("阿明"), "在吗")
    await held.entered()
    await room.recall(said)
    await api.until_state(room, "absent")
    held.release()
    await api.settle(room)
    room.nothing_else()


async def test_summoned_ended_by_recall_back_to_observing(room: Chat, api: Api, model: ModelServer):
    who = await observing(room, api)
    model.always("chat_reply", held := Held())
    said = await room.call(who, "在吗")
    await held.entered()
    await room.recall(said)
    await api.until_free(room)
    assert await api.state(room) == "observing"
    held.release()
    await api.settle(room)
    room.nothing_else()


async def test_summoned_send_failed_back_to_the_state_before(room: Chat, client: OneBotClient, api: Api):
    client.plan("send", Fail(), times=9, matching=lambda action: str(action.params["group_id"]) == room.id)
    await room.call(room.member("阿明"), "在吗")
    await client.until(lambda: room.sends, 10, "a try to send")
    await api.until_free(room)
    assert await api.state(room) == "absent"
    client.platform.faults.clear()
    await summon(room, room.member("小红"), "现在呢")


async def test_familiar_send_failed_back_to_the_state_before(room: Chat, client: OneBotClient, api: Api):
    client.plan("send", Fail(), times=9, matching=lambda action: str(action.params["group_id"]) == room.id)
    await echo(room, "起飞")
    await client.until(lambda: room.sends, 10, "a try to send")
    await api.until_free(room)
    assert await api.state(room) == "absent"


@pytest.mark.exhaustive
async def test_summoned_evicted_back_to_the_state_before(room: Chat, client: OneBotClient, api: Api):
    """The platform never answers the send: past LOCK_TIMEOUT the owner is evicted."""
    client.plan("send", Never(), matching=lambda action: str(action.params.get("group_id")) == room.id)
    await room.call(room.member("阿明"), "在吗")
    await api.until_state(room, "summoned")
    await api.until_free(room)
    assert await api.state(room) == "absent"
    for sent in room.left():
        sent.taken = True
    await summon(room, room.member("小红"), "现在呢")


async def test_pitfall_6_a_late_result_of_an_evicted_owner_is_a_no_op(
    room: Chat, client: OneBotClient, api: Api
):
    """The platform answers the first send only after its owner was evicted and another one worked."""
    gate = not_alive(client, room)
    first = await room.call(room.member("阿明"), "在吗")
    await room.expect(quoting=first)
    waiting = await room.call(room.member("小红"), "我也问")
    await api.until_held(room, 1)
    await room.expect(quoting=waiting)
    await api.until_state(room, "observing")
    since = (await api.presence(room))["since"]
    gate.open()
    await api.settle(room)
    seen = await api.presence(room)
    assert (seen["state"], seen["since"]) == ("observing", since)
    room.nothing_else()


async def test_observing_times_out_to_absent(room: Chat, api: Api):
    await observing(room, api)
    await api.until_state(room, "absent")


@pytest.mark.exhaustive
async def test_chatter_does_not_keep_it_observing(room: Chat, api: Api, model: ModelServer):
    """OBSERVING_TIMEOUT counts from when the bot last spoke or was addressed, whatever the others say."""
    model.always("analyze_conversation", QUIET)
    await observing(room, api)
    talker = room.member("话多的人")

    async def talk() -> str:
        await room.say(talker, "你们继续")
        return await api.state(room)

    await api.poll(talk, lambda state: state == "absent", "absent", within=15)
    room.nothing_else()


async def test_any_state_silence_begins_absent(room: Chat, api: Api, model: ModelServer):
    model.always("chat_reply", held := Held())
    await room.call(room.member("阿明"), "在吗")
    await held.entered()
    assert await api.state(room) == "summoned"
    await room.say(room.member("小红"), "闭嘴")
    await api.until_state(room, "absent")
    held.release()
    await api.settle(room)
    room.nothing_else()


async def test_familiar_silence_begins_absent(room: Chat, client: OneBotClient, api: Api):
    gate = not_alive(client, room)
    await echo(room, "起飞")
    await api.until_state(room, "familiar")
    await room.expect("起飞")  # it is out, and the platform has not answered yet
    await room.say(room.member("小红"), "闭嘴")
    await api.until_state(room, "absent")
    gate.open()
    await api.settle(room)
    assert await api.state(room) == "absent", "a late result of an evicted owner is a no-op"


async def test_observing_reply_sent_observing(room: Chat, api: Api, model: ModelServer):
    await observing(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True))
    model.always("chat_reply", "接着说")
    said = await room.say(room.member("小红"), "那后来呢")
    await room.expect("接着说")
    assert await api.state(room) == "observing"
    decision = await api.decision_of(room, said.id)
    assert decision["state_before"] == decision["state_after"] == "observing"
    assert decision["strategy"] == "回应追问"


async def test_presence_is_told_live(room: Chat, api: Api, model: ModelServer):
    async with api.events(room) as events:
        said, _ = await summon(room, room.member("阿明"), "在吗")
        states: list[str] = []
        decided: list[str] = []
        while "observing" not in states or not decided:
            event = await asyncio.wait_for(events.get(), 10)
            if event["event"] == "presence":
                states.append(event["data"]["state"])
            elif event["event"] == "decision":
                decided.append(str(event["data"]["message_id"]))
        assert states.index("summoned") < states.index("observing")
        assert decided == [said.id]
