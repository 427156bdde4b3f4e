"""A model that breaks in every way: a summons is answered in time, nothing leaks (pitfalls 33 to 36)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from default_run import first
from model_server import (
    FAULTS,
    PROVIDER_TEXTS,
    Completion,
    ModelServer,
    as_json,
    dribble,
    hang,
    rate_limited,
    slow,
)
from nonebot_plugin_mishu.llm.limits.budget import BURST, EVERY

from .conftest import StartBot
from .harness import HURRIED, QUIET, Api, Chat, OneBotClient, Sent, analysis, observing, summon

BOT = HURRIED
BUDGET = 2.4
"""LOCK_TIMEOUT: everything of one message."""
MARGIN = 1.5
"""For the wire, on a machine that does other things too."""

LEAKS = (*PROVIDER_TEXTS, "Traceback", "Error", "Exception", "http", "openai", "json", "{", "<html", "sk-")


def assert_fit_for_people(sent: Sent) -> None:
    """Chinese words, and nothing of the machinery."""
    assert any("\u4e00" <= character <= "\u9fff" for character in sent.text), sent.text
    for words in LEAKS:
        assert words not in sent.text, sent.text


@first(1)
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"fenced", "truncated", "wrong_enum"}))
async def test_pitfall_35_a_summons_is_answered_though_the_reply_breaks(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer, fault: str
):
    model.always("chat_reply", FAULTS[fault]())
    before = time.monotonic()
    said = await room.call(room.member("阿明"), "讲个笑话")
    sent = await room.expect(quoting=said)
    assert sent.action.at - before < BUDGET + MARGIN
    assert_fit_for_people(sent)
    assert len(model.of("chat_reply")) >= 1, "the fault was met"
    await api.until_free(room)


@first(1)
@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_pitfall_35_a_summons_is_answered_though_the_parse_breaks(
    room: Chat, api: Api, model: ModelServer, fault: str
):
    model.always("parse_intents", FAULTS[fault]())
    model.always("chat_reply", "答得好好的")
    before = time.monotonic()
    said = await room.call(room.member("阿明"), "帮我弄一下那个")
    sent = await room.expect(quoting=said)
    assert sent.action.at - before < BUDGET + MARGIN
    assert "答得好好的" in sent.text
    assert len(model.of("parse_intents")) >= 1, "the fault was met"


async def test_pitfall_34_one_deadline_around_queueing_and_all_attempts(
    room: Chat, api: Api, model: ModelServer
):
    """Retry-After of an hour, then a dribbled body: the deadline is the same."""
    model.answer("chat_reply", rate_limited(3600), dribble(), hang())
    before = time.monotonic()
    said = await room.call(room.member("阿明"), "讲个笑话")
    sent = await room.expect(quoting=said)
    assert sent.action.at - before < BUDGET + MARGIN


async def test_pitfall_34_a_slow_answer_within_the_budget_is_taken(room: Chat, model: ModelServer):
    model.always("chat_reply", slow(0.7, "想了一会儿"))
    _, sent = await summon(room, room.member("阿明"), "讲个笑话")
    assert sent.text == "想了一会儿"


WELL_MEANT: dict[str, Any] = {
    "fenced": lambda data: f"```json\n{data}\n```",
    "after prose": lambda data: f"我的判断如下：\n{data}",
    "after thinking": lambda data: f'<think>{{"should_reply": false}}</think>{data}',
    "two objects": lambda data: f'{data}\n{{"note": 1}}',
    "Chinese truth": lambda data: data.replace("true", '"是"').replace("false", '"否"'),
    "missing fields": lambda data: '{"should_reply": true, "is_interesting": true}',
    "extra fields": lambda data: data[:-1] + ', "mood": "happy"}',
}


@first(2)
@pytest.mark.parametrize("form", sorted(WELL_MEANT))
async def test_pitfall_36_forms_of_an_answer_that_can_be_read(
    room: Chat, api: Api, model: ModelServer, form: str
):
    """Chatter is joined only where the analysis was understood."""
    await observing(room, api)
    data = json.dumps(analysis(should_reply=True, is_interesting=True), ensure_ascii=False)
    model.always("analyze_conversation", Completion(WELL_MEANT[form](data)))
    model.always("chat_reply", "我也觉得")
    await room.say(room.member("小红"), "今天的晚霞真好看")
    await room.expect("我也觉得")


@first(2)
@pytest.mark.parametrize("fault", ["html", "blank", "truncated", "wrong_enum", "error_body"])
async def test_pitfall_36_chatter_is_left_alone_where_the_analysis_is_not_understood(
    room: Chat, api: Api, model: ModelServer, fault: str
):
    await observing(room, api)
    model.always("analyze_conversation", FAULTS[fault]())
    seen = len(model.of("analyze_conversation"))
    await room.say(room.member("小红"), "今天的晚霞真好看")
    await model.wait_for("analyze_conversation", seen + 1)
    await api.settle(room)
    room.nothing_else()


async def test_pitfall_33_no_error_text_reaches_the_group_or_the_trace(
    start_bot: StartBot, model: ModelServer
):
    """With a bot of its own: a model whose quota is spent is left alone for seconds."""
    bot = start_bot(**HURRIED)
    await bot.start()
    api = Api(bot.url)
    model.always("chat_reply", as_json({"error": {"message": "quota of org-mishu-internal exceeded"}}, 402))
    async with OneBotClient(bot.onebot_url, 10_024) as account:
        room = account.room()
        said, sent = await summon(room, room.member("阿明"), "讲个笑话")
        assert len(model.of("chat_reply")) >= 1, "the fault was met"
        assert "org-mishu-internal" not in sent.text
        assert "org-mishu-internal" not in str(await api.decision_of(room, said.id))
        told = await room.command(room.member("阿明"), "为什么")
        assert "org-mishu-internal" not in told.text
    await api.close()


@pytest.mark.exhaustive
async def test_every_call_breaks_and_the_bot_goes_on(start_bot: StartBot, model: ModelServer):
    """A dead endpoint: summons after summons answered, ever faster, health says so."""
    bot = start_bot(**HURRIED)
    await bot.start()
    api = Api(bot.url)
    model.always("*", hang())
    async with OneBotClient(bot.onebot_url, 10_021) as account:
        spent: list[float] = []
        for number in range(5):
            room = account.room()
            before = time.monotonic()
            said = await room.call(room.member("阿明"), f"第{number}次")
            sent = await room.expect(quoting=said)
            assert_fit_for_people(sent)
            spent.append(sent.action.at - before)
            assert spent[-1] < BUDGET + MARGIN
            await api.until_free(room)
    await api.close()


async def test_an_endpoint_that_is_not_there(start_bot: StartBot):
    bot = start_bot(MISHU__LLM__BASE_URL="http://127.0.0.1:9/v1", **HURRIED)
    await bot.start()
    api = Api(bot.url)
    async with OneBotClient(bot.onebot_url, 10_022) as account:
        room = account.room()
        said = await room.call(room.member("阿明"), "在吗")
        assert_fit_for_people(await room.expect(quoting=said))
        health = await api.health()
        assert health["database"] == "ok"
    await api.close()


async def test_a_spent_budget_is_said_once(start_bot: StartBot, model: ModelServer):
    """At the group's daily limit local rules answer, and another group's budget is its own."""
    bot = start_bot(MISHU__LLM__GROUP_DAILY_TOKENS=150)
    await bot.start()
    model.always("chat_reply", "模型的话")
    async with OneBotClient(bot.onebot_url, 10_023) as account:
        room, other = account.room(), account.room()
        ming = room.member("阿明")
        texts = [(await summon(room, ming, f"第{number}问"))[1].text for number in range(8)]
        assert texts[0] == "模型的话"
        plain = [text for text in texts if text != "模型的话"]
        assert 3 <= len(plain) <= 7, texts
        asked = len(model.requests)
        _, last = await summon(room, ming, "还有吗")
        assert len(model.requests) == asked, "nothing is asked any more"
        assert any("\u4e00" <= character <= "\u9fff" for character in last.text)
        told = [text for text in [*plain, last.text] if "用完" in text or "额度" in text or "上限" in text]
        assert len(told) == 1, [*plain, last.text]
        _, sent = await summon(other, ming, "别处呢")
        assert sent.text == "模型的话"


SPENDING: dict[str, Callable[[int], str]] = {
    "long": lambda number: f"你觉得第{number}部电影好看吗，" + "我觉得还行，" * 250,
    "short": lambda number: f"第{number}章的结局你怎么理解",
    "english": lambda number: f"what do you think of chapter {number} " + "of that very long book " * 60,
    "unclear work": lambda number: f"帮我安排一下第{number}件那个",
    "a list": lambda number: "\n".join(f"{number}-{line} 这个故事讲到哪了" for line in range(12)),
    "emoji": lambda number: f"{number}😂这段太逗了你评价一下" + "😂" * 400,
}


@first(1)
@pytest.mark.parametrize("kind", SPENDING)
async def test_one_member_cannot_spend_what_is_everybodys(
    room: Chat, client: OneBotClient, model: ModelServer, kind: str
):
    """25 called lines: of 1,500 characters it was 90 calls and 586,000 characters of prompts."""
    model.always("chat_reply", "嗯，听到了")
    fast, calm = room.member("快嘴"), room.member("阿静")
    told: list[str] = []
    began = time.monotonic()
    for number in range(25):
        _, sent = await summon(room, fast, SPENDING[kind](number))
        told.append(sent.text)
    refilled = (time.monotonic() - began) / EVERY
    owed = [name for name in model.names if name != "summarize"]  # made in the background, one at a time
    assert len(owed) <= BURST + refilled + 6, "and the line that was begun is finished"
    assert sum(len(request.prompt) for request in model.requests) < 200_000
    assert sum("有点快" in text for text in told) == 1, told
    assert all("\u4e00" <= text[0] <= "\u9fff" for text in told)
    before = len(model.of("chat_reply"))
    _, sent = await summon(room, calm, "你好呀，今天聊点啥")
    assert sent.text == "嗯，听到了"
    assert len(model.of("chat_reply")) == before + 1


ENDLESS = {
    "sentences": ("今天天气不错。", "。…"),
    "no pause": ("听雨声", "…"),
    "lines": ("听说要下雨\n", "…"),
    "questions": ("你带伞了吗？", "？…"),
    "emoji": ("今天☀️真好！", "！…"),
}


@first(2)
@pytest.mark.parametrize("kind", ENDLESS)
async def test_a_reply_of_200000_characters_is_cut(
    room: Chat, client: OneBotClient, model: ModelServer, kind: str
):
    piece, end = ENDLESS[kind]
    model.always("chat_reply", piece * (200_000 // len(piece)))
    await room.call(room.member("阿明"), "讲讲天气")
    sent = await room.expect(lambda sent: piece.strip() in sent.text and len(sent.text) > 700)
    assert len(sent.text.replace("\n", "")) <= 1500
    assert sent.text.endswith(end)


@pytest.mark.exhaustive
async def test_a_busy_model_does_not_stretch_the_deadline(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """More calls than CONCURRENCY at once, all hanging: each summons has its own deadline."""
    model.always("chat_reply", hang())
    model.always("analyze_conversation", QUIET)
    before = time.monotonic()
    rooms = [client.room() for _ in range(6)]
    saids = [await each.call(each.member("阿明"), "一起问") for each in rooms]
    for each, said in zip(rooms, saids, strict=True):
        sent = await each.expect(quoting=said)
        assert sent.action.at - before < BUDGET + MARGIN
        assert_fit_for_people(sent)
    for each in rooms:
        await api.until_free(each)
