"""The model's loop: what it may do, what code keeps from it, and every way it may fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.agents.tasks.model.loop import NOT_DONE
from nonebot_plugin_mishu.agents.tasks.model.schemas import BACKGROUND, TOOLS
from nonebot_plugin_mishu.llm import ChatMessage, ModelError
from nonebot_plugin_mishu.storage import Storage

from .tasks_support import HONG, NOW, Office, ScriptedModel, at


def office_of(storage: Storage, *rounds: Any, **more: Any) -> Office:
    return Office(storage, ScriptedModel(*rounds), **more)


def create(**arguments: Any) -> tuple[str, dict[str, Any]]:
    return "create_task", {"title": "去买东西", **arguments}


def told(office: Office, round_: int) -> list[dict[str, Any]]:
    """What the model was told by tools before a round."""
    messages = office.model.seen[round_]
    return [json.loads(message.text) for message in messages if message.role == "tool"]


async def unsure(office: Office, text: str, **more: Any) -> Any:
    return await office.say(text, sure=False, **more)


# Seed 1's examples, with a model.


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("今天下午去买东西", {"dueDate": "2026-02-05", "timeSegment": "afternoon"}, "2月5日（周四）下午"),
        (
            "明天下午4点到5点去买东西",
            {"dueDate": "2026-02-06", "startTime": "16:00", "endTime": "17:00"},
            "2月6日（周五）16:00–17:00",
        ),
    ],
)
async def test_seed_1_examples(storage: Storage, text: str, arguments: dict[str, Any], expected: str) -> None:
    office = office_of(storage, [create(**arguments)], "已创建任务")
    said = await unsure(office, text)
    assert said.status == "completed"
    assert said.text == f"记下了：去买东西，{expected}"
    assert said.tools == ["create_task"]


@pytest.mark.parametrize(
    "played",
    [
        "请问结束时间是几点？",
        [create(dueDate="2026-02-06", startTime="16:00")],
        "好的，已创建任务：明天16:00去买东西",
    ],
    ids=["asks", "calls", "claims"],
)
async def test_seed_1_example_3(storage: Storage, played: Any) -> None:
    """Whatever the model does with a lone clock, the end is asked for and nothing is written before."""
    office = office_of(storage, played)
    said = await unsure(office, "明天下午4点去买东西")
    assert (said.status, said.text, said.tools) == ("awaiting_user", "请问结束时间是几点？", [])
    assert await office.all() == []
    assert "16:00–17:00" in (await office.say("五点")).text


# Pitfall 40: dates are the sentence's.


@pytest.mark.parametrize(
    ("text", "arguments", "day", "segment"),
    [
        (
            "下周三下午去买东西",
            {"dueDate": "2026-02-12", "timeSegment": "afternoon"},
            "2026-02-11",
            "afternoon",
        ),
        ("去买东西", {"dueDate": "2026-03-01"}, "2026-02-05", "all_day"),
        ("去买东西", {"startTime": "15:00", "endTime": "16:00"}, "2026-02-05", "all_day"),
        ("明天去买东西", {"dueDate": "2026-02-06", "timeSegment": "evening"}, "2026-02-06", "evening"),
        ("明天上午去买东西", {"dueDate": "2026-02-06", "timeSegment": "evening"}, "2026-02-06", "forenoon"),
    ],
)
async def test_pitfall_40_the_sentence_wins(
    storage: Storage, text: str, arguments: dict[str, Any], day: str, segment: str
) -> None:
    office = office_of(storage, [create(**arguments)], "好了")
    await unsure(office, text)
    (row,) = await office.all()
    assert (row["dueDate"], row["timeSegment"], row["startTime"]) == (day, segment, None)


async def test_of_several_days_only_those_that_were_said(storage: Storage) -> None:
    office = office_of(
        storage,
        [create(title="买菜", dueDate="2026-02-08"), create(title="洗车", dueDate="2026-02-07")],
        "好了",
    )
    said = await unsure(office, "明天买菜后天洗车")
    assert [row["title"] for row in await office.all()] == ["洗车"]
    assert "洗车" in said.text
    assert "2026-02-06" in told(office, 1)[0]["error"]


async def test_past_segments_are_asked_not_corrected(storage: Storage) -> None:
    office = office_of(storage, [create(dueDate="2026-02-06", timeSegment="morning")], "好了")
    said = await unsure(office, "今天早上去买东西")
    assert said.status == "awaiting_user"
    assert "已经过了" in said.text
    assert await office.all() == []


async def test_two_kinds_of_time_at_once(storage: Storage) -> None:
    both = create(startTime="16:00", endTime="17:00", timeSegment="afternoon")
    office = office_of(storage, [both], [create(timeSegment="afternoon")], "好了")
    await unsure(office, "今天下午去买东西")
    assert told(office, 1)[0]["ok"] is False
    assert len(await office.all()) == 1


# Pitfall 41: nothing is claimed without a result.


@pytest.mark.parametrize(
    "claim",
    [
        "已创建任务：写周报",
        "好的，任务已经为你创建成功！",
        "删掉了",
        "已为您将任务标记完成",
        "安排好了",
        "搞定",
        "没问题，我会提醒你的",
    ],
)
@pytest.mark.parametrize("intent", ["create_task", "update_task", "delete_task", "complete_task"])
async def test_pitfall_41_no_claim_without_a_result(storage: Storage, claim: str, intent: str) -> None:
    office = office_of(storage, claim)
    said = await unsure(office, "周报", intent=intent)
    assert said.text == NOT_DONE
    assert said.status == "canceled"
    assert await office.all() == []


async def test_an_invented_list_is_not_sent(storage: Storage) -> None:
    office = office_of(storage, "你有两个任务：1. 登月 2. 买岛")
    said = await unsure(office, "我的任务有哪些", intent="query_tasks")
    assert "登月" not in said.text
    assert said.tools == ["query_tasks"]


async def test_what_was_done_is_said_by_code(storage: Storage) -> None:
    office = office_of(storage, [create()], "已创建任务，时间是2月30日（周八）")
    said = await unsure(office, "明天下午去买东西")
    assert said.text == "记下了：去买东西，2月6日（周五）下午"


async def test_text_that_asks_waits_for_its_answer(storage: Storage) -> None:
    office = office_of(storage, "你说的周报是给谁的？", [create(title="给老板写周报")], "好了")
    assert (await unsure(office, "弄一下周报")).status == "awaiting_user"
    said = await office.say("给老板")
    assert said.status == "completed"
    assert [row["title"] for row in await office.all()] == ["给老板写周报"]


async def test_other_talk_is_handed_to_chat(storage: Storage) -> None:
    office = office_of(storage, "抱歉，我这里只管任务，聊天请找别的同事。")
    said = await unsure(office, "讲个笑话")
    assert (said.status, said.result.handoff_suggestion) == ("completed", "chat")
    assert await office.all() == []


# Ids, deletion, order.


async def test_an_id_that_no_tool_has_shown_is_refused(storage: Storage) -> None:
    await Office(storage).say("明天下午买菜")
    office = office_of(storage, [("complete_task", {"taskId": 1})], "已完成")
    said = await unsure(office, "弄完了", intent="complete_task")
    assert (said.status, said.tools) == ("canceled", [])
    assert "query_tasks" in told(office, 1)[0]["error"]


async def test_after_a_query_it_is_known(storage: Storage) -> None:
    await Office(storage).say("明天下午买菜")
    office = office_of(
        storage, [("query_tasks", {"status": "pending"})], [("complete_task", {"taskId": 1})], "已完成"
    )
    said = await unsure(office, "弄完了", intent="complete_task")
    assert (said.status, said.tools) == ("completed", ["query_tasks", "complete_task"])
    assert said.text == "打勾了：「买菜」"


async def test_a_deletion_is_confirmed_by_the_member(storage: Storage) -> None:
    await Office(storage).say("明天下午买菜")
    office = office_of(
        storage, [("query_tasks", {})], [("delete_task", {"taskId": 1})], [("delete_task", {"taskId": 1})]
    )
    said = await unsure(office, "不想要买菜那个", intent="delete_task")
    assert said.status == "awaiting_user"
    assert "要删掉这个任务吗" in said.text
    assert len(await office.all()) == 1
    assert "删掉了" in (await office.say("好的")).text
    assert await office.all() == []


async def test_a_question_of_another_tool_is_answered_as_that_one(storage: Storage) -> None:
    """The frame says update, the model deletes: a yes deletes, because that is what was asked."""
    await Office(storage).say("明天下午买菜")
    office = office_of(storage, [("query_tasks", {})], [("delete_task", {"taskId": 1})])
    said = await unsure(office, "买菜那个弄掉", intent="update_task")
    assert "要删掉这个任务吗" in said.text
    assert (await office.say("不")).status == "canceled"
    assert len(await office.all()) == 1


async def test_a_conflict_is_asked(storage: Storage) -> None:
    await Office(storage).say("明天下午4点到5点买菜")
    office = office_of(storage, [create()], "好了")
    assert "还要记吗" in (await unsure(office, "明天下午4点半到6点去买东西")).text
    assert "记下了" in (await office.say("是")).text


async def test_only_who_is_mentioned(storage: Storage) -> None:
    office = office_of(storage, [create(assignee="小红")], [create(assignee="小红")], "好了")
    await unsure(office, "明天下午让小红去买东西")
    assert await office.all(HONG.user_id) == []
    office = office_of(storage, [create(assignee="小红")], "好了")
    said = await unsure(office, "明天下午让 去买东西", mentions=(Mention(HONG.user_id, "小红"),))
    assert said.text.startswith("交给小红了")
    assert len(await office.all(HONG.user_id)) == 1


# The loop's bounds, and pitfalls 35 and 36.


async def test_the_same_call_for_ever_ends(storage: Storage) -> None:
    office = office_of(storage, *[[("query_tasks", {})]] * 20)
    said = await unsure(office, "弄完了", intent="complete_task")
    assert len(office.model.seen) == 2
    assert said.status == "canceled"


async def test_rounds_are_bounded(storage: Storage) -> None:
    rounds = [[("query_tasks", {"dueDate": f"2026-03-{day:02}"})] for day in range(1, 20)]
    office = office_of(storage, *rounds, max_rounds=4)
    await unsure(office, "弄完了", intent="complete_task")
    assert len(office.model.seen) == 4


async def test_every_call_is_answered_by_its_id(storage: Storage) -> None:
    office = office_of(
        storage,
        [("query_tasks", {}), "unknown_tool", "bad_arguments", ("complete_task", {"taskId": "x"})],
        "好了",
    )
    await unsure(office, "弄完了", intent="complete_task")
    messages = office.model.seen[1]
    assistant = next(message for message in messages if message.calls)
    answered = [message.call_id for message in messages if message.role == "tool"]
    assert sorted(call.id for call in assistant.calls) == sorted(str(one) for one in answered)
    assert assistant.reasoning == "想了想"


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": 5},
        {"title": "x", "dueDate": 7},
        {"title": "x", "priority": "urgent"},
        {"title": "x", "timeSegment": "dusk"},
        {"title": ["x"]},
        {"title": "x", "assignee": {"id": 1}},
        {"title": "x", "dueDate": "明天", "startTime": "25:99"},
    ],
)
async def test_arguments_of_any_kind(storage: Storage, arguments: dict[str, Any]) -> None:
    office = office_of(storage, [("create_task", arguments)], "已创建")
    said = await unsure(office, "明天下午去买东西")
    assert said.status in ("completed", "canceled", "awaiting_user")
    for row in await office.all():
        assert (row["dueDate"], row["timeSegment"]) == ("2026-02-06", "afternoon")


@pytest.mark.parametrize("kind", ["timeout", "unreachable", "refused", "invalid", "budget", "breaker_open"])
async def test_a_failing_model_leaves_it_to_the_rules(storage: Storage, kind: Any) -> None:
    office = office_of(storage, ModelError(kind, "manage_tasks"))
    said = await unsure(office, "明天下午去买东西")
    assert said.text == "记下了：去买东西，2月6日（周五）下午"
    assert kind not in said.text


async def test_a_failure_after_a_write_tells_what_was_done(storage: Storage) -> None:
    office = office_of(storage, [create()], ModelError("timeout", "manage_tasks"))
    said = await unsure(office, "明天下午去买东西")
    assert said.text == "记下了：去买东西，2月6日（周五）下午"
    assert len(await office.all()) == 1


async def test_sure_rules_ask_no_model(storage: Storage) -> None:
    office = office_of(storage)
    await office.say("明天下午去买东西")
    assert office.model.seen == []


# What is sent.


async def test_the_prompt(storage: Storage) -> None:
    history = (
        ChatMessage("system", "藏在历史里的系统话"),
        ChatMessage("user", "昨天说的"),
        ChatMessage("assistant", "好的"),
    )
    office = office_of(storage, "请问？")
    await unsure(office, "弄一下周报", history=history, now=at("2026-02-05T10:00"))
    messages = office.model.seen[0]
    assert [message.role for message in messages] == ["system", "user", "assistant", "user", "user"]
    assert messages[-2].text.startswith(BACKGROUND)
    assert messages[-1].text == "弄一下周报"
    system = messages[0].text
    for part in (
        "2月5日（周四）10:00",
        "2026-02-05",
        "Asia/Shanghai",
        "下午 afternoon（14:00–17:59）",
        "只用中文",
    ):
        assert part in system
    assert "藏在历史里" not in "".join(message.text for message in messages)


def test_the_tools_are_seed_1s() -> None:
    names = [tool.name for tool in TOOLS]
    assert names == ["create_task", "query_tasks", "update_task", "delete_task", "complete_task"]
    for tool in TOOLS:
        assert tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
        assert not {"groupId", "owner", "creator"} & set(tool.parameters["properties"])


async def test_a_message_makes_a_bounded_number_of_changes(storage: Storage) -> None:
    many = [create(title=f"事{number}") for number in range(30)]
    office = office_of(storage, many, "好了")
    await unsure(office, "明天下午去买东西", now=NOW)
    assert len(await office.all()) == 10


async def test_a_message_that_only_looks_changes_nothing(storage: Storage) -> None:
    """`query_tasks` may run before the safety check is had: whatever the model calls, nothing is written."""
    office = office_of(
        storage, [create(title="x", dueDate="2026-02-06", timeSegment="evening")], "已创建任务"
    )
    said = await unsure(office, "看看我的安排", intent="query_tasks")
    assert "create_task" not in said.tools
    assert await office.all() == []
