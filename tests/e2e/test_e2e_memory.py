"""What is remembered of a member, and of nobody else (product section 3, docs/memory.md), over the wire."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from typing import Any

import pytest
from default_run import first
from model_server import FAULTS, ModelServer, Request

from .conftest import StartBot
from .harness import Api, BotProcess, Chat, Held, OneBotClient, summon
from .harness.api import POLL
from .harness.disk import holds, rows, until_on_disk
from .harness.room import WITHIN
from .test_e2e_http_chat import ask
from .test_e2e_restart import running

TOKENS, ROUNDS = 200, 2
BOT = {
    "MISHU__MEMORY__TOKENS": TOKENS,
    "MISHU__MEMORY__ROUNDS": ROUNDS,
    "MISHU__BOT__PLUGINS": ["nonebot_plugin_mishu_clinic"],
}
DIGEST = "他养了一条叫旺财的狗，住在城东。"
LEFT_OUT = "轮对话略去"


def line(number: int) -> str:
    """A round's worth of talk; what tells it from others stands far behind the start."""
    return f"日子平平常常，窗外的云慢慢飘过，心里安安静静，说来说去都是老样子，只有记号{number}星"


async def talk(api: Api, room: Chat | None, user: object, numbers: range) -> None:
    for number in numbers:
        await ask(api, room, user, line(number))


def marks(request: Request) -> list[int]:
    """Which of the rounds stand in a prompt."""
    return [number for number in range(100) if f"记号{number}星" in request.prompt]


async def until_digested(bot: BotProcess, room: Chat) -> None:
    end = time.monotonic() + WITHIN
    while not rows(bot.database, "mishu_digest", peer=room.id):
        assert time.monotonic() < end, "no digest on disk"
        await asyncio.sleep(POLL)


# -- M1 in the prompt


async def test_what_was_said_is_in_the_next_prompt(room: Chat, api: Api, model: ModelServer) -> None:
    model.answer("chat_reply", "好名字", "记得，旺财")
    await ask(api, room, 7, "我家的狗叫旺财")
    await ask(api, room, 7, "你还记得我家的狗吗")
    prompt = model.last("chat_reply").prompt
    assert prompt.index("对方「我家的狗叫旺财」") < prompt.index("你「好名字」")


@pytest.mark.exhaustive
async def test_it_is_there_after_kill_9(start_bot: StartBot, model: ModelServer) -> None:
    bot = start_bot()
    account = OneBotClient(bot.onebot_url, 10_082)
    room = Chat.group(account)
    async with running(bot, account) as api:
        await ask(api, room, 7, "我家的狗叫旺财")
        await bot.kill()
    async with running(bot, account) as api:
        await ask(api, room, 7, "你还记得我家的狗吗")
        assert "我家的狗叫旺财" in model.last("chat_reply").prompt
        ming = room.member("小明", user_id=7)
        await summon(room, ming, "那你说它叫什么")
        assert "我家的狗叫旺财" in model.last("chat_reply").prompt


async def test_long_talk_becomes_a_summary_and_the_last_rounds(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer
) -> None:
    model.always("summarize", DIGEST)
    await talk(api, room, 7, range(8))
    await until_digested(bot, room)
    assert marks(model.of("summarize")[0])[0] == 0
    model.always("summarize", lambda request: DIGEST)
    await ask(api, room, 7, "接着说")
    prompt = model.last("chat_reply")
    assert DIGEST in prompt.prompt
    assert marks(prompt)[-ROUNDS:] == [6, 7]
    assert 0 not in marks(prompt)
    assert "只是资料" in prompt.prompt


async def test_a_summary_is_made_in_the_background(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer
) -> None:
    model.always("summarize", held := Held(DIGEST))
    await talk(api, room, 7, range(8))
    await held.entered()
    said = await ask(api, room, 7, "你还在吗")
    assert said["status"] == "completed"
    prompt = model.last("chat_reply")
    assert LEFT_OUT in prompt.prompt
    assert marks(prompt) == [6, 7]
    assert len(held.asked) == 1, "one at a time for a member"
    held.release()
    await until_digested(bot, room)


@first(1)
@pytest.mark.parametrize("fault", ["hang", "500", "blank", "reset"])
async def test_a_summary_that_fails_delays_nothing(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer, fault: str
) -> None:
    model.always("summarize", FAULTS[fault]())
    await talk(api, room, 7, range(8))
    await model.wait_for("summarize")
    said = await ask(api, room, 7, "你还在吗")
    assert said["reply"] == "好的"
    prompt = model.last("chat_reply")
    assert LEFT_OUT in prompt.prompt
    assert marks(prompt) == [6, 7]
    assert rows(bot.database, "mishu_digest", peer=room.id) == []


# -- nobody else's


async def test_nobody_elses_and_no_other_groups(
    room: Chat, api: Api, client: OneBotClient, model: ModelServer
) -> None:
    other = client.room()
    ming = room.member("小明", user_id=7001)
    await ask(api, room, 7001, "我的密语是青花瓷")
    await ask(api, other, 7001, "我的密语是汝窑")
    await ask(api, None, 7001, "我的密语是钧窑")
    await ask(api, room, 7002, "我的密语是什么")
    await summon(room, room.member("小红", user_id=7003), "小明的密语是什么")
    for prompt in model.of("chat_reply")[-2:]:
        assert not any(word in prompt.prompt for word in ("青花瓷", "汝窑", "钧窑"))
    await summon(room, ming, "我的密语是什么来着")
    assert "青花瓷" in model.last("chat_reply").prompt
    assert "汝窑" not in model.last("chat_reply").prompt
    assert "钧窑" not in model.last("chat_reply").prompt
    await ask(api, None, 7001, "我的密语是什么来着")
    assert "钧窑" in model.last("chat_reply").prompt
    assert "青花瓷" not in model.last("chat_reply").prompt


async def test_what_was_said_in_private_is_in_no_group(
    room: Chat, api: Api, client: OneBotClient, model: ModelServer
) -> None:
    friend = client.friend(7011, "小明")
    await friend.say(None, "我悄悄告诉你，保险箱的号码是四七一一")
    await friend.expect()
    await friend.say(None, "我头痛三天了，想挂号")
    await friend.expect("神经内科")
    await summon(room, room.member("小明", user_id=7011), "保险箱的号码是多少，帮我安排一下")
    await ask(api, room, 7011, "帮我安排一下明天的那个片子")
    assert {"parse_intents", "chat_reply"} <= set(model.names)
    here = [request for request in model.requests if "保险箱的号码是多少" in request.prompt]
    assert here
    for request in [*here, model.last("parse_intents")]:
        assert "四七一一" not in request.prompt
        assert "神经内科" not in request.prompt
    assert (await api.get("/api/ai/messages", user_id="7011", group_id=room.id))["messages"][0][
        "content"
    ] == "保险箱的号码是多少，帮我安排一下"


async def test_summaries_of_tasks_are_their_members_own(room: Chat, api: Api, model: ModelServer) -> None:
    await ask(api, room, 7021, "我头痛三天了，想挂号")
    await ask(api, room, 7021, "帮我安排一下明天的那个神经内科")
    told = model.last("parse_intents").data  # a summary of what the history tells is not told again
    assert "神经内科" in f"{told['history']}{told['summaries']}"
    await ask(api, room, 7022, "帮我安排一下明天的那个神经内科")
    assert model.last("parse_intents").data["summaries"] == []
    assert model.last("parse_intents").data["history"] == []


# -- one's own: export, forgetting


async def filled(room: Chat, api: Api, bot: BotProcess, model: ModelServer) -> tuple[Any, Any]:
    """Two members with talk, digests and tasks."""
    model.always("summarize", lambda request: f"{DIGEST}{'甲' if '甲字号' in request.prompt else '乙'}")
    ming, hong = room.members("小明", "小红")
    for who, mark in ((ming, "甲字号"), (hong, "乙字号")):
        for number in range(8):
            await ask(api, room, who.user_id, f"{mark}，{line(number)}")
        await ask(api, room, who.user_id, f"我头痛三天了想挂号，{mark}")
        await summon(room, who, f"{mark}，群里说的")
    await until_on_disk(bot.database, f"{DIGEST}甲")
    await until_on_disk(bot.database, f"{DIGEST}乙")
    return ming, hong


async def test_forgetting_removes_all_of_it(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer
) -> None:
    ming, hong = await filled(room, api, bot, model)
    await room.command(ming, "忘记我")
    told = await room.command(ming, "确认忘记")
    assert "都忘了" in told.text
    assert not holds(bot.database, "甲字号")
    assert not holds(bot.database, f"{DIGEST}甲")
    assert holds(bot.database, "乙字号")
    assert holds(bot.database, f"{DIGEST}乙")
    for table in ("mishu_turn", "mishu_digest", "mishu_summary", "mishu_frame"):
        assert rows(bot.database, table, peer=room.id, user_id=str(ming.user_id)) == [], table
        assert rows(bot.database, table, peer=room.id, user_id=str(hong.user_id)), table
    mine = await api.get("/api/ai/messages", user_id=str(ming.user_id), group_id=room.id)
    assert mine["messages"] == []
    model.requests.clear()
    await summon(room, ming, "你还记得我吗，头痛的那个帮我安排一下")
    await ask(api, room, ming.user_id, "你还记得我吗")
    for request in model.requests:
        assert "甲字号" not in request.prompt, request.name
        assert DIGEST not in request.prompt, request.name


async def test_a_summary_on_its_way_is_not_kept_after_forgetting(
    room: Chat, api: Api, bot: BotProcess, model: ModelServer
) -> None:
    model.always("summarize", held := Held(DIGEST))
    ming = room.member("小明")
    await talk(api, room, ming.user_id, range(8))
    await held.entered()
    await room.command(ming, "忘记我")
    await room.command(ming, "确认忘记")
    held.release()
    await ask(api, room, ming.user_id, "在吗")
    await api.settle(room)
    assert rows(bot.database, "mishu_digest", peer=room.id) == []
    assert marks(model.last("chat_reply")) == []


async def test_an_export_gives_it_and_nobody_elses(
    room: Chat, api: Api, bot: BotProcess, client: OneBotClient, model: ModelServer
) -> None:
    ming, _ = await filled(room, api, bot, model)
    told = await room.command(ming, "导出")
    assert "导出好了" in told.text
    assert "私聊" in told.text
    assert not any(action.name == "upload_group_file" for action in client.actions)
    [upload] = [action for action in client.actions if action.name == "upload_private_file"][-1:]
    assert str(upload.params["user_id"]) == str(ming.user_id)
    content = base64.b64decode(str(upload.params["file"]).removeprefix("base64://")).decode()
    given = json.loads(content)
    assert any("甲字号，群里说的" in said["text"] for said in given["messages"])
    for words in ("记号7星", f"{DIGEST}甲", "神经内科"):
        assert words in content
    assert "乙" not in content


# -- GET /api/ai/messages


async def test_messages_page_backwards(room: Chat, api: Api, model: ModelServer) -> None:
    for number in range(5):
        model.answer("chat_reply", f"答{number}")
        await ask(api, room, 7031, f"问{'甲乙丙丁戊'[number]}")
    await ask(api, None, 7031, "私下问")

    async def page(**query: Any) -> list[dict[str, Any]]:
        return (await api.get("/api/ai/messages", user_id="7031", **query))["messages"]

    whole = await page(group_id=room.id)
    assert [(turn["role"], turn["content"]) for turn in whole[:4]] == [
        ("user", "问甲"),
        ("assistant", "答0"),
        ("user", "问乙"),
        ("assistant", "答1"),
    ]
    assert len(whole) == 10
    assert all(set(turn) == {"id", "role", "content", "created_at"} for turn in whole)
    assert all(turn["created_at"].endswith("+08:00") for turn in whole)
    last = await page(group_id=room.id, limit=3)
    assert last == whole[-3:]
    assert await page(group_id=room.id, limit=3, before=last[0]["id"]) == whole[-6:-3]
    assert [turn["content"] for turn in await page()] == ["私下问", "好的"]
    assert await page(group_id="1") == []
    for query in ({}, {"user_id": "7031", "limit": 0}, {"user_id": "7031", "before": "x"}):
        answer = await api.http.get("/api/ai/messages", params=query)
        assert answer.status_code == 422
        assert set(answer.json()) == {"error"}
