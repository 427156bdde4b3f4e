"""Schedules with a scripted model: seed 0's three calls as the server received them, and every edge."""

from __future__ import annotations

from typing import Any

import pytest
from default_run import first
from model_server import FAULTS, ModelServer

from .harness import Member
from .harness.disk import rows
from .test_e2e_decision import frame, parsed
from .test_e2e_schedules import schedules, single
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import Talk
from .test_e2e_tasks import talk as talk

BOT = {"MISHU__LLM__TIMEOUT": 6, "MISHU__LLM__DECIDE_TIMEOUT": 3, "MISHU__SCHEDULE__LISTEN": "always"}

PLAN = "周六晚上7点大家一起吃火锅"
"""Said to nobody in particular; Saturday is tomorrow."""
ADD = "往日程旮旯里撂一条明天下午三点开会呐哈"
EDIT = "把明天下午三点的会嘎到四点"
VAGUE = "把破玩意嘎到明天下午四点"
DELETE = "把明天下午三点的会嘎了"
QUERY = "明天下午三点的会咋个情况"
"""Orders that the rules are not sure of."""
CALLS = ("extract_info", "check_intent", "generate_operation")


def candidate(intent: str, *, unsure: bool = False, **fields: str) -> dict[str, Any]:
    empty = {"old_time": "", "old_description": "", "new_time": "", "new_description": ""}
    return {"intent": intent, "need_confirm": unsure, **empty, **fields}


def extracts(model: ModelServer, *found: dict[str, Any]) -> None:
    model.answer("extract_info", {"candidates": list(found)})


async def order(talk: Talk, model: ModelServer, who: Member, intent: str, words: str) -> str:
    """The answer to an order that a model takes to be of schedules."""
    model.answer("parse_intents", parsed(frame("schedule", intent, words)))
    return await talk.order(who, words)


HOT_POT = candidate("add", unsure=True, new_time="2027-02-06 19:00:00", new_description="吃火锅")
MEETING = candidate("add", new_time="2027-02-06 15:00:00", new_description="开会")


async def meeting(talk: Talk, model: ModelServer, who: Member) -> dict[str, Any]:
    """A schedule of tomorrow at three; the rules are sure of it, so nothing is asked."""
    assert "记下了" in await talk.order(who, "添加日程：明天下午三点开会")
    assert [name for name in model.names if name in (*CALLS, "parse_intents", "analyze_conversation")] == []
    model.requests.clear()
    return await single(talk)


async def test_an_order_nobody_is_sure_of_is_added_locally_after_one_call(
    talk: Talk, model: ModelServer
) -> None:
    ming = talk.room.member("小明")
    extracts(model, MEETING)
    told = await order(talk, model, ming, "add", ADD)
    assert told == "日程记下了：2月6日 周六 15:00 开会"
    assert [name for name in model.names if name in CALLS] == ["extract_info"]
    assert model.last("extract_info").data == {
        "text": ADD,
        "pre_confirmed": False,
        "old_time": "",
        "old_description": "",
        "addressed": True,
        "before": [],
    }
    assert (await single(talk))["time"] == "2027-02-06 15:00:00"


async def test_an_edit_generates_operations_over_all_schedules(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    kept = await meeting(talk, model, ming)
    extracts(
        model,
        candidate(
            "edit", old_time="2027-02-06 15:00:00", old_description="会", new_time="2027-02-06 16:00:00"
        ),
    )
    operation = {"operation": "edit", "id": kept["id"], "time": "2027-02-06 16:00:00", "description": ""}
    model.answer("generate_operation", {"operations": [operation]})
    assert "16:00" in await order(talk, model, ming, "edit", EDIT)
    assert [name for name in model.names if name in CALLS] == ["extract_info", "generate_operation"]
    data = model.last("generate_operation").data
    assert set(data) == {
        *("intent", "old_time", "old_description", "new_time", "new_description", "all_schedules", "text")
    }
    assert data["intent"] == "edit"
    assert data["new_time"] == "2027-02-06 16:00:00"
    assert data["old_description"] == "会"
    shown = {"id": kept["id"], "time": "2027-02-06 15:00:00", "description": "开会", "owner": "小明"}
    assert data["all_schedules"] == [shown]
    after = await single(talk)
    assert (after["id"], after["time"], after["description"]) == (kept["id"], "2027-02-06 16:00:00", "开会")


@pytest.mark.parametrize("intent", ["delete", "query"])
async def test_delete_and_query_go_the_same_way(talk: Talk, model: ModelServer, intent: str) -> None:
    ming = talk.room.member("小明")
    kept = await meeting(talk, model, ming)
    extracts(model, candidate(intent, old_time="2027-02-06 15:00:00", old_description="开会"))
    operation = {"operation": intent, "id": kept["id"], "time": "", "description": ""}
    model.answer("generate_operation", {"operations": [operation]})
    told = await order(talk, model, ming, intent, DELETE if intent == "delete" else QUERY)
    assert "2月6日 周六" in told
    assert "15:00 开会" in told
    asked = [request.data["intent"] for request in model.of("generate_operation")]
    assert asked == (["delete"] if intent == "delete" else []), "what is asked after is the rules' list"
    assert len(await schedules(talk)) == (0 if intent == "delete" else 1)


BAD = {
    "unknown id": [{"operation": "edit", "id": 999_999, "time": "2027-02-06 16:00:00", "description": ""}],
    "another operation": [{"operation": "delete", "id": 0, "time": "", "description": ""}],
    "bad time": [{"operation": "edit", "id": 0, "time": "明天四点", "description": ""}],
    "empty list": [],
    "twice the same": [{"operation": "edit", "id": 0, "time": "2027-02-06 16:00:00", "description": ""}] * 2,
    "one good, one unknown": [
        {"operation": "edit", "id": 0, "time": "2027-02-06 16:00:00", "description": ""},
        {"operation": "edit", "id": 999_999, "time": "2027-02-06 16:00:00", "description": ""},
    ],
}


@first(2)
@pytest.mark.parametrize("bad", BAD)
async def test_operations_that_are_not_right_change_nothing(talk: Talk, model: ModelServer, bad: str) -> None:
    ming = talk.room.member("小明")
    kept = await meeting(talk, model, ming)
    before = rows(talk.bot.database, "mishu_schedule", peer=talk.room.id)
    extracts(model, candidate("edit", old_description="破玩意", new_time="2027-02-06 16:00:00"))
    operations = [{**each, "id": each["id"] or kept["id"]} for each in BAD[bad]]
    model.answer("generate_operation", {"operations": operations})
    told = await order(talk, model, ming, "edit", VAGUE)
    assert "日程改好了" not in told
    assert "说清" in told
    assert rows(talk.bot.database, "mishu_schedule", peer=talk.room.id) == before


async def test_an_edit_that_says_nothing_new_asks(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    kept = await meeting(talk, model, ming)
    extracts(model, candidate("edit", old_description="开会"))
    operation = {"operation": "edit", "id": kept["id"], "time": "", "description": ""}
    model.answer("generate_operation", {"operations": [operation]})
    assert "要改成什么" in await talk.order(ming, "修改明天下午三点开会的日程")
    assert await single(talk) == kept


async def test_a_model_that_obeys_everybody_still_cannot_touch_anothers(
    talk: Talk, model: ModelServer
) -> None:
    ming, hong = talk.room.members("小明", "小红")
    kept = await meeting(talk, model, ming)
    extracts(model, candidate("delete", old_description="开会"))
    operation = {"operation": "delete", "id": kept["id"], "time": "", "description": ""}
    model.answer("generate_operation", {"operations": [operation]})
    assert "小明" in await talk.order(hong, "删除明天下午三点开会的日程")
    assert await single(talk) == kept


async def test_the_grammars_time_wins_over_the_models(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    extracts(model, candidate("add", new_time="2027-02-09 15:00:00", new_description="开会"))
    assert "2月6日 周六 15:00" in await talk.order(ming, "添加日程：明天下午三点开会")


@pytest.mark.parametrize("found", [[], [candidate("add")]], ids=["no candidates", "both fields missing"])
async def test_an_order_in_which_nothing_is_heard_is_the_rules(
    talk: Talk, model: ModelServer, found: list[dict[str, Any]]
) -> None:
    """A model is never worse than the rules: an answer that is none leaves what they read."""
    extracts(model, *found)
    assert "记下了" in await order(talk, model, talk.room.member("小明"), "add", ADD)
    assert (await single(talk))["time"] == "2027-02-06 15:00:00"


@pytest.mark.parametrize("words", ["明天有什么日程", "明天的会几点"])
async def test_a_question_changes_nothing_whatever_is_heard(
    talk: Talk, model: ModelServer, words: str
) -> None:
    ming = talk.room.member("小明")
    kept = await meeting(talk, model, ming)
    extracts(
        model,
        candidate("delete", old_description="开会"),
        candidate("add", new_time="2027-02-06 09:00:00", new_description="早会"),
    )
    model.answer(
        "generate_operation",
        {"operations": [{"operation": "query", "id": kept["id"], "time": "", "description": ""}]},
    )
    assert "15:00 开会" in await talk.order(ming, words)
    assert await single(talk) == kept


# -- NEED_CONFIRM ----------------------------------------------------------------------------------------


async def overheard(talk: Talk, model: ModelServer, who: Member, *found: dict[str, Any]) -> str:
    """A question about what was overheard."""
    extracts(model, *(found or (HOT_POT,)))
    await talk.say(who, PLAN)
    return (await talk.room.expect("日程吗")).text.strip()


async def test_a_yes_adds_and_asks_no_model(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    asked = await overheard(talk, model, ming)
    assert "2月6日 周六 19:00 吃火锅" in asked
    assert model.last("extract_info").data["text"] == PLAN
    model.requests.clear()
    assert "记下了" in await talk.answer(ming, "确认")
    assert not [name for name in model.names if name in CALLS]
    assert (await single(talk))["created_by"] == str(ming.user_id)


async def test_a_no_keeps_nothing(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    await overheard(talk, model, ming)
    assert "不记" in await talk.answer(ming, "不用")
    assert await schedules(talk) == []


@pytest.mark.parametrize(("intent", "count"), [("confirm", 1), ("deny", 0)])
async def test_check_intent_gets_question_and_text(
    talk: Talk, model: ModelServer, intent: str, count: int
) -> None:
    ming = talk.room.member("小明")
    asked = await overheard(talk, model, ming)
    model.requests.clear()
    model.answer("check_intent", {"intent": intent})
    await talk.answer(ming, "跟他们都合计过了没毛病的")
    data = model.last("check_intent").data
    assert set(data) == {"question", "text"}
    assert data["text"] == "跟他们都合计过了没毛病的"
    assert data["question"] == asked.rsplit("\n", 1)[0]
    assert len(await schedules(talk)) == count


async def test_an_edit_extracts_again_with_both_rounds(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    await overheard(talk, model, ming)
    model.requests.clear()
    model.answer("check_intent", {"intent": "edit"})
    extracts(model, candidate("add", new_time="2027-02-06 20:00:00", new_description="吃火锅"))
    told = await talk.answer(ming, "改到晚上八点")
    assert model.last("check_intent").data["text"] == "改到晚上八点"
    asked = model.last("extract_info").data
    assert asked.pop("before")[0] == f"小明：{PLAN}"
    assert asked == {
        "text": f"{PLAN}\n改到晚上八点",
        "pre_confirmed": True,
        "old_time": "2027-02-06 19:00:00",
        "old_description": "吃火锅",
        "addressed": True,
    }
    assert "日程记下了：2月6日 周六 20:00" in told
    assert (await single(talk))["time"] == "2027-02-06 20:00:00"


async def test_what_is_irrelevant_leaves_the_question_open(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    await overheard(talk, model, ming)
    model.answer("check_intent", {"intent": "irrelevant"})
    await talk.say(ming, "昨天那家店的毛肚不错")
    await talk.settle()
    assert await schedules(talk) == []
    assert "记下了" in await talk.answer(ming, "确认")
    assert (await single(talk))["time"] == "2027-02-06 19:00:00"


@first(2)
@pytest.mark.parametrize("fault", ["hang", "500", "html", "blank", "truncated", "reset"])
async def test_failing_calls_leave_the_rules(talk: Talk, model: ModelServer, fault: str) -> None:
    ming = talk.room.member("小明")
    for name in CALLS:
        model.always(name, FAULTS[fault]())
    assert "记下了" in await talk.order(ming, "添加日程：明天下午三点开会")
    assert "16:00" in await talk.order(ming, "把明天下午三点的会改到下午四点")
    assert (await single(talk))["time"] == "2027-02-06 16:00:00"
