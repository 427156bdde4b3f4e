"""Agents of plugins that are not ours (product section 3, docs/agents.md): in the standalone bot and in
somebody's own NoneBot, over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from model_server import ModelServer

from .conftest import SELF_ID, Site, StartBot, assert_clean, bot_settings
from .harness import Api, BotProcess, Chat, OneBotClient, Sent, summon
from .harness.bot_process import ENDED
from .harness.disk import holds
from .test_e2e_clinic import frames, open_frames
from .test_e2e_restart import running

pytestmark = pytest.mark.exhaustive

PLUGINS = ["nonebot_plugin_mishu_clinic", "nonebot_plugin_meeting_rooms", "foreign_agents"]
SECRET = "暗号-7f3a9c"
OVER = "快递的事先放下了"
BOOK = "帮我订明天的会议室"


def made(where: str, home: Path, settings: dict[str, object | None]) -> BotProcess:
    """The standalone bot that loads the plugins, or an instance of somebody's that does."""
    if where == "standalone":
        return BotProcess(home, {**settings, "MISHU__BOT__PLUGINS": PLUGINS})
    return BotProcess(home, settings, module="foreign_instance")


@pytest_asyncio.fixture(
    scope="module", params=["standalone", pytest.param("plain", marks=pytest.mark.exhaustive)]
)
async def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, model_of_session: ModelServer
) -> AsyncIterator[Site]:
    settings = bot_settings(object(), model_of_session)
    bot = made(request.param, tmp_path_factory.mktemp(request.param), settings)
    await bot.start()
    api = Api(bot.url)
    async with OneBotClient(bot.onebot_url, SELF_ID) as client:
        await api.poll(api.health, lambda seen: client.self_id in map(str, seen["bots"]), "connected")
        friend = client.friend()
        await friend.say(None, "你好")
        await friend.expect(within=30)
        yield Site(bot, api, client)
    await api.close()
    assert await bot.stop() in ENDED
    assert_clean(bot)


async def ask(api: Api, room: Chat, user: int, words: str) -> dict[str, Any]:
    body = {"message": words, "user_id": str(user), "group_id": room.id, "nickname": "小明"}
    answer = await api.http.post("/api/ai/chat", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_it_books_at_once_where_all_is_said(room: Chat, api: Api) -> None:
    _, done = await summon(room, room.member("小明"), "订 A3 会议室")
    assert done.text == "订好了 A3。"
    [row] = await frames(api, room)
    assert (row["agent_code"], row["status"], row["slots"]["room"]) == ("rooms", "completed", "A3")


async def test_with_the_clinic_in_one_line(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    _, both = await summon(room, ming, "停车怎么收费？再帮我订明天的会议室")
    assert both.text.index("停车第一小时") < both.text.index("要哪一间？")
    assert await open_frames(api, room) == [("rooms", "awaiting_user")]
    done = await room.expect(quoting=await room.say(ming, "B12"))
    assert done.text == "订好了 B12。"
    assert "parse_intents" not in model.names


async def test_behind_the_clinics_focus_it_waits(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, asked = await summon(room, ming, "我头痛想挂号，顺便订 A3 会议室")
    assert "持续多久" in asked.text
    assert "订好了" not in asked.text
    assert sorted(await open_frames(api, room)) == [("rooms", "queued"), ("triage", "awaiting_user")]
    done = await room.expect(quoting=await room.say(ming, "三天了"))
    assert done.text.index("神经内科") < done.text.index("订好了 A3。")


async def test_with_talk_in_one_line(room: Chat, api: Api, model: ModelServer) -> None:
    model.always("chat_reply", "从前有座山。")
    _, both = await summon(room, room.member("小明"), "订 A3 会议室，然后给我讲个笑话")
    assert "订好了 A3。" in both.text
    assert "从前有座山。" in both.text


async def test_a_model_sends_it_what_the_rules_do_not_see(room: Chat, api: Api, model: ModelServer) -> None:
    found = {
        "agent_code": "rooms",
        "intent": "book",
        "slots": [{"name": "room", "value": "C7"}],
        "priority": 4,
        "text": "帮我弄一下 C7 那个",
    }
    model.answer("parse_intents", {"frames": [found], "intent_ops": [], "safety": "SAFE"})
    _, done = await summon(room, room.member("小明"), "帮我弄一下 C7 那个")
    assert done.text == "订好了 C7。"
    assert {"code": "rooms", "intents": ["book"]} in model.last("parse_intents").data["agents"]
    assert "只订会议室，不管会议本身。" in model.last("parse_intents").prompt


async def test_only_its_own_member_answers_its_question(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    _, asked = await summon(room, ming, BOOK)
    assert asked.text == "要哪一间？"
    await room.say(hong, "A3")
    await room.quote(hong, asked, "A3")
    await room.say(ming, "今天中午的面条真好吃")
    await room.say(hong, "好的")
    await api.settle(room)
    assert await open_frames(api, room) == [("rooms", "awaiting_user")]
    assert not any("订好了" in text for text in room.texts())
    done = await room.expect(quoting=await room.say(ming, "A3"))
    assert done.text == "订好了 A3。"


async def test_a_quote_answers_the_older_of_two_questions(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, first = await summon(room, ming, BOOK)
    await summon(room, ming, "帮我取快递")
    done = await room.expect(quoting=await room.quote(ming, first, "A3"))
    assert "订好了 A3。" in done.text
    assert await open_frames(api, room) == [("parcels", "awaiting_user")]
    done = await room.expect(quoting=await room.say(ming, "5号柜"))
    assert "小明 的快递在 5 号柜" in done.text


async def test_a_vetoed_line_never_reaches_it(room: Chat, api: Api) -> None:
    _, refused = await summon(room, room.member("小明"), "教我怎么做炸药，顺便订 A3 会议室")
    assert "帮不了" in refused.text
    assert await frames(api, room) == []


async def test_its_question_is_called_off(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await summon(room, ming, BOOK)
    done = await room.expect(quoting=await room.say(ming, "算了，不订了"))
    assert "不办了" in done.text
    assert [row["status"] for row in await frames(api, room)] == ["canceled"]
    await room.say(ming, "A3")
    await api.settle(room)
    assert not any("订好了" in text for text in room.texts())


async def test_what_breaks_in_it_costs_only_its_own_task(room: Chat, api: Api, bot: BotProcess) -> None:
    ming = room.member("小明")
    _, both = await summon(room, ming, "看看打印机，然后订 A3 会议室")
    assert "没办成" in both.text
    assert "订好了 A3。" in both.text
    assert {(row["agent_code"], row["status"]) for row in await frames(api, room)} == {
        ("printer", "canceled"),
        ("rooms", "completed"),
    }
    assert "智能体 printer 出错" in bot.log
    _, done = await summon(room, ming, "订 B4 会议室")
    assert done.text == "订好了 B4。"
    hidden = (SECRET, "Traceback", "RuntimeError")
    assert not any(words in text for text in room.texts() for words in hidden)
    assert not holds(bot.database, SECRET)


async def test_its_tasks_and_deeds_over_http(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    asked = await ask(api, room, ming.user_id, "帮我取快递")
    assert (asked["reply"], asked["status"], asked["actions"]) == ("在几号柜？", "awaiting_user", [])
    [row] = await frames(api, room)
    assert row == {
        "task_id": asked["task_id"],
        "agent_code": "parcels",
        "status": "awaiting_user",
        "priority": 4,
        "user": str(ming.user_id),
        "slots": {},
        "missing_slots": ["locker"],
    }
    done = await ask(api, room, ming.user_id, "12号柜")
    assert done["status"] == "completed"
    assert done["actions"] == [
        {"tool": "fetch", "arguments": {"locker": "12"}, "result": {"by": str(ming.user_id)}}
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("where", ["standalone", "plain"])
async def test_a_question_of_its_survives_kill_9(where: str, tmp_path: Path, model: ModelServer) -> None:
    bot = made(where, tmp_path, bot_settings(object(), model))
    account = OneBotClient(bot.onebot_url, 10_078)
    room = Chat.group(account)
    ming, hong = room.members("小明", "小红")
    try:
        async with running(bot, account):
            await summon(room, ming, f"{BOOK}")
            await summon(room, hong, "帮我取快递")
            await bot.kill()
        async with running(bot, account) as api:
            assert sorted(await open_frames(api, room)) == [
                ("parcels", "awaiting_user"),
                ("rooms", "awaiting_user"),
            ]
            await room.say(hong, "A3")
            done: Sent = await room.expect(quoting=await room.say(ming, "A3"))
            assert done.text == "订好了 A3。"
            done = await room.expect(quoting=await room.say(hong, "3号柜"))
            assert "小红 的快递在 3 号柜" in done.text
            assert len([sent for sent in room.sends if not sent.text.startswith("【补发】")]) == 4
    finally:
        await bot.close()
    assert_clean(bot)


@pytest.mark.exhaustive
async def test_its_question_expires(start_bot: StartBot) -> None:
    bot = start_bot(MISHU__BOT__PLUGINS=PLUGINS, MISHU__CORE__AWAIT_TIMEOUT=1.5)
    account = OneBotClient(bot.onebot_url, 10_079)
    room = Chat.group(account)
    ming, hong = room.members("小明", "小红")
    async with running(bot, account) as api:
        await summon(room, ming, BOOK)
        await summon(room, hong, "帮我取快递")
        over = await room.expect(OVER)
        assert over.ats == [str(hong.user_id)]
        await api.poll(lambda: open_frames(api, room), lambda rows: rows == [], "both questions over")
        assert {row["status"] for row in await frames(api, room)} == {"canceled"}
        await room.say(ming, "A3")
        await room.say(hong, "3号柜")
        await api.settle(room)
        assert not any("订好了" in text or "记下了" in text for text in room.texts())


@pytest.mark.exhaustive
async def test_a_taken_code_is_refused_and_the_instance_goes_on(tmp_path: Path, model: ModelServer) -> None:
    bot = made("plain", tmp_path, bot_settings(object(), model))
    account = OneBotClient(bot.onebot_url, 10_080)
    room = Chat.group(account)
    try:
        async with running(bot, account):
            assert "agent 'rooms': this code is registered already" in bot.log
            assert "agent 'tasks': this code is one of Mishu's own" in bot.log
            _, done = await summon(room, room.member("小明"), "订 A3 会议室")
            assert done.text == "订好了 A3。"
    finally:
        await bot.close()


@pytest.mark.exhaustive
async def test_the_standalone_bot_names_a_plugin_that_was_refused(tmp_path: Path, model: ModelServer) -> None:
    settings = bot_settings(object(), model)
    bot = BotProcess(tmp_path, {**settings, "MISHU__BOT__PLUGINS": [*PLUGINS, "foreign_twin"]})
    await bot.launch()
    assert await bot.ended() == 2
    assert "foreign_twin" in bot.errors
    assert "agent 'rooms': this code is registered already" in bot.log
    with pytest.raises(httpx.TransportError):
        await Api(bot.url).health()


async def test_agents_whose_callbacks_raise_cost_nobody_else_anything(
    bot: BotProcess, api: Api, room: Chat
) -> None:
    ming = room.member("小明")
    await room.call(ming, "提醒我明天20:00打酱油")
    assert "打酱油" in (await room.expect()).text
    await room.call(ming, "来个香菜")
    assert "要几把香菜" in (await room.expect()).text
    told: list[str] = []
    for answer in ("两把", "三把"):
        await room.call(ming, answer)
        told.append((await room.expect()).text)
    assert any("先不问了" in text for text in told)
    await room.call(ming, "我有什么任务")
    assert "打酱油" in (await room.expect()).text
    await room.call(ming, "提醒我后天9点寄信")
    assert "寄信" in (await room.expect()).text
    assert "智能体 vandal 的 rules 出错" in bot.log
    assert "智能体 herbs 的 answers 出错" in bot.log
    assert SECRET not in bot.log


async def test_a_handler_with_nothing_to_say_or_no_result(bot: BotProcess, room: Chat) -> None:
    ming = room.member("小明")
    await room.call(ming, "包装一下")
    assert (await room.expect()).text == "办好了。"
    await room.call(ming, "包装礼物")
    assert "没办成" in (await room.expect()).text
    assert "智能体 gifts 出错：WrongReturn" in bot.log
