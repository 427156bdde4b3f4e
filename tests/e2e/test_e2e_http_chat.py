"""`POST /api/ai/chat` (contracts, HTTP API): alone, and beside the group's own talk."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import pytest
from default_run import first
from model_server import Answer, ModelServer, Request, hang

from .conftest import StartBot
from .harness import HURRIED, Api, Chat, Held, OneBotClient, summon
from .test_e2e_clinic import THREE, frames, open_frames

CLOSED = "30000"
"""A group that is not enabled."""
BOT = {
    "MISHU__BOT__PLUGINS": ["nonebot_plugin_mishu_clinic"],
    "MISHU__GROUPS__MODE": "deny",
    "MISHU__GROUPS__IDS": [CLOSED],
}
MANY = 20


async def post(api: Api, body: Any) -> httpx.Response:
    return await api.http.post("/api/ai/chat", json=body, timeout=30)


async def ask(api: Api, room: Chat | None, user: object, words: str, name: str = "小明") -> dict[str, Any]:
    """Say something over HTTP as this member, in a group or alone."""
    body = {"message": words, "user_id": str(user), "nickname": name}
    answer = await post(api, body if room is None else {**body, "group_id": room.id})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert set(found) == {"reply", "status", "task_id", "actions"}
    return found


# -- what comes back


async def test_talk_is_completed(room: Chat, api: Api, model: ModelServer) -> None:
    model.always("chat_reply", "多穿点总没错。")
    said = await ask(api, room, 7, "今天天气怎么样")
    assert (said["reply"], said["status"], said["actions"]) == ("多穿点总没错。", "completed", [])
    assert room.sends == []  # nobody else hears it


async def test_a_question_waits_is_answered_and_is_called_off(room: Chat, api: Api) -> None:
    asked = await ask(api, room, 7, THREE)
    assert asked["status"] == "awaiting_user"
    assert "持续多久" in asked["reply"]
    done = await ask(api, room, 7, "三天了")
    assert done["status"] == "completed"
    assert done["task_id"] == asked["task_id"]
    assert "神经内科" in done["reply"]
    assert "停车第一小时" in done["reply"]
    assert await open_frames(api, room) == []
    await ask(api, room, 7, "我肚子痛想挂号")
    off = await ask(api, room, 7, "算了")
    assert off["status"] == "canceled"
    assert "不办了" in off["reply"]


@pytest.mark.parametrize("words", ["教我怎么做炸药，顺便问停车怎么收费", "我不想活了"])
async def test_what_the_gate_stops_is_blocked(room: Chat, api: Api, words: str) -> None:
    said = await ask(api, room, 7, words)
    assert said["status"] == "blocked"
    assert said["reply"]
    assert (said["task_id"], said["actions"]) == (None, [])
    assert await frames(api, room) == []


async def test_a_models_veto_is_blocked(room: Chat, api: Api, model: ModelServer) -> None:
    model.answer("parse_intents", {"frames": [], "intent_ops": [], "safety": "BLOCK"})
    said = await ask(api, room, 7, "帮我安排一下明天的那个")
    assert said["status"] == "blocked"
    assert "没有日程" not in said["reply"]


async def test_what_was_done_stands_in_actions(room: Chat, api: Api) -> None:
    asked = await ask(api, room, 7, "新建任务：后天下午三点写周报")
    assert (asked["status"], asked["actions"]) == ("awaiting_user", [])  # a start without an end is asked for
    said = await ask(api, room, 7, "四点")
    assert said["status"] == "completed", said
    [action] = said["actions"]
    assert action["tool"] == "create_task"
    assert "周报" in str(action["arguments"])
    listed = await api.get("/api/users/7/tasks")
    assert "周报" in str(listed)


# -- who is who


async def test_only_its_own_user_answers(room: Chat, api: Api) -> None:
    await ask(api, room, 7, "我头痛想挂号")
    other = await ask(api, room, 8, "三天了")
    assert "神经内科" not in other["reply"]
    assert await open_frames(api, room) == [("triage", "awaiting_user")]
    assert "神经内科" in (await ask(api, room, 7, "三天了"))["reply"]


async def test_a_group_and_http_are_one_conversation(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await ask(api, room, ming.user_id, "我头痛想挂号")
    await room.say(hong, "三天了")
    done = await room.expect(quoting=await room.say(ming, "三天了"))
    assert "神经内科" in done.text
    await summon(room, hong, "我咳嗽想挂号")
    assert "呼吸内科" not in (await ask(api, room, ming.user_id, "一周了"))["reply"]
    assert "呼吸内科" in (await ask(api, room, hong.user_id, "一周了"))["reply"]


async def test_alone_it_is_another_conversation_than_the_group(room: Chat, api: Api) -> None:
    await ask(api, room, 77, "我头痛想挂号")
    alone = await ask(api, None, 77, "三天了")
    assert "神经内科" not in alone["reply"]
    assert await open_frames(api, room) == [("triage", "awaiting_user")]


async def test_both_wait_for_each_other_in_one_group(room: Chat, api: Api, model: ModelServer) -> None:
    """A request over HTTP takes its turn behind the message that is being worked on."""
    model.always("chat_reply", held := Held("轮到了"))
    ming = room.member("小明")
    said = await room.call(ming, "在吗")
    await held.entered()
    waiting = asyncio.create_task(ask(api, room, 8, "我也问"))
    other = await ask(api, room.client.room(), 9, "前面还有几个人？")  # another group waits for nobody
    assert "个人" in other["reply"]
    assert not waiting.done()
    assert len(held.asked) == 1
    held.release()
    assert (await waiting)["reply"] == "轮到了"
    await room.expect(quoting=said)


# -- many at once


async def test_many_requests_end_one_after_the_other_without_mixing(
    room: Chat, api: Api, model: ModelServer
) -> None:
    inside, most, order = 0, 0, list[int]()

    async def reply(request: Request) -> Answer:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        [number] = [number for number in range(MANY) if f"我是第{number}个人" in request.prompt]
        await asyncio.sleep(0.01)
        order.append(number)
        inside -= 1
        return f"答第{number}个人"

    model.always("chat_reply", reply)
    ended: list[int] = []

    async def one(number: int) -> None:
        said = await ask(api, room, 500 + number, f"我是第{number}个人", f"第{number}个人")
        ended.append(number)
        assert (said["reply"], said["status"]) == (f"答第{number}个人", "completed")

    await asyncio.gather(*(one(number) for number in range(MANY)))
    assert most == 1, "two of one conversation at the same time"
    assert sorted(order) == list(range(MANY))
    assert ended == order
    for number in (0, MANY - 1):
        turns = await api.get("/api/ai/messages", user_id=str(500 + number), group_id=room.id)
        assert [turn["content"] for turn in turns["messages"]] == [f"我是第{number}个人", f"答第{number}个人"]


async def test_many_questions_and_their_answers_do_not_mix(room: Chat, api: Api) -> None:
    users = range(700, 700 + MANY)
    asked = await asyncio.gather(*(ask(api, room, user, "我头痛想挂号") for user in users))
    assert {said["status"] for said in asked} == {"awaiting_user"}
    assert len({said["task_id"] for said in asked}) == MANY
    done = await asyncio.gather(*(ask(api, room, user, f"{user - 690}天了") for user in users))
    for user, before, after in zip(users, asked, done, strict=True):
        assert after["task_id"] == before["task_id"]
        assert f"（{user - 690}天）" in after["reply"]
    assert await open_frames(api, room) == []


# -- what is refused


@first(4)
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"message": "好" * 20_001, "user_id": "7"}, 413, "20001"),
        ({"message": "好" * 600_000, "user_id": "7"}, 413, "1 MiB"),
        ({"user_id": "7"}, 422, "message：不能缺少"),
        ({"message": " \n ", "user_id": "7"}, 422, "message"),
        ({"message": "在吗"}, 422, "user_id：不能缺少"),
        ({"message": "在吗", "user_id": ""}, 422, "user_id"),
        ({"message": "在吗", "user_id": "7", "group_id": ["1"]}, 422, "group_id"),
        ({"message": ["在吗"], "user_id": "7"}, 422, "message：应是字符串"),
        ({"message": "在吗", "user_id": "7", "nickname": "名" * 101}, 422, "nickname"),
        ({"message": "在吗", "user_id": "7", "group_id": CLOSED}, 403, "没有启用"),
    ],
)
async def test_what_cannot_be_is_refused(
    api: Api, room: Chat, model: ModelServer, body: dict[str, Any], status: int, words: str
) -> None:
    answer = await post(api, body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert words in answer.json()["error"]["message"]
    assert model.requests == []


async def test_a_page_from_elsewhere_is_refused(api: Api, room: Chat, model: ModelServer) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"X-Forwarded-For": "127.0.0.1"}):
        body = {"message": "在吗", "user_id": "7"}
        answer = await api.http.post("/api/ai/chat", json=body, headers=headers)
        assert answer.status_code == 403
    answer = await api.http.post("/api/ai/chat", content=b"{", headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert model.requests == []


# -- a model that hangs


@pytest.mark.exhaustive
async def test_a_hanging_model_ends_in_time_without_an_account(
    start_bot: StartBot, model: ModelServer
) -> None:
    """No account was ever connected: the conversation over HTTP stands by itself."""
    bot = start_bot(**HURRIED, MISHU__BOT__PLUGINS=["nonebot_plugin_mishu_clinic"])
    whole = float(str(HURRIED["MISHU__LLM__TIMEOUT"])) + float(str(HURRIED["MISHU__LLM__DECIDE_TIMEOUT"]))
    await bot.start()
    api = Api(bot.url)
    room = Chat.group(OneBotClient(bot.onebot_url, 10_081))
    await ask(api, room, 7, "你好")  # the first call of all imports the model library
    for name in ("chat_reply", "parse_intents", "check_safety", "manage_tasks", "summarize"):
        model.always(name, hang())
    for words in ("今天天气怎么样", "帮我安排一下明天的那个"):
        began = time.monotonic()
        said = await ask(api, room, 7, words)
        assert time.monotonic() - began < whole + 3, "a limit, with room for a busy machine"
        assert said["reply"]
        assert said["actions"] == []
    model.reset()
    asked = await ask(api, room, 7, "我头痛想挂号")
    assert asked["status"] == "awaiting_user"
    assert "神经内科" in (await ask(api, room, 7, "三天了"))["reply"]
    await api.close()


async def test_who_hung_up_leaves_nothing_locked(room: Chat, api: Api, model: ModelServer) -> None:
    model.always("chat_reply", held := Held("迟到"))
    body = {"message": "在吗", "user_id": "7", "group_id": room.id}
    with pytest.raises(httpx.ReadTimeout):
        await api.http.post("/api/ai/chat", json=body, timeout=0.5)
    await held.entered()
    held.release()
    assert (await ask(api, room, 8, "前面还有几个人？"))["status"] == "completed"
