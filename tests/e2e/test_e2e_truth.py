"""With a model: what is said is true, what is no reply is not sent, and nobody is talked over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from default_run import first
from model_server import ModelServer, Request, failure

from .harness import Api, BotProcess, Chat, Held, OneBotClient, analysis, cooled, observing, summon
from .harness.bot_process import API_KEY
from .test_e2e_decision import frame, parsed

BOT = {
    "MISHU__LLM__MODEL": "deepseek-v4-flash",
    "MISHU__SECRETARY__UNASKED_GAP": 600,
    "MISHU__SECRETARY__DENSE_COUNT": 6,
    "MISHU__SECRETARY__DENSE_PEOPLE": 3,
}
HEARD = "嗯，我听着呢。"
DISABLED = {"type": "disabled"}


async def kept(api: Api, room: Chat, user_id: int | str) -> list[Any]:
    tasks = await api.get(f"/api/users/{user_id}/tasks", group_id=room.id)
    return [*tasks, *await api.get(f"/api/groups/{room.id}/schedules")]


@first(3)
@pytest.mark.parametrize(
    "claim", ["好的，已经帮你记到日程里啦～", "没问题，我会提醒你的", "安排上了", "已经通知阿凯了"]
)
async def test_pitfall_72_a_promise_that_nothing_stands_behind_is_not_sent(
    claim: str, room: Chat, api: Api, model: ModelServer
):
    ming = room.member("阿明")
    model.always("chat_reply", claim)
    said, sent = await summon(room, ming, "我在想周五的事情")
    assert claim not in sent.text
    assert any(word in sent.text for word in ("还没", "没替你"))
    assert len(model.of("chat_reply")) == 2, "asked once more, with the facts"
    assert "这一轮什么都没有办" in model.last("chat_reply").prompt
    assert await kept(api, room, ming.user_id) == []
    await api.until_free(room)
    assert "没办的事" in (await api.decision_of(room, said.id))["reason"]
    room.nothing_else()


async def test_pitfall_72_the_second_answer_is_sent_where_it_is_true(room: Chat, model: ModelServer):
    model.answer("chat_reply", "已记下", "听着不错，要我记的话说个时间")
    _, sent = await summon(room, room.member("阿明"), "我在想周五的事情")
    assert sent.text == "听着不错，要我记的话说个时间"


async def test_what_the_agents_did_is_said(room: Chat, api: Api, model: ModelServer):
    ming = room.member("阿明")
    model.always("chat_reply", "已经帮你记下了")
    _, sent = await summon(room, ming, "提醒我明天早上8点吃药")
    assert "吃药" in sent.text
    assert len(await kept(api, room, ming.user_id)) == 1


@first(2)
@pytest.mark.parametrize("nothing", ["（无需回复）", "[静默]", "「」", '""', "NO_REPLY", "秘书：（不回复）"])
async def test_pitfall_73_what_is_no_reply_is_not_sent(
    nothing: str, room: Chat, api: Api, model: ModelServer
):
    ming = await observing(room, api)
    model.always("chat_reply", nothing)
    model.always("analyze_conversation", analysis(should_reply=True, is_interesting=True))
    said = await room.say(ming, "哈哈今天真热闹")
    decision = await api.decision_of(room, said.id)
    assert decision["should_reply"] is False
    assert "不用说" in decision["reason"]
    room.nothing_else()
    _, sent = await summon(room, ming, "你怎么看")
    assert sent.text == HEARD


async def test_an_eager_model_speaks_once_unless_it_is_spoken_to(room: Chat, api: Api, model: ModelServer):
    ming = await observing(room, api)
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True, is_interesting=True))
    model.always("chat_reply", "我也觉得")
    for name in ("小红", "阿凯", "老王", "小雅"):
        said = await room.say(room.member(name), f"{name}说今天的云真好看")
        await api.decision_of(room, said.id)
        await cooled(room, api)
    replies = room.left()
    assert len(replies) == 1
    assert "插过话" in (await api.decision_of(room, said.id))["reason"]
    for sent in replies:
        sent.taken = True
    await summon(room, ming, "在吗")
    await cooled(room, api)
    again = await room.say(ming, "那你喜欢哪朵")
    await room.expect(quoting=again)


@first(2)
@pytest.mark.parametrize("order", ["推迟1分钟", "完成", "把羽毛球改到明天晚上八点", "提醒我明天8点吃药"])
async def test_nobody_joins_in_on_an_order(order: str, room: Chat, api: Api, model: ModelServer):
    """The line that makes talk dense is an order of somebody's: no small talk in its place."""
    model.always("chat_reply", "我也来凑个热闹")
    for number, who in enumerate(room.members("甲", "乙", "丙", "甲乙", "乙丙")):
        await room.say(who, f"第{number}句，今天的云真好看")
    await room.say(room.member("丁"), order)
    await api.settle(room)
    assert model.of("chat_reply") == []
    room.nothing_else()
    await room.say(room.member("戊"), "哈哈确实好看")
    await room.expect("我也来凑个热闹")


async def test_a_held_summons_sees_what_was_said_meanwhile(room: Chat, api: Api, model: ModelServer):
    ming, hong = room.members("阿明", "小红")
    model.answer("chat_reply", held := Held("西瓜挑甜的买"))
    model.always("chat_reply", "刚说过啦")
    first = await room.call(ming, "西瓜多少钱一斤")
    await held.entered()
    second = await room.call(hong, "西瓜多少钱")
    await room.say(hong, "本地的那种")
    await api.until_held(room, 1)
    held.release()
    await room.expect(quoting=first)
    await room.expect(quoting=second)
    prompt = model.of("chat_reply")[1].prompt
    assert "西瓜挑甜的买" in prompt
    assert "本地的那种" in prompt, "not half of what was said"
    assert "说过的不要再说一遍" in prompt


async def test_deciding_and_rounds_with_tools_are_asked_for_without_thoughts(room: Chat, model: ModelServer):
    await summon(room, room.member("阿明"), "帮我弄一下那个")
    assert model.last("parse_intents").body["thinking"] == DISABLED
    assert model.last("chat_reply").body["thinking"] == DISABLED


async def test_the_analysis_is_asked_for_what_is_used(room: Chat, api: Api, model: ModelServer):
    said = await room.say(await observing(room, api), "昨天那场雨真大")
    await api.decision_of(room, said.id)
    asked = model.last("analyze_conversation")
    assert list(asked.data) == ["bot_names", "lines", "state", "trigger"]
    assert "[u1 开场人 " in asked.data["lines"]
    assert "entities" not in asked.prompt + str(asked.body)
    assert "keywords" not in asked.prompt + str(asked.body)


async def test_chat_knows_the_day_and_what_is_planned(room: Chat, model: ModelServer):
    ming = room.member("阿明")
    await summon(room, ming, "日程：明天下午三点原型评审")
    await summon(room, ming, "今天过得好慢啊 你说呢")
    prompt = model.last("chat_reply").prompt
    assert "星期" in prompt
    assert "原型评审" in prompt.rpartition("【资料】")[2]
    assert "看不见图片" in prompt


@pytest.mark.exhaustive
async def test_who_refuses_what_it_does_not_know_is_asked_without_it(tmp_path: Path):
    """An endpoint that answers 400 to unknown fields: one refusal, then they are left out."""

    def picky(request: Request) -> Any:
        if "thinking" in request.body:
            return failure(400, "Unrecognized request argument")
        return parsed(frame("chat", "chitchat", request.data["text"]))

    async with ModelServer() as model:
        model.always("parse_intents", picky)
        bot = BotProcess(tmp_path)
        bot.settings = {
            "MISHU__LLM__BASE_URL": model.url,
            "MISHU__LLM__API_KEY": API_KEY,
            "MISHU__LLM__MODEL": "glm-4.7",
        }
        await bot.start()
        try:
            async with OneBotClient(bot.onebot_url, 10_052) as account:
                room = account.room()
                for words in ("帮我弄一下那个", "帮我搞一下那个"):
                    await room.expect(quoting=await room.call(room.member("阿明"), words))
            fields = ["thinking" in request.body for request in model.of("parse_intents")]
            assert fields == [True, False, False]
        finally:
            await bot.stop()
            await bot.close()


@first(1)
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"MISHU__LLM__API_KEY": API_KEY}, "缺 MISHU__LLM__MODEL"),
        ({"MISHU__LLM__MODEL": "deepseek-v4-flash"}, "缺 MISHU__LLM__API_KEY"),
        ({"MISHU__LLM__BASE_URL": "https://api.deepseek.com"}, "缺 MISHU__LLM__API_KEY、MISHU__LLM__MODEL"),
    ],
)
async def test_half_a_model_is_told_once(given: dict[str, str], missing: str, tmp_path: Path):
    bot = BotProcess(tmp_path)
    bot.settings = dict(given)
    await bot.start()
    try:
        api = Api(bot.url)
        assert (await api.health())["llm"] == "off"
        await api.close()
        assert bot.log.count("模型只配了一半") == 1
        assert missing in bot.log
        assert API_KEY not in bot.log
    finally:
        await bot.stop()
        await bot.close()
