"""Analysis, cooldown, the reply path, trace (product section 2; pitfalls 5, 8, 12, 18, 19, 38)."""

from __future__ import annotations

import asyncio

import pytest
from default_run import first
from model_server import ModelServer, html, server_error

from .harness import (
    QUIET,
    Api,
    Chat,
    Fail,
    Held,
    OneBotClient,
    analysis,
    cooled,
    observing,
    seconds_left,
    summon,
)
from .harness.segments import at, reply
from .test_e2e_decision import frame, parsed


async def test_pitfall_8_a_summons_is_answered_though_the_model_says_no(
    room: Chat, api: Api, model: ModelServer
):
    """Its judgement comes with its words, in one call, and a summons has been decided before."""
    model.always("chat_reply", {**QUIET, "reply": "在呢"})
    said, sent = await summon(room, room.member("阿明"), "在吗")
    await api.settle(room)
    assert sent.text == "在呢"
    assert model.of("analyze_conversation") == []
    assert len(model.of("chat_reply")) == 1
    decisions = [row for row in await api.decisions(room) if str(row["message_id"]) == said.id]
    assert [row["should_reply"] for row in decisions] == [True]
    room.nothing_else()


async def test_pitfall_38_a_summons_is_answered_though_the_parse_fails(
    room: Chat, api: Api, model: ModelServer
):
    model.always("parse_intents", html())
    model.always("chat_reply", "照样回答")
    _, sent = await summon(room, room.member("阿明"), "帮我弄一下那个")
    assert "照样回答" in sent.text


async def test_pitfall_38_a_summons_is_answered_though_the_reply_fails(
    room: Chat, api: Api, model: ModelServer
):
    model.always("chat_reply", server_error())
    said, sent = await summon(room, room.member("阿明"), "讲个故事")
    assert sent.text
    assert "provider" not in sent.text
    await api.until_free(room)
    assert (await api.decision_of(room, said.id))["should_reply"] is True


async def test_pitfall_5_each_bad_end_leaves_the_lock_free(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """A blank reply, a model's error, a send that fails: the next call is answered."""
    ming = room.member("阿明")
    model.always("chat_reply", "   \n")
    await room.expect(quoting=await room.call(ming, "空的"))
    await api.until_free(room)
    model.always("chat_reply", server_error())
    await room.expect(quoting=await room.call(ming, "错的"))
    await api.until_free(room)
    client.plan("send", Fail(), times=5, matching=lambda action: str(action.params["group_id"]) == room.id)
    model.always("chat_reply", "好了")
    await room.call(ming, "发不出的")
    await client.until(room.left, 10, "a try to send")
    await api.until_free(room)
    client.platform.faults.clear()
    for sent in room.left():
        sent.taken = True
    await room.expect("好了", quoting=await room.call(ming, "最后"))


@first(2)
@pytest.mark.parametrize(
    "flags", [(), ("is_questioned",), ("is_interesting",), ("is_questioned", "is_interesting")]
)
async def test_pitfall_73_should_reply_alone_decides(
    flags: tuple[str, ...], room: Chat, api: Api, model: ModelServer
):
    """The flags only choose how; without one, whoever spoke is answered. The trace tells what happened."""
    ming = await observing(room, api)
    set_ = dict.fromkeys(flags, True)
    model.always("analyze_conversation", analysis(**set_))
    quiet = await room.say(ming, "你也觉得那天挺好吧")
    decision = await api.decision_of(room, quiet.id)
    assert (decision["should_reply"], decision["reason"]) == (False, "看了，没什么要说的")
    await cooled(room, api)
    room.nothing_else()
    model.always("analyze_conversation", analysis(should_reply=True, **set_))
    said = await room.say(ming, "那你说呢")
    await room.expect(quoting=said)
    decision = await api.decision_of(room, said.id)
    assert decision["should_reply"] is True
    assert decision["strategy"] == ("参与话题" if flags == ("is_interesting",) else "回应追问")
    assert "不必" not in decision["reason"]


async def test_strategies_follow_the_flags(room: Chat, api: Api, model: ModelServer):
    await observing(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_interesting=True))
    first = await room.say(room.member("小红"), "你们看流星雨了吗")
    await room.expect()
    assert (await api.decision_of(room, first.id))["strategy"] == "参与话题"
    await cooled(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True, is_interesting=True))
    second = await room.say(room.member("小红"), "那你呢")
    await room.expect()
    assert (await api.decision_of(room, second.id))["strategy"] == "回应追问"
    assert [row["trigger"] for row in (await api.decisions(room))[:2]] == ["chat", "chat"]


async def test_pitfall_12_ten_lines_in_a_cooldown_make_one_analysis(room: Chat, api: Api, model: ModelServer):
    await observing(room, api)
    model.always("analyze_conversation", QUIET)
    seen = len(model.of("analyze_conversation"))
    await room.say(room.member("甲"), "开个头")
    await model.wait_for("analyze_conversation", seen + 1)
    await api.until(room, lambda now: seconds_left(room, now["cooldown_until"]) > 0, "a cooldown")
    for number in range(10):
        await room.say(room.member(f"第{number}人"), f"冷却里的第{number}句")
    request = await model.wait_for("analyze_conversation", seen + 2)
    await api.settle(room)
    await cooled(room, api)
    await api.settle(room)
    assert len(model.of("analyze_conversation")) == seen + 2
    text = str(request.data["lines"])
    assert "冷却里的第0句" in text
    assert "冷却里的第9句" in text
    room.nothing_else()


async def test_a_summons_ignores_the_cooldown(room: Chat, api: Api):
    ming = room.member("阿明")
    await summon(room, ming, "第一次")
    await api.until(room, lambda seen: seconds_left(room, seen["cooldown_until"]) > 0, "a cooldown")
    await summon(room, ming, "马上又来")


async def test_pitfall_18_the_context_is_frozen_at_the_decisions_message(
    room: Chat, api: Api, model: ModelServer
):
    model.answer("parse_intents", held := Held(parsed(frame("chat", "chitchat", "帮我弄一下那个"))))
    said = await room.call(room.member("阿明"), "帮我弄一下那个")
    await held.entered()
    await room.say(room.member("小红"), "半路杀出的话")
    await api.until_stored(room, "半路杀出的话")
    held.release()
    await room.expect(quoting=said)
    assert "半路杀出的话" not in model.last("chat_reply").prompt
    await summon(room, room.member("阿明"), "然后呢")
    assert "半路杀出的话" in model.last("chat_reply").prompt


async def test_pitfall_19_each_decision_travels_with_its_event(room: Chat, api: Api, model: ModelServer):
    """Two callers in one busy period: each has a decision of its own, under its own message."""
    held = Held("甲的答复")
    model.answer("chat_reply", held)
    model.always("chat_reply", "乙的答复")
    one = await room.call(room.member("甲"), "甲问")
    await held.entered()
    two = await room.call(room.member("乙"), "乙问")
    await api.until_held(room, 1)
    held.release()
    assert (await room.expect(quoting=one)).text == "甲的答复"
    assert (await room.expect(quoting=two)).text == "乙的答复"
    await api.settle(room)
    rows = await api.decisions(room)
    assert [str(row["message_id"]) for row in rows if row["trigger"] == "summon"] == [two.id, one.id]


async def test_speakers_are_kept_apart_and_numbers_stay_out_of_prompts(
    room: Chat, api: Api, model: ModelServer
):
    ming, hong = room.member("阿明", card="明明"), room.member("小红")
    await room.say(hong, "我昨天去爬山了")
    await api.until_stored(room, "我昨天去爬山了")
    await summon(room, ming, "她说了什么")
    prompt = model.last("chat_reply").prompt
    assert "小红" in prompt
    assert "明明" in prompt
    for request in model.requests:
        assert str(hong.user_id) not in request.prompt
        assert str(ming.user_id) not in request.prompt


async def test_a_quoted_message_is_context(room: Chat, client: OneBotClient, model: ModelServer):
    told = await room.say(room.member("小红"), "明天下午去植物园")
    said = await room.say(room.member("阿明"), reply(told.id), at(client.self_id), " 这是要去哪")
    await room.expect(quoting=said)
    assert "植物园" in model.last("chat_reply").prompt


async def test_the_trace_says_why(room: Chat, api: Api, model: ModelServer):
    ming = room.member("阿明")
    said, _ = await summon(room, ming, "在吗")
    decision = await api.decision_of(room, said.id)
    assert decision["trigger"] == "summon"
    assert decision["state_before"] == "absent"
    assert decision["state_after"] == "observing"
    assert "chat_reply" in str(decision["calls"])
    assert decision["tokens"] > 0
    assert decision["reason"]
    assert decision["timings"]
    answer = await room.command(ming, "为什么")
    assert decision["reason"] in answer.text or "呼唤" in answer.text or "@" in answer.text


async def test_one_model_round_trip_before_the_work_starts(room: Chat, api: Api, model: ModelServer):
    """Parse and gate run at the same time: neither waits for the other's answer."""
    model.answer("parse_intents", held := Held(parsed(frame("chat", "chitchat", "帮我弄一下那个"))))
    said = await room.call(room.member("阿明"), "帮我弄一下那个")
    await held.entered()
    for _ in range(5):
        await api.presence(room)
    released = asyncio.get_running_loop().time()
    held.release()
    await room.expect(quoting=said)
    late = [each.name for each in model.requests if each.name != "chat_reply" and each.at > released]
    assert late == [], "asked only once the parse had come back"
