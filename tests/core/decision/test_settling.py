"""Which reading of a line stands, and whether it is sure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.api.frame import NOTHING_READ
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import Frame, read
from nonebot_plugin_mishu.core.decision.confidence import Confidence, confidence
from nonebot_plugin_mishu.core.decision.settling import CandidateReading, is_sure, preferred
from nonebot_plugin_mishu.language import Mood
from nonebot_plugin_mishu.language.clause import Clause, KeptThing, LastDone, Situation
from nonebot_plugin_mishu.language.match import Match

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
HERE = Situation(NOW)
KEPT = Situation(
    NOW,
    things=(
        KeptThing("schedule", "桌游夜", "s1", datetime(2026, 11, 20, 20, tzinfo=ZONE)),
        KeptThing("schedule", "看房", "s2", datetime(2026, 11, 21, 14, tzinfo=ZONE)),
        KeptThing("schedule", "周会", "s3", datetime(2026, 11, 23, 10, tzinfo=ZONE)),
    ),
    open_tasks=True,
)
SCALE = Confidence({}, {"other": 0.9, "tasks.create": 0.95}, keep=0.7, ask=0.6, leave=0.8)


def reading(
    odds: float, intent: str = "add", *, rules: bool = False, mood: Mood | None = None
) -> CandidateReading:
    agent = {"add": "schedule", "create_task": "tasks", "query": "schedule", "chitchat": "chat"}[intent]
    frame = Frame(agent, intent, Clause("周五三点评审", HERE), NOTHING_READ, match=Match(intent, 2))
    return CandidateReading(
        (replace(frame, mood=mood) if mood is not None else frame,), rules, {}, odds, intent == "query"
    )


@pytest.mark.parametrize(("odds", "sure"), [(0.71, True), (0.69, False)])
def test_an_order_that_the_rules_vouch_for_is_sure_from_keep_on(odds: float, sure: bool) -> None:
    assert is_sure(reading(odds, rules=True), SCALE, vouched=True, complete=True) is sure


def test_what_writes_nothing_stays_sure() -> None:
    assert is_sure(reading(0.1, "query", rules=True), SCALE, vouched=True, complete=True)


@pytest.mark.parametrize(
    ("intent", "odds", "sure"),
    [("add", 0.91, True), ("add", 0.89, False), ("create_task", 0.94, False), ("create_task", 0.96, True)],
)
@pytest.mark.parametrize("rules", [True, False])
def test_any_other_reading_is_sure_from_its_acts_threshold_on(
    intent: str, odds: float, sure: bool, rules: bool
) -> None:
    assert is_sure(reading(odds, intent, rules=rules), SCALE, vouched=False, complete=True) is sure


def test_nothing_is_sure_of_which_a_part_was_left_out_or_whose_mood_is_no_order() -> None:
    assert not is_sure(reading(0.99, rules=True), SCALE, vouched=False, complete=False)
    for mood in (Mood("question"), Mood(modality="may"), Mood("wish")):
        assert not is_sure(reading(0.99, mood=mood), SCALE, vouched=False, complete=True)


def test_a_learned_reading_never_takes_the_place_of_an_order_that_the_rules_vouch_for() -> None:
    first, other = reading(0.3, rules=True), reading(0.99, "create_task")
    assert preferred(first, [other], SCALE, sure=True) is first
    assert preferred(first, [other], SCALE, sure=False) is other


@pytest.mark.parametrize(
    ("odds", "sure", "taken"),
    [(0.65, False, True), (0.55, False, False), (0.7, True, False), (0.8, True, True)],
)
def test_talk_becomes_an_order_only_where_a_learned_reading_is_clear(
    odds: float, sure: bool, taken: bool
) -> None:
    talk, other = reading(0.3, "chitchat", rules=True), reading(odds)
    assert (preferred(talk, [other], SCALE, sure=sure) is other) is taken


@pytest.mark.parametrize(
    "said",
    [
        "明天下午三点可能开会",
        "听说周五下午三点评审",
        "明天可能全员核酸，上午八点半到十点",
        "要是周五下午三点评审的话",
    ],
)
def test_a_guess_a_report_or_a_condition_is_never_sure(said: str) -> None:
    assert not any(
        frame.sure for frame in read(said, HERE, builtin_rules()).frames if frame.agent_code != "chat"
    )


def test_what_was_compared_is_told_cheapest_first() -> None:
    found = read("周五下午三点开评审会", HERE, builtin_rules())
    assert found.sure
    costs = [each.cost for each in found.covers]
    assert costs == sorted(costs)
    assert found.covers[0].acts == ("schedule.add",)
    assert found.frames[0].probability > confidence().keep


@pytest.mark.parametrize("said", ["别看房不去了", "不周会以后不开了", "没看房取消"])
def test_what_begins_by_a_negation_and_takes_away_is_not_sure(said: str) -> None:
    found = read(said, KEPT, builtin_rules())
    assert not any(frame.sure for frame in found.frames if frame.agent_code != "chat")


@pytest.mark.parametrize("said", ["别撤销上一笔", "上一笔先别撤"])
def test_what_was_done_stays_where_undoing_it_is_forbidden(said: str) -> None:
    done = replace(HERE, done=LastDone("记账 午饭35元", NOW.timestamp() - 20))
    (frame,) = read(said, done, builtin_rules()).frames
    assert (frame.agent_code, frame.declined) == ("chat", "好，不撤销。")


def test_forbidding_what_is_gone_takes_it_back() -> None:
    done = replace(HERE, done=LastDone("删除日程「看房」", NOW.timestamp() - 20))
    (frame,) = read("别删", done, builtin_rules()).frames
    assert (frame.agent_code, frame.intent, frame.sure) == ("bookkeeping", "undo", True)


def test_what_the_group_is_reminded_of_is_a_schedule_without_a_question() -> None:
    found = read("两分钟后提醒大家收卷子", HERE, builtin_rules())
    assert found.sure
    assert (found.frames[0].agent_code, found.frames[0].intent) == ("schedule", "add")


def test_several_that_are_named_are_all_meant() -> None:
    (frame,) = read("桌游和看房都推迟一小时", KEPT, builtin_rules()).frames
    assert frame.match is not None
    assert set(frame.match.refs) == {"s1", "s2"}


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ("周会改四点", "2026-11-23 16:00:00"),
        ("周会改九点", "2026-11-23 09:00:00"),
        ("看房改到周日下午吧 三点", "2026-11-22 15:00:00"),
    ],
)
def test_a_clock_is_of_the_half_of_the_day_in_which_people_are_up(said: str, start: str) -> None:
    (frame,) = read(said, KEPT, builtin_rules()).frames
    assert frame.slots["new_time"] == start


def test_the_thresholds_that_are_committed() -> None:
    scale = confidence()
    assert 0.5 < scale.ask <= scale.keep <= min(scale.act.values())
    assert scale.leave <= 1
