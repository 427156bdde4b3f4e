"""Seed 0's diagram, edge by edge, with the data of every call field by field."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.agents.schedule.candidates.candidate import (
    Candidate,
    CandidateTime,
    Operation,
    dump,
    load,
)
from nonebot_plugin_mishu.agents.schedule.candidates.machine import (
    TABLE,
    AddLocally,
    CarryOut,
    Checked,
    CheckIntent,
    Expired,
    Extracted,
    ExtractInfo,
    Generated,
    GenerateOperation,
    MemberSpoke,
    Phase,
    PlanQuestion,
    TalkState,
    step,
    table_markdown,
)

MEETING = Candidate(
    "add",
    True,
    new_time="2026-11-19 15:00:00",
    new_description="开会",
    when=CandidateTime("2026-11-19 15:00:00"),
)
DINNER = Candidate("add", True, new_time="2026-11-20 18:00:00", new_description="聚餐")
MOVE = Candidate(
    "edit",
    old_time="2026-11-19 15:00:00",
    old_description="开会",
    new_time="2026-11-19 16:00:00",
    new_description="评审会",
)
CANCEL = Candidate("delete", old_time="2026-11-20 18:00:00", old_description="聚餐")
LOOK = Candidate("query", old_description="聚餐")
IDLE = TalkState()
ASKED = TalkState(Phase.NEED_CONFIRM, (MEETING,), "明天下午三点开会", "要记吗？")


def sure(candidate: Candidate) -> Candidate:
    return replace(candidate, need_confirm=False)


def test_idle_hears_and_extracts():
    state, effects = step(IDLE, MemberSpoke("明天下午三点开会"))
    assert state == IDLE
    assert [effect.data for effect in effects if isinstance(effect, ExtractInfo)] == [
        {"text": "明天下午三点开会", "pre_confirmed": False, "old_time": "", "old_description": ""}
    ]
    assert len(effects) == 1


def test_nothing_extracted_changes_nothing():
    assert step(IDLE, Extracted((), "哈哈")) == (IDLE, ())
    assert step(ASKED, Extracted((), "哈哈")) == (ASKED, ())


def test_need_confirm_asks():
    state, effects = step(IDLE, Extracted((MEETING,), "明天下午三点开会", "要记吗？"))
    assert state == ASKED
    assert effects == (PlanQuestion((MEETING,)),)


def test_an_add_that_needs_no_confirmation_is_added_locally():
    state, effects = step(IDLE, Extracted((sure(MEETING),), "明天下午三点开会"))
    assert (state, effects) == (IDLE, (AddLocally((sure(MEETING),)),))


@pytest.mark.parametrize(
    ("candidate", "data"),
    [
        (
            MOVE,
            {
                "intent": "edit",
                "old_time": "2026-11-19 15:00:00",
                "old_description": "开会",
                "new_time": "2026-11-19 16:00:00",
                "new_description": "评审会",
            },
        ),
        (
            CANCEL,
            {
                "intent": "delete",
                "old_time": "2026-11-20 18:00:00",
                "old_description": "聚餐",
                "new_time": "",
                "new_description": "",
            },
        ),
        (
            LOOK,
            {
                "intent": "query",
                "old_time": "",
                "old_description": "聚餐",
                "new_time": "",
                "new_description": "",
            },
        ),
    ],
)
def test_query_edit_and_delete_go_to_edit_and_back(candidate: Candidate, data: dict[str, Any]):
    state, effects = step(IDLE, Extracted((candidate,), "x"))
    assert state == TalkState(Phase.EDIT, (candidate,), "x")
    (call,) = effects
    assert isinstance(call, GenerateOperation)
    known = [{"id": 7, "time": "2026-11-20 18:00:00", "description": "聚餐"}]
    assert call.data(known) == {**data, "all_schedules": known}
    operations = (Operation(candidate.intent if candidate.intent != "add" else "edit", 7),)
    assert step(state, Generated(operations)) == (IDLE, (CarryOut(candidate, operations),))


def test_several_candidates_take_their_own_ways():
    found = (sure(DINNER), MOVE, MEETING, CANCEL)
    state, effects = step(IDLE, Extracted(found, "x", "?"))
    assert effects == (
        AddLocally((sure(DINNER),)),
        GenerateOperation(MOVE),
        GenerateOperation(CANCEL),
        PlanQuestion((MEETING,)),
    )
    assert state == TalkState(Phase.NEED_CONFIRM, (MEETING,), "x", "?")
    state, _ = step(IDLE, Extracted((MOVE, CANCEL), "x"))
    state, first = step(state, Generated(()))
    assert (state.phase, first) == (Phase.EDIT, (CarryOut(MOVE, ()),))
    assert step(state, Generated(())) == (IDLE, (CarryOut(CANCEL, ()),))


def test_need_confirm_checks_what_it_hears():
    state, effects = step(ASKED, MemberSpoke("四点吧"))
    assert state == ASKED
    (call,) = effects
    assert isinstance(call, CheckIntent)
    assert call.data == {"question": "要记吗？", "text": "四点吧"}


def test_confirm_goes_on_as_if_it_had_been_sure():
    assert step(ASKED, Checked("confirm")) == (IDLE, (AddLocally((MEETING,)),))
    both = replace(ASKED, candidates=(MEETING, MOVE))
    state, effects = step(both, Checked("confirm"))
    assert state == TalkState(Phase.EDIT, (MOVE,), "明天下午三点开会")
    assert effects == (AddLocally((MEETING,)), GenerateOperation(MOVE))


def test_deny_forgets():
    assert step(ASKED, Checked("deny")) == (IDLE, ())


def test_edit_extracts_again_with_both_rounds():
    state, effects = step(ASKED, Checked("edit", "四点吧"))
    assert state == ASKED
    (call,) = effects
    assert isinstance(call, ExtractInfo)
    assert call.data == {
        "text": "明天下午三点开会\n四点吧",
        "pre_confirmed": True,
        "old_time": "2026-11-19 15:00:00",
        "old_description": "开会",
    }
    done = step(state, Extracted((sure(MEETING),), call.text))
    assert done == (IDLE, (AddLocally((sure(MEETING),)),))


def test_edit_of_a_move_tells_what_it_was_to_become():
    (call,) = step(replace(ASKED, candidates=(MOVE,)), Checked("edit", "五点吧"))[1]
    assert isinstance(call, ExtractInfo)
    assert (call.old_time, call.old_description) == ("2026-11-19 16:00:00", "评审会")


def test_irrelevant_extracts_this_round_alone_and_the_question_stays():
    state, effects = step(ASKED, Checked("irrelevant", "周五晚上聚餐"))
    assert state == ASKED
    (call,) = effects
    assert isinstance(call, ExtractInfo)
    assert call.data == {
        "text": "周五晚上聚餐",
        "pre_confirmed": False,
        "old_time": "",
        "old_description": "",
    }
    newer, asked = step(state, Extracted((DINNER,), "周五晚上聚餐", "聚餐？"))
    assert newer == TalkState(Phase.NEED_CONFIRM, (DINNER,), "周五晚上聚餐", "聚餐？")
    assert asked == (PlanQuestion((DINNER,)),)


def test_time_passes():
    assert step(ASKED, Expired()) == (IDLE, ())


def test_what_does_not_fit_a_state_does_nothing():
    events = (
        MemberSpoke("x"),
        Extracted((MEETING,), "x"),
        Checked("confirm"),
        Checked("deny"),
        Checked("edit", "x"),
        Checked("irrelevant", "x"),
        Generated(()),
        Expired(),
    )
    states = (IDLE, ASKED, TalkState(Phase.EDIT, (MOVE,), "x"))
    for state in states:
        for event in events:
            name = f"Checked {event.intent}" if isinstance(event, Checked) else type(event).__name__
            if (state.phase, name) not in TABLE:
                assert step(state, event) == (state, ())


def test_the_page_has_the_table():
    page = Path(__file__).parents[3] / "docs" / "schedules.md"
    assert table_markdown() in page.read_text("utf-8")


def test_a_candidate_survives_being_kept():
    full = replace(
        MEETING, when=CandidateTime("2026-11-19 15:00:00", recurrence={"freq": "daily", "interval": 1})
    )
    assert load(dump(full)) == full
    for broken in ({}, {**dump(full), "intent": "drop"}, {**dump(full), "when": {"x": 1}}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            load(broken)
