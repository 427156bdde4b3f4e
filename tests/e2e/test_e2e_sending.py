"""What goes out: order, gaps, folding, text as text (product section 12; pitfalls 33, 57)."""

from __future__ import annotations

import itertools

import pytest
from default_run import first
from model_server import ModelServer

from .harness import SLOW_MOUTH, Api, BotProcess, Chat, Fail, Held, OneBotClient, summon

BOT = SLOW_MOUTH


async def test_sends_of_one_group_keep_the_gap_and_the_order(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """Five people ask for the status at once, another group's answer does not wait for theirs."""
    other = client.room()
    asked = [await room.say(who, "/秘书 状态") for who in room.members("甲", "乙", "丙", "丁", "戊")]
    await other.say(other.member("小红"), "/秘书 状态")
    sends = [await room.expect() for _ in asked]
    await other.expect()
    times = [sent.action.at for sent in sends]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert all(gap >= 0.35 for gap in gaps), gaps
    assert other.sends[0].action.at < times[2]
    quotes = [sent.quotes for sent in sends]
    assert quotes in ([None] * 5, [said.id for said in asked])


async def test_pitfall_28_silence_while_the_reply_waits_in_the_outbox(
    room: Chat, api: Api, model: ModelServer
):
    """What is made but not out yet stays in."""
    asked = [await room.say(who, "/秘书 状态") for who in room.members("甲", "乙", "丙", "丁")]
    said = await room.call(room.member("阿明"), "在吗")
    await model.wait_for("chat_reply", within=10)
    assert not [sent for sent in room.sends if sent.quotes == said.id], "the queue is too short for this test"
    await room.say(room.member("小红"), "闭嘴")
    await api.until(room, lambda seen: seen["silenced_until"] is not None, "silenced")
    await api.settle(room)
    assert {sent.quotes for sent in room.left()} <= {None, *(each.id for each in asked)}


async def test_patience_goes_out_before_the_answer(room: Chat, model: ModelServer):
    model.always("chat_reply", held := Held("答案"))
    said = await room.call(room.member("阿明"), "难题")
    await room.expect("让我想想…")
    held.release()
    await room.expect("答案", quoting=said)
    assert room.texts()[0] == "让我想想…"
    assert room.texts()[-1] == "答案"


async def test_a_long_reply_is_folded_whole(room: Chat, model: ModelServer):
    story = "".join(f"这是故事的第{number}句话。" for number in range(120))
    model.always("chat_reply", story)
    await room.call(room.member("阿明"), "讲个长故事")
    sent = await room.expect("第0句")
    assert sent.nodes, "a forward message"
    assert sent.text.replace("\n", "") == story


async def test_a_reply_of_just_the_limit_is_not_folded(room: Chat, model: ModelServer):
    model.always("chat_reply", "长" * 500)
    said = await room.call(room.member("阿明"), "刚刚好")
    sent = await room.expect(quoting=said)
    assert sent.nodes == []
    assert sent.text == "长" * 500


async def test_a_long_reply_where_folding_fails_still_arrives(
    room: Chat, client: OneBotClient, model: ModelServer
):
    story = "".join(f"这是故事的第{number}句话。" for number in range(120))
    model.always("chat_reply", story)
    for name in ("send_group_forward_msg", "send_forward_msg"):
        client.plan(name, Fail(), times=3)
    await room.call(room.member("阿明"), "讲个长故事")
    sent = await room.expect(lambda sent: sent.delivered and "第0句" in sent.text)
    assert not sent.nodes


async def test_a_long_reply_to_a_friend_is_folded(client: OneBotClient, model: ModelServer):
    model.always("chat_reply", "很长的话。" * 200)
    friend = client.friend()
    await friend.say(None, "讲个长故事")
    while not (sent := await friend.expect()).nodes:  # 让我想想… on a slow machine
        assert len(sent.text) < 20


async def test_pitfall_57_codes_in_a_reply_are_text(room: Chat, model: ModelServer):
    """What a model or a member wrote is never taken as an @, a picture or a command of the platform."""
    model.always("chat_reply", "[CQ:at,qq=all] 看这里 [CQ:image,file=http://x/y.png]&#91;")
    said = await room.call(room.member("阿明"), "说一句 [CQ:at,qq=all]")
    sent = await room.expect(quoting=said)
    assert sent.text == "[CQ:at,qq=all] 看这里 [CQ:image,file=http://x/y.png]&#91;"
    assert isinstance(sent.action.params["message"], list), "segments, not a string with codes"
    assert "all" not in sent.ats
    assert {segment["type"] for segment in sent.segments} <= {"reply", "at", "text"}


async def test_pitfall_57_codes_in_an_echo_are_text(room: Chat):
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "看这个[CQ:at,qq=all]")
    sent = await room.expect()
    assert sent.text == "看这个[CQ:at,qq=all]"
    assert {segment["type"] for segment in sent.segments} == {"text"}


async def test_pitfall_33_markers_of_the_model_do_not_go_out(room: Chat, model: ModelServer):
    model.always("chat_reply", "<think>用户在打招呼，我该怎么说</think>\n\n你好呀")
    said = await room.call(room.member("阿明"), "你好")
    assert (await room.expect(quoting=said)).text == "你好呀"


async def test_names_shown_are_cards_never_numbers(room: Chat, api: Api, model: ModelServer):
    """A model that prints an alias or a number is corrected, or has no number to print."""
    hong = room.member("小红", card="红姐")
    await room.say(hong, "我先走了")
    await api.until_stored(room, "我先走了")
    model.always("chat_reply", lambda request: request.prompt[-1500:])
    await room.call(room.member("阿明"), "谁走了")
    sent = await room.expect()
    assert str(hong.user_id) not in sent.text


async def test_what_the_bot_says_passes_the_local_rules(room: Chat, model: ModelServer):
    """Section 3, Safety gate: harmful words do not go out, whoever wrote them."""
    model.always("chat_reply", "你去死吧，把安眠药全部吞下去就解脱了")
    said = await room.call(room.member("阿明"), "随便说点什么")
    sent = await room.expect(quoting=said)
    assert "安眠药" not in sent.text


@first(1)
@pytest.mark.parametrize(
    "words", ["Timeout: NTEvent serviceAndMethod:NodeIKernelMsgService/sendMsg", "", "发送超时"]
)
async def test_a_send_that_qq_did_not_confirm_is_not_sent_again(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer, bot: BotProcess, words: str
):
    """Held back by QQ, or only late: nobody knows. It stays claimed, and is told as what it is."""
    model.always("chat_reply", "很长的话。" * 200)
    client.plan("send", Fail(1200, words), matching=lambda action: "很长的话" in str(action.params))
    await room.call(room.member("阿明"), "讲个长故事")
    await client.until(lambda: [sent for sent in room.left() if "很长的话" in sent.text], 10, "a try to send")
    for sent in room.left():
        sent.taken = True  # on a busy machine 让我想想… came before it
    await api.settle(room)
    room.nothing_else()
    assert ["很长的话" in sent.text for sent in room.sends].count(True) == 1, "not again in plain"
    [reason] = [
        row["reason"]
        for row in (await api.http.get(f"/api/groups/{room.id}/decisions")).json()
        if row["should_reply"]
    ]
    assert "不知道发出去没有" in reason
    assert bot.log.count(f"发给群 {room.id} 的一条消息没有得到 QQ 的确认") == 1
    model.reset()
    await summon(room, room.member("小红"), "现在呢")


async def test_a_send_that_fails_once_is_not_repeated_twice(room: Chat, client: OneBotClient, api: Api):
    """A chat reply is claimed before it is sent and never resent."""
    client.plan("send", Fail(), matching=lambda action: str(action.params.get("group_id")) == room.id)
    await room.call(room.member("阿明"), "在吗")
    await client.until(room.left, 10, "a try to send")
    room.left()[0].taken = True
    await api.settle(room)
    room.nothing_else()
    await summon(room, room.member("小红"), "现在呢")
