"""Holding while the secretary is busy (product section 1, Hold; pitfalls 1 to 7, 10, 13, 24, 25)."""

from __future__ import annotations

from model_server import ModelServer, slow

from .harness import QUIET, Api, Chat, Held, OneBotClient, analysis, observing
from .harness.room import Said, quoted_order
from .test_e2e_decision import frame, parsed


async def busy(room: Chat, model: ModelServer, words: str = "慢慢想") -> tuple[Held, Said]:
    """Somebody calls, and the answer is held back."""
    model.always("chat_reply", held := Held("想好了"))
    said = await room.call(room.member("先到的人"), words)
    await held.entered()
    return held, said


async def busy_chatting(room: Chat, api: Api, model: ModelServer) -> Held:
    """While observing, the bot takes part in a topic, and its line is held back."""
    await observing(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_interesting=True))
    model.always("chat_reply", held := Held("我也来说"))
    await room.say(room.member("话题的人"), "有意思的话题")
    await held.entered()
    model.always("analyze_conversation", QUIET)
    return held


def contexts(model: ModelServer) -> str:
    """Everything any reply's prompt held."""
    return "\n".join(request.prompt for request in model.of("chat_reply"))


async def test_pitfall_1_twenty_summons_in_one_busy_period(room: Chat, api: Api, model: ModelServer):
    """All reach a reply's context, a few replies go out, none hangs, nothing is held at the end."""
    held, first = await busy(room, model)
    callers = room.members(*(f"第{number}位" for number in range(20)))
    for number, who in enumerate(callers):
        await room.call(who, f"第{number}个问题")
    await api.until_held(room, 20)
    assert len(model.of("chat_reply")) == 1
    held.release()
    await room.expect(quoting=first)
    await api.settle(room)
    prompts = contexts(model)
    for number in range(20):
        assert f"第{number}个问题" in prompts
    replies = room.left()
    assert 1 <= len(replies) <= 8, "folded: at most a few replies"
    assert all(row["processed"] for row in await api.messages(room) if "个问题" in row["text"])
    presence = await api.presence(room)
    assert presence["held"] == 0
    assert presence["busy"] is False


async def test_pitfall_1_three_events_replaced_in_the_slot(room: Chat, api: Api, model: ModelServer):
    """Chatter has one slot: the newest stays, the others' events end, their text stays."""
    held = await busy_chatting(room, api, model)
    seen = len(model.of("analyze_conversation"))
    for words in ("闲话一", "闲话二", "闲话三"):
        await room.say(room.member("闲人"), words)
        await api.until_stored(room, words)
        await api.until_held(room, 1)
    held.release()
    await room.expect("我也来说")
    request = await model.wait_for("analyze_conversation", seen + 1)
    await api.settle(room)
    assert len(model.of("analyze_conversation")) == seen + 1
    text = str(request.data["lines"])
    assert all(words in text for words in ("闲话一", "闲话二", "闲话三"))
    room.nothing_else()


async def test_pitfall_2_two_people_calling_during_one_busy_period(room: Chat, api: Api, model: ModelServer):
    held, first = await busy(room, model)
    one = await room.call(room.member("甲"), "甲的问题")
    await api.until_held(room, 1)
    two = await room.call(room.member("乙"), "乙的问题")
    await api.until_held(room, 2)
    held.release()
    await room.expect(quoting=first)
    await api.settle(room)
    prompts = contexts(model)
    assert "甲的问题" in prompts
    assert "乙的问题" in prompts
    replies = room.left()
    quoted = quoted_order(replies, [one, two])
    joint = len(replies) == 1 and "甲" in replies[0].text and "乙" in replies[0].text
    assert quoted == [one.id, two.id] or joint


async def test_pitfall_3_a_held_summons_outlives_a_long_model_call(room: Chat, api: Api, model: ModelServer):
    model.answer("chat_reply", slow(2.5, "第一个答复"), "第二个答复")
    first = await room.call(room.member("甲"), "慢的")
    await model.wait_for("chat_reply")
    second = await room.call(room.member("乙"), "等的")
    await api.until_held(room, 1)
    assert (await room.expect(quoting=first)).text == "第一个答复"
    assert (await room.expect(quoting=second)).text == "第二个答复"


async def test_pitfall_4_a_call_is_not_overwritten_by_later_chatter(room: Chat, api: Api, model: ModelServer):
    held = await busy_chatting(room, api, model)
    called = await room.call(room.member("甲"), "甲在叫你")
    await api.until_held(room, 1)
    for words in ("乙一", "乙二", "乙三"):
        await room.say(room.member("乙"), words)
        await api.until_stored(room, words)
    await api.until_held(room, 2)
    held.release()
    await room.expect("我也来说")
    await room.expect(quoting=called)
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_7_a_message_during_generation_is_held(room: Chat, api: Api, model: ModelServer):
    held, first = await busy(room, model)
    second = await room.call(room.member("甲"), "插一句")
    await api.until_held(room, 1)
    presence = await api.presence(room)
    assert presence["busy"] is True
    assert len(model.of("chat_reply")) == 1
    assert not room.sends
    held.release()
    sends = [await room.expect(quoting=first), await room.expect(quoting=second)]
    assert room.sends == sends


async def test_a_message_during_the_parse_is_held_too(room: Chat, api: Api, model: ModelServer):
    model.answer("parse_intents", held := Held(parsed(frame("chat", "chitchat", "帮我弄一下那个"))))
    first = await room.call(room.member("甲"), "帮我弄一下那个")
    await held.entered()
    second = await room.call(room.member("乙"), "后到")
    await api.until_held(room, 1)
    held.release()
    await room.expect(quoting=first)
    await room.expect(quoting=second)


async def test_pitfall_10_a_recalled_waiter_does_not_free_the_lock(room: Chat, api: Api, model: ModelServer):
    held, first = await busy(room, model)
    gone = await room.call(room.member("甲"), "我要撤回")
    await api.until_held(room, 1)
    await room.recall(gone)
    await api.until_held(room, 0)
    last = await room.call(room.member("乙"), "我还在等")
    await api.until_held(room, 1)
    assert (await api.presence(room))["busy"] is True
    assert len(model.of("chat_reply")) == 1
    held.release()
    await room.expect(quoting=first)
    await room.expect(quoting=last)
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_24_a_recalled_message_is_not_answered_nor_in_a_prompt(
    room: Chat, api: Api, model: ModelServer
):
    held, first = await busy(room, model)
    secret = await room.call(room.member("甲"), "说漏嘴的秘密")
    await api.until_held(room, 1)
    await room.recall(secret)
    await api.until_held(room, 0)
    held.release()
    await room.expect(quoting=first)
    again = await room.call(room.member("乙"), "刚才说了什么")
    await room.expect(quoting=again)
    await api.settle(room)
    assert all("说漏嘴的秘密" not in request.prompt for request in model.requests)
    room.nothing_else()


async def test_pitfall_24_a_message_recalled_while_it_is_being_answered(
    room: Chat, api: Api, model: ModelServer
):
    held, first = await busy(room, model)
    await room.recall(first)
    await api.until_free(room)
    held.release()
    await api.settle(room)
    room.nothing_else()
    assert (await api.presence(room))["state"] == "absent", "the state before"


async def test_pitfall_24_chatter_recalled_before_it_was_seen(room: Chat, api: Api, model: ModelServer):
    gone = await room.say(room.member("甲"), "不该说的话")
    await api.until_stored(room, "不该说的话")
    await room.recall(gone, operator=room.member("管理员", role="admin"))
    await api.settle(room)
    said = await room.call(room.member("乙"), "大家说了什么")
    await room.expect(quoting=said)
    assert all("不该说的话" not in request.prompt for request in model.requests)


async def test_pitfall_25_each_reply_quotes_what_it_answers(room: Chat, api: Api, model: ModelServer):
    model.always("analyze_conversation", QUIET)
    model.always("chat_reply", lambda request: "再见" if "你先走" in request.prompt else "好的")
    held = Held("你好")
    model.answer("chat_reply", held)
    first = await room.call(room.member("甲"), "打个招呼")
    await held.entered()
    second = await room.call(room.member("乙"), "你先走")
    await api.until_held(room, 1)
    await room.say(room.member("丙"), "无关的话")
    held.release()
    assert (await room.expect(quoting=first)).text == "你好"
    assert (await room.expect(quoting=second)).text == "再见"
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_13_groups_never_wait_for_one_another(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    held, first = await busy(room, model)
    model.always("chat_reply", "别的群不用等")
    other, friend = client.room(), client.friend()
    said = await other.call(other.member("小红"), "在吗")
    assert (await other.expect(quoting=said)).text == "别的群不用等"
    await friend.say(None, "在吗")
    await friend.expect("别的群不用等")
    assert (await api.presence(room))["busy"] is True
    held.release()
    await room.expect(quoting=first)


async def test_state_does_not_move_while_an_event_is_held(room: Chat, api: Api, model: ModelServer):
    """A transition happens when the secretary takes the event, not while it is held."""
    held = await busy_chatting(room, api, model)
    assert await api.state(room) == "observing"
    said = await room.call(room.member("甲"), "叫你呢")
    await api.until_held(room, 1)
    assert await api.state(room) == "observing"
    held.release()
    await room.expect("我也来说")
    await room.expect(quoting=said)


async def test_obligations_are_answered_in_order_of_receipt(room: Chat, api: Api, model: ModelServer):
    held, first = await busy(room, model)
    waiting: list[Said] = []
    for count, name in enumerate("甲乙丙", start=1):
        waiting.append(await room.call(room.member(name), f"{name}的话"))
        await api.until_held(room, count)
    held.release()
    await room.expect(quoting=first)
    await api.settle(room)
    order = quoted_order(room.left(), waiting)
    ids = [said.id for said in waiting]
    assert order == [each for each in ids if each in order]
    assert order, "the first of them is quoted at least"


async def test_a_joint_reply_names_each(room: Chat, api: Api, model: ModelServer):
    """Waiting summons may get one reply; then everybody it answers is named in it or @-ed."""
    held, first = await busy(room, model)
    members = room.members("张三丰", "李四光", "王五常", "赵六顺", "钱七巧", "孙八戒")
    waiting: list[Said] = []
    for count, who in enumerate(members, start=1):
        waiting.append(await room.call(who, "你好呀"))
        await api.until_held(room, count)
    held.release()
    await room.expect(quoting=first)
    await api.settle(room)
    replies = room.left()
    named = " ".join(sent.text for sent in replies)
    ats = {user for sent in replies for user in sent.ats}
    quoted = {sent.quotes for sent in replies}
    for who, said in zip(members, waiting, strict=True):
        assert said.id in quoted or who.name in named or str(who.user_id) in ats


async def test_private_messages_are_held_and_answered_in_order(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    held = Held("第一句的答复")
    model.answer("chat_reply", held)
    model.always("chat_reply", "后面的答复")
    await friend.say(None, "第一句")
    await held.entered()
    await friend.say(None, "第二句")
    await friend.say(None, "第三句")
    held.release()
    assert (await friend.expect()).text == "第一句的答复"
    await friend.expect("后面的答复")
    if "第三句" not in contexts(model):  # not answered jointly
        await friend.expect("后面的答复")
    assert "第二句" in contexts(model)
    assert "第三句" in contexts(model)
    friend.nothing_else()
