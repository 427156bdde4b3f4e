"""Decision, gate and order of things with a model, over the wire."""

from __future__ import annotations

from typing import Any

from model_server import ModelServer

from .harness import Api, Chat, Held, summon
from .harness.disk import rows
from .test_e2e_clinic import frames, open_frames

BOT = {"MISHU__BOT__PLUGINS": ["nonebot_plugin_mishu_clinic"]}

UNCLEAR = "帮我安排一下明天的那个"
"""Work, but the rules cannot say whose."""
WRITTEN = (
    "mishu_task",
    "mishu_schedule",
    "mishu_transaction",
    "mishu_frame",
    "mishu_reminder",
    "mishu_change",
)


def frame(agent: str, intent: str, text: str, **slots: str) -> dict[str, Any]:
    return {
        "agent_code": agent,
        "intent": intent,
        "slots": [{"name": name, "value": value} for name, value in slots.items()],
        "priority": 4,
        "text": text,
    }


def parsed(
    *found: dict[str, Any], ops: list[dict[str, Any]] | None = None, safety: str = "SAFE"
) -> dict[str, Any]:
    return {"frames": list(found), "intent_ops": ops or [], "safety": safety}


def written(room: Chat, bot: Any) -> dict[str, list[Any]]:
    """Every row that agents and core keep of this group."""
    return {table: rows(bot.database, table, peer=room.id) for table in WRITTEN}


async def test_rules_that_are_sure_ask_no_model(room: Chat, api: Api, model: ModelServer) -> None:
    _, asked = await summon(room, room.member("小明"), "我头痛想挂号，顺便问停车怎么收费")
    assert "持续多久" in asked.text
    assert "parse_intents" not in model.names
    assert "check_safety" not in model.names


async def test_a_model_says_what_the_rules_cannot(room: Chat, api: Api, model: ModelServer) -> None:
    text = f"{UNCLEAR}，头昏沉沉"
    model.answer(
        "parse_intents",
        parsed(
            frame("smartCS", "ask", "停车怎么收费", question="停车怎么收费"),
            frame("triage", "register", text, symptom="头昏"),
        ),
    )
    _, asked = await summon(room, room.member("小明"), text)
    assert "头昏持续多久" in asked.text
    assert sorted(await open_frames(api, room)) == [("smartCS", "queued"), ("triage", "awaiting_user")]


async def test_the_answer_to_a_question_asks_no_model(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await summon(room, ming, "我头痛想挂号")
    model.requests.clear()
    done = await room.expect(quoting=await room.say(ming, "三天了"))
    assert "神经内科" in done.text
    assert model.names == []


async def test_an_answer_that_only_a_model_understands(room: Chat, api: Api, model: ModelServer) -> None:
    ming, hong = room.members("小明", "小红")
    await summon(room, ming, "我头痛想挂号")
    await summon(room, hong, "我牙疼想挂号")

    def fills(request: Any) -> dict[str, Any]:
        (mine,) = request.data["open_frames"]
        op = {"op": "set_slot", "frame": mine["task_id"], "slot": "duration", "value": "入冬以来"}
        return parsed(ops=[op])

    model.always("parse_intents", fills)
    done = await room.expect(quoting=await room.say(ming, "打入冬那场雪起"))
    assert "入冬以来" in done.text
    assert await open_frames(api, room) == [("triage", "awaiting_user")]  # 小红's


async def test_a_clarify_asks_and_does_nothing_else(
    room: Chat, api: Api, bot: Any, model: ModelServer
) -> None:
    ops = [{"op": "clarify", "frame": None, "slot": None, "value": "明天的哪一件？"}]
    model.answer("parse_intents", parsed(frame("triage", "register", "挂号", symptom="头痛"), ops=ops))
    _, asked = await summon(room, room.member("小明"), UNCLEAR)
    assert asked.text.strip() == "明天的哪一件？"
    assert [row["status"] for row in await frames(api, room)] == ["awaiting_user"]  # the question itself


async def test_what_a_model_invents_is_not_done(room: Chat, api: Api, bot: Any, model: ModelServer) -> None:
    ops = [{"op": "cancel", "frame": "task-of-somebody", "slot": None, "value": None}]
    invented = [frame("root", "delete_everything", UNCLEAR), frame("triage", "diagnose", UNCLEAR)]
    model.answer("parse_intents", parsed(*invented, ops=ops))
    await summon(room, room.member("小明"), UNCLEAR)
    assert all(row["agent_code"] not in ("root", "triage") for row in await frames(api, room))


async def test_a_held_parse_holds_nobody_up_elsewhere(
    room: Chat, api: Api, client: Any, model: ModelServer
) -> None:
    model.always("parse_intents", held := Held(parsed()))
    await room.call(room.member("小明"), UNCLEAR)
    await held.entered()
    other = client.room()
    _, told = await summon(other, other.member("小红"), "前面还有几个人？")
    assert "个人" in told.text
    held.release()
