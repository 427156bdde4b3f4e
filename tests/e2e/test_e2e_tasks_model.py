"""Tasks with the tool loop, over the wire: what the model calls is checked, its claims are not believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from default_run import first
from model_server import FAULTS, Calls, ModelServer, Request, tool_calls

from .harness import Chat, Member
from .harness.disk import rows
from .test_e2e_decision import frame, parsed
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import TODAY, TOMORROW, Talk, when
from .test_e2e_tasks import talk as talk

pytestmark = pytest.mark.exhaustive

BOT = {"MISHU__LLM__TIMEOUT": 6, "MISHU__LLM__DECIDE_TIMEOUT": 3}

UNCLEAR = "帮我安排一下明天下午报销的那个"
"""Work that the rules are not sure about."""


def meant(model: ModelServer, intent: str, text: str = UNCLEAR) -> None:
    """The parse says it is about tasks."""
    model.answer("parse_intents", parsed(frame("tasks", intent, text)))


def tools_of(request: Request) -> list[dict[str, Any]]:
    """The tool messages of a request's last round."""
    return [message for message in request.messages if message["role"] == "tool"]


async def test_the_five_tools_are_offered_and_one_is_carried_out(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.answer(
        "manage_tasks",
        tool_calls(("create_task", {"title": "报销", "dueDate": TOMORROW, "timeSegment": "afternoon"})),
        "已创建任务：报销，2020年1月1日（周三）",
    )
    told = await talk.order(ming, UNCLEAR)
    assert told == "记下了：报销，2月6日（周六）下午", "code's own words, date and weekday"
    assert when(await talk.only(ming)) == (TOMORROW, None, None, "afternoon")
    first, second = model.of("manage_tasks")
    names = [tool["function"]["name"] for tool in first.body["tools"]]
    assert names == ["create_task", "query_tasks", "update_task", "delete_task", "complete_task"]
    (told_back,) = tools_of(second)
    assert json.loads(told_back["content"])["ok"] is True
    (call,) = second.messages[-2]["tool_calls"]
    assert told_back["tool_call_id"] == call["id"]


async def test_one_tool_message_per_call_id(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.answer(
        "manage_tasks",
        tool_calls(
            ("create_task", {"title": "报销", "dueDate": TOMORROW}),
            ("create_task", {"title": "贴票", "dueDate": TOMORROW}),
            ("drop_database", {"sure": True}),
            ("create_task", '{"title": "坏的'),
            ("complete_task", {"taskId": 1}),
        ),
        "好了",
    )
    await talk.order(ming, UNCLEAR)
    second = model.of("manage_tasks")[1]
    asked = next(m for m in reversed(second.messages) if m.get("tool_calls"))
    assert sorted(m["tool_call_id"] for m in tools_of(second)) == sorted(c["id"] for c in asked["tool_calls"])
    outcomes = {m["tool_call_id"]: json.loads(m["content"]) for m in tools_of(second)}
    assert [one for one in outcomes if outcomes[one]["ok"]] == ["call_0", "call_1"]
    assert sorted(task["title"] for task in await talk.tasks(ming)) == ["报销", "贴票"]


async def test_ten_rounds_are_the_end(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    days = iter(range(1, 29))
    model.always(
        "manage_tasks", lambda _: tool_calls(("query_tasks", {"dueDate": f"2027-03-{next(days):02}"}))
    )
    told = await talk.order(ming, UNCLEAR)
    assert len(model.of("manage_tasks")) == 10
    assert "没办成" in told
    assert await talk.tasks(ming) == []


async def test_the_same_call_again_ends_it(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.always("manage_tasks", tool_calls(("create_task", {"title": "报销", "dueDate": TOMORROW})))
    assert "记下了：报销" in await talk.order(ming, UNCLEAR)
    assert len(model.of("manage_tasks")) == 2
    assert len(await talk.tasks(ming)) == 1


@first(3)
@pytest.mark.parametrize(
    "claim",
    [
        "已创建任务：报销，明天下午。",
        "好的，已经帮你安排好了！",
        "搞定～明天下午提醒你报销",
        "没问题，我会在明天下午提醒你的。",
        "任务创建成功",
        "好的",
        "",
    ],
)
async def test_a_claim_without_a_result_is_never_sent(talk: Talk, model: ModelServer, claim: str) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.answer("manage_tasks", claim)
    told = await talk.order(ming, UNCLEAR)
    assert "没办成" in told or "没能办成" in told or told.startswith("记下了："), told
    if not told.startswith("记下了："):
        assert await talk.tasks(ming) == []
    else:
        assert len(await talk.tasks(ming)) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "报销", "dueDate": "2027-02-08", "timeSegment": "afternoon"},
        {"title": "报销", "dueDate": "2020-01-01", "timeSegment": "evening"},
        {"title": "报销", "dueDate": TODAY, "startTime": "03:00", "endTime": "04:00"},
    ],
    ids=["wrong day", "long past", "clock nobody said"],
)
async def test_the_sentences_own_time_wins(talk: Talk, model: ModelServer, arguments: dict[str, Any]) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.answer("manage_tasks", tool_calls(("create_task", arguments)), "已创建")
    assert "2月6日（周六）下午" in await talk.order(ming, UNCLEAR)
    assert when(await talk.only(ming)) == (TOMORROW, None, None, "afternoon")


async def test_a_day_nobody_named_is_today(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    words = "那个报销的你帮我安排一下"
    meant(model, "create_task", words)
    model.answer(
        "manage_tasks", tool_calls(("create_task", {"title": "报销", "dueDate": "2027-02-09"})), "好"
    )
    told = await talk.order(ming, words)
    assert "2月5日（周五）" in told
    assert (await talk.only(ming))["dueDate"] == TODAY


async def _two(talk: Talk) -> tuple[Member, Member, dict[str, Any]]:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "创建任务：明天下午买菜")
    return ming, hong, await talk.only(ming)


@first(2)
@pytest.mark.parametrize("tool", ["update_task", "delete_task", "complete_task"])
async def test_another_members_task_id_is_refused(talk: Talk, model: ModelServer, tool: str) -> None:
    ming, hong, task = await _two(talk)
    before = rows(talk.bot.database, "mishu_task", peer=talk.room.id)
    meant(model, tool)
    arguments = {"taskId": task["id"], **({"title": "我的了"} if tool == "update_task" else {})}
    model.answer(
        "manage_tasks", tool_calls(("query_tasks", {})), tool_calls((tool, arguments)), "好了，已完成"
    )
    told = await talk.order(hong, UNCLEAR)
    assert not [claim for claim in ("已", "改好了", "记下了") if claim in told], told
    await talk.say(hong, "确认")
    await talk.settle()
    assert rows(talk.bot.database, "mishu_task", peer=talk.room.id) == before
    assert await talk.only(ming) == task


async def test_an_own_task_is_deleted_only_after_a_yes(talk: Talk, model: ModelServer) -> None:
    ming, _, task = await _two(talk)
    meant(model, "delete_task")
    model.answer(
        "manage_tasks",
        tool_calls(("query_tasks", {})),
        tool_calls(("delete_task", {"taskId": task["id"], "confirmed": True})),
        "删掉了",
    )
    assert "要删掉这个任务吗：买菜" in await talk.order(ming, UNCLEAR)
    assert len(await talk.tasks(ming)) == 1
    assert "删掉了" in await talk.answer(ming, "确认")
    assert await talk.tasks(ming) == []


async def test_an_id_nobody_showed_is_refused(talk: Talk, model: ModelServer) -> None:
    ming, _, task = await _two(talk)
    meant(model, "complete_task")
    model.answer("manage_tasks", tool_calls(("complete_task", {"taskId": task["id"]})), "已完成")
    told = await talk.order(ming, UNCLEAR)
    assert "打勾了" not in told
    assert "没办成" in told
    assert (await talk.only(ming))["status"] == "pending"
    (answer,) = tools_of(model.of("manage_tasks")[1])
    assert "query_tasks" in answer["content"]


async def test_a_half_said_time_is_asked_in_our_words(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    words = "帮我安排一下明天下午4点写报告的那个"
    meant(model, "create_task", words)
    model.answer(
        "manage_tasks",
        tool_calls(("create_task", {"title": "写报告", "startTime": "16:00", "endTime": "18:00"})),
        "已创建",
    )
    assert "请问结束时间是几点" in await talk.order(ming, words)
    assert await talk.tasks(ming) == []
    assert "16:00–17:00" in await talk.answer(ming, "五点")


async def test_a_clear_order_asks_no_model(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    model.requests.clear()
    await talk.order(ming, "明天下午4点到5点去买东西")
    assert "manage_tasks" not in model.names
    assert "parse_intents" not in model.names


SLOW = ("dribble", "never_ends")
"""Faults that last until the deadline, as `hang` does."""


@first(3)
@pytest.mark.parametrize(
    "fault",
    [
        *sorted(FAULTS.keys() - {"fenced", "wrong_enum", "truncated", *SLOW}),
        *(pytest.param(fault, marks=pytest.mark.exhaustive) for fault in SLOW),
    ],
)
async def test_a_failing_model_leaves_the_rules_or_an_honest_line(
    talk: Talk, model: ModelServer, fault: str
) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    model.always("manage_tasks", FAULTS[fault]())
    told = await talk.order(ming, UNCLEAR)
    found = await talk.tasks(ming)
    assert bool(found) == told.startswith("记下了"), told
    assert all(when(task) == (TOMORROW, None, None, "afternoon") for task in found)
    assert len(found) <= 1


async def test_what_was_done_before_the_model_failed_is_said(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    meant(model, "create_task")
    first: Calls = tool_calls(("create_task", {"title": "报销", "dueDate": TOMORROW}))
    model.answer("manage_tasks", first)
    model.always("manage_tasks", FAULTS["500"]())
    assert "记下了：报销" in await talk.order(ming, UNCLEAR)
    assert len(await talk.tasks(ming)) == 1


async def test_no_business_of_its_own_is_talk(talk: Talk, model: ModelServer, room: Chat) -> None:
    ming = room.member("小明")
    meant(model, "create_task")
    model.answer("manage_tasks", "抱歉，我只管任务，这个帮不了。")
    told = await talk.order(ming, UNCLEAR)
    assert not [claim for claim in ("已", "记下了", "好，") if claim in told], told
    assert await talk.tasks(ming) == []
