"""Overheard talk: asked about at most, at most once in ten minutes, and what the answers do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.storage import Storage

from .schedule_support import GROUP, HONG, MING, NOW, Office, ScriptedModel

PLAN = "周五晚上7点大家一起吃火锅"
START = "2026-11-20 19:00:00"


def hotpot(**more: Any) -> dict[str, Any]:
    return {"intent": "add", "need_confirm": True, "new_time": START, "new_description": "吃火锅", **more}


async def test_a_question_and_nothing_written(office: Office):
    said = await office.say(PLAN, reply_mode="overheard")
    assert said.status == "awaiting_user"
    assert "要把这个记成群日程吗？\n11月20日 周五 19:00 一起吃火锅" in said.text
    assert await office.live() == []


async def test_what_does_not_pass_the_filter_asks_no_model(storage: Storage):
    model = ScriptedModel(extract_info={"candidates": [hotpot()]})
    office = Office(storage, model)
    said = await office.say("周五晚上7点去吃火锅吗", reply_mode="overheard")
    assert (said.status, said.text, model.asked) == ("canceled", "", [])


async def test_what_was_overheard_needs_a_yes_whatever_the_model_says(storage: Storage):
    office = Office(storage, ScriptedModel(extract_info={"candidates": [hotpot(need_confirm=False)]}))
    assert (await office.say(PLAN, reply_mode="overheard")).status == "awaiting_user"
    assert await office.live() == []


async def test_a_model_that_finds_nothing_leaves_the_rules_question(storage: Storage):
    office = Office(storage, ScriptedModel(extract_info={"candidates": []}))
    assert "要把这个记成群日程吗" in (await office.say(PLAN, reply_mode="overheard")).text
    assert await office.live() == []


async def test_a_delete_is_never_overheard(storage: Storage):
    drop = {"candidates": [{"intent": "delete", "need_confirm": False, "old_description": "聚餐"}]}
    office = Office(storage, ScriptedModel(extract_info=drop))
    await office.have((START, "聚餐"))
    assert "要把这个记成群日程吗" in (await office.say(PLAN, reply_mode="overheard")).text
    assert len(await office.live()) == 1


@pytest.mark.parametrize("answer", ["确认", "好的", "嗯", "记吧", "确认第一个"])
async def test_yes(office: Office, answer: str):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say(answer, reply_mode="core")
    assert said.text == "日程记下了：11月20日 周五 19:00 一起吃火锅"
    assert said.status == "completed"


@pytest.mark.parametrize("answer", ["不用了", "取消", "算了", "退出", "别记", "删掉第一个", "不用记了"])
async def test_no(office: Office, answer: str):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say(answer, reply_mode="core")
    assert said.status == "canceled", said.text
    assert await office.live() == []


@pytest.mark.parametrize(
    ("answer", "start"),
    [
        ("改成八点吧", "2026-11-20 20:00:00"),
        ("八点", "2026-11-20 20:00:00"),
        ("是周六", "2026-11-21 19:00:00"),
        ("改到周六晚上六点", "2026-11-21 18:00:00"),
        ("推迟一小时", "2026-11-20 20:00:00"),
    ],
)
async def test_an_edit_confirms(office: Office, answer: str, start: str):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say(answer, reply_mode="core")
    assert said.status == "completed", said.text
    assert await office.plans() == [(start, "一起吃火锅")]


async def test_an_open_reading_is_asked_before_it_is_noted(office: Office):
    await office.say("明天七点大家一起聚会", reply_mode="overheard")
    said = await office.say("确认", reply_mode="core")
    assert (said.status, "是指哪个" in said.text) == ("awaiting_user", True)
    assert await office.live() == []
    await office.say("晚上", reply_mode="core")
    assert [each.plan.start for each in await office.live()] == ["2026-11-19 19:00:00"]


async def test_pitfall_43_unrelated_lines_and_other_members_leave_it_open(office: Office):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("哈哈哈", reply_mode="core")
    assert said.context.passed_on
    assert said.text == ""
    other = await office.say("好的", HONG, reply_mode="core", intent="query")
    assert "记下了" not in other.text
    assert await office.live() == []
    assert (await office.say("确认", reply_mode="core")).status == "completed"


async def test_a_newer_plan_of_the_same_speaker_takes_its_place(office: Office):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("周六下午两点大家一起爬山", reply_mode="core")
    assert "爬山" in said.text
    assert not said.context.passed_on
    await office.say("确认", reply_mode="core")
    assert await office.plans() == [("2026-11-21 14:00:00", "一起爬山")]


async def test_an_order_by_name_is_passed_on(office: Office):
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("帮我查一下周六下午两点一起爬山的人", reply_mode="forced")
    assert said.context.passed_on


async def test_once_in_ten_minutes_per_speaker(office: Office):
    await office.say(PLAN, reply_mode="overheard")
    await office.say("不用了", reply_mode="core")
    assert (await office.say("周六下午两点一起爬山", reply_mode="overheard")).text == ""
    assert (await office.say("周六下午两点一起爬山", HONG, reply_mode="overheard")).text
    office.now = NOW + timedelta(seconds=601)
    assert (await office.say("周六下午两点一起爬山", reply_mode="overheard")).text


async def test_the_question_ends_after_confirm_timeout(storage: Storage):
    office = Office(storage, schedule={"confirm_timeout": 60})
    said = await office.say(PLAN, reply_mode="overheard")
    assert said.context.keep_until == NOW.timestamp() + 60
    frame = office.frames[MING.user_id, GROUP]
    office.now = NOW + timedelta(seconds=61)
    assert office.spec.expire is not None
    assert await office.spec.expire(frame) is None
    assert (await office.say("确认", reply_mode="core")).status == "canceled"
    assert await office.live() == []


async def test_several_are_one_batch(storage: Storage):
    two = [hotpot(), hotpot(new_time="2026-11-21 14:00:00", new_description="爬山")]
    office = Office(storage, ScriptedModel(extract_info={"candidates": two}))
    text = "周五晚上7点大家一起吃火锅，周六下午两点一起爬山"
    said = await office.say(text, reply_mode="overheard")
    assert "1. 11月20日 周五 19:00 吃火锅\n2. 11月21日 周六 14:00 爬山" in said.text
    assert "爬山" in (await office.say("确认第二个", reply_mode="core")).text
    assert await office.plans() == [("2026-11-21 14:00:00", "爬山")]
    assert (await office.say("第一个不要", reply_mode="core")).status == "completed"
    assert len(await office.live()) == 1


async def test_a_commit_that_is_repeated_is_one(office: Office):
    await office.say(PLAN, reply_mode="overheard")
    frame = office.frames[MING.user_id, GROUP]
    await office.say("确认", reply_mode="core")
    office.frames[MING.user_id, GROUP] = frame  # the process died before the question was closed
    await office.say("确认", reply_mode="core")
    assert len(await office.live()) == 1


# -- check_intent -------------------------------------------------------------------------------------------


def answering(storage: Storage, intent: Any, *more: Any) -> tuple[Office, ScriptedModel]:
    model = ScriptedModel(extract_info=[{"candidates": [hotpot()]}, *more], check_intent=intent)
    return Office(storage, model), model


async def test_triage_asks_no_model(storage: Storage):
    office, model = answering(storage, {"intent": "deny"})
    await office.say(PLAN, reply_mode="overheard")
    await office.say("确认", reply_mode="core")
    assert model.names() == ["extract_info"]
    assert len(await office.live()) == 1


async def test_check_intent_is_asked_with_the_question(storage: Storage):
    office, model = answering(storage, {"intent": "confirm"})
    await office.say(PLAN, reply_mode="overheard")
    await office.say("就照这个来", reply_mode="core")
    assert model.data("check_intent") == {
        "question": "要把这个记成群日程吗？\n11月20日 周五 19:00 吃火锅",
        "text": "就照这个来",
    }
    assert await office.plans() == [(START, "吃火锅")]


async def test_deny_by_the_model(storage: Storage):
    office, _ = answering(storage, {"intent": "deny"})
    await office.say(PLAN, reply_mode="overheard")
    assert (await office.say("我随口一说的", reply_mode="core")).status == "canceled"
    assert await office.live() == []


async def test_edit_by_the_model_extracts_again_with_both_rounds(storage: Storage):
    again = {
        "candidates": [hotpot(new_time="2026-11-20 20:00:00", new_description="吃烧烤", need_confirm=False)]
    }
    office, model = answering(storage, {"intent": "edit"}, again)
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("晚上八点吧，吃烧烤", reply_mode="core")
    assert said.status == "completed", said.text
    assert model.data("extract_info") == {
        "text": f"{PLAN}\n晚上八点吧，吃烧烤",
        "pre_confirmed": True,
        "old_time": START,
        "old_description": "吃火锅",
        "before": [],
        "addressed": True,
    }
    assert await office.plans() == [("2026-11-20 20:00:00", "吃烧烤")]


async def test_an_invalid_edit_changes_nothing_and_asks(storage: Storage):
    office, _ = answering(
        storage, {"intent": "edit"}, {"candidates": [hotpot(new_time="2026-03-02 20:00:00")]}
    )
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("改成2月30号", reply_mode="core")
    assert (said.status, "2月没有30日" in said.text) == ("awaiting_user", True)
    assert await office.live() == []


async def test_irrelevant_extracts_this_round_alone(storage: Storage):
    climbing = hotpot(new_time="2026-11-21 14:00:00", new_description="爬山")
    office, model = answering(storage, {"intent": "irrelevant"}, {"candidates": [climbing]})
    await office.say(PLAN, reply_mode="overheard")
    said = await office.say("周六下午两点大家一起爬山", reply_mode="core")
    assert model.data("extract_info") == {
        "text": "周六下午两点大家一起爬山",
        "pre_confirmed": False,
        "old_time": "",
        "old_description": "",
        "before": [],
        "addressed": True,
    }
    assert "爬山" in said.text
    assert said.status == "awaiting_user"


@pytest.mark.parametrize("fault", [ModelError("timeout", "check_intent"), {"intent": "maybe"}])
async def test_where_check_intent_fails_the_rules_decide(storage: Storage, fault: Any):
    office, _ = answering(storage, fault, ModelError("timeout", "extract_info"))
    await office.say(PLAN, reply_mode="overheard")
    await office.say("改成八点吧", reply_mode="core")
    assert await office.plans() == [("2026-11-20 20:00:00", "吃火锅")]
