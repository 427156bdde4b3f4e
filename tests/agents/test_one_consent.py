"""Consent for a deletion, by every agent that asks for one: what the one reader reads, and never a line of
talk or an order of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.chat import offering
from nonebot_plugin_mishu.agents.schedule import answering as schedules
from nonebot_plugin_mishu.agents.schedule.candidates.candidate import Candidate
from nonebot_plugin_mishu.agents.schedule.candidates.correcting import check_locally
from nonebot_plugin_mishu.agents.schedule.frames import CHOOSING, STAGE
from nonebot_plugin_mishu.agents.tasks import answering as tasks
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language import Question, answer
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.storage.records import FrameRecord
from stand_ins import GROUP

from benchmarks.corpus import read_corpus

WHERE = Situation(datetime(2026, 11, 18, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")), addressed=False)
NAME = "打羽毛球"
ASKED = Question("delete", said="删掉羽毛球")
CONSENTS = ("确认", "删", "删了吧", "是的", "好", "好的，删了吧", "对", "要得", "可以", "把它删了")
NODS = frozenset({"好嘅好嘅", "好的呀", "是的呢", "行。"})
"""Lines of talk that say yes wherever anything is asked."""
LINES = sorted({row.say for row in read_corpus()} - NODS)
PIECES = (
    *("羽毛球", "打羽毛球", "周末", "别", "不", "没", "删", "取消", "吗", "好", "嗯", "哈哈", "要是", "的话"),
    *(
        "他说",
        "冷不冷",
        "我要去",
        "可能",
        "了没",
        "留着",
        "，",
        " ",
        "改到八点",
        "是的",
        "确认",
        "？",
        "算了",
    ),
    *("呀", "啊"),
)


def frame(agent: str, **slots: Any) -> FrameRecord:
    return FrameRecord(
        task_id="t1",
        conversation=GROUP,
        user_id="30001",
        agent_code=agent,
        intent={"tasks": "delete_task", "schedule": "delete", "chat": "chitchat"}[agent],
        text="删掉羽毛球",
        status="awaiting_user",
        priority=2,
        focus=False,
        origin="o",
        message_id="1",
        place=0,
        slots=slots,
        created_at=1.0,
        updated_at=1.0,
    )


TASK = frame("tasks", _ask="delete", _ids=[1], _titles=[NAME], _intent="delete_task")
SCHEDULE = frame("schedule", **{STAGE: CHOOSING, "_choices": [1], "_names": [NAME], "_action": "delete"})
OFFER = frame("chat", **{offering.OFFERED: "删掉羽毛球"})
CARD = Candidate("delete", old_description=NAME)


def consenting(line: str) -> dict[str, bool]:
    """Who would delete for a line."""
    clause = whole(line, WHERE)
    by_task = tasks.answers(TASK, clause)
    offered = offering.answers(OFFER, clause)
    return {
        "tasks": by_task is not None and by_task.relation == "confirm",
        "schedule": bool(schedules.chosen(SCHEDULE, clause)[1]),
        "card": check_locally(clause.text, WHERE, [CARD]) == "confirm",
        "offer": offered is not None and offered.relation == "confirm",
    }


@pytest.mark.parametrize("line", CONSENTS)
def test_an_explicit_yes_is_one_to_all(line: str) -> None:
    assert answer(line, ASKED).kind == "yes"
    assert all(consenting(line).values()), consenting(line)


def test_no_line_of_the_corpus_deletes() -> None:
    said = [line for line in LINES if answer(line, ASKED).kind == "yes"]
    assert not [line for line in said if not set(line) <= set("嗯好滴的 ")]
    others = [line for line in LINES[::5] if line not in said]
    assert not [line for line in others if any(consenting(line).values())]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join))
def test_every_reader_is_the_one(line: str) -> None:
    if "羽毛球" in line and any(verb in line for verb in ("删", "取消")):
        return  # an order of its own, whatever is open
    said = answer(whole(line, WHERE).text, ASKED).kind == "yes"
    by_all = consenting(line)
    if "取消" in line:
        by_all.pop("card")  # which asks 要取消「羽毛球」吗: 好取消 is a yes to it
    assert set(by_all.values()) == {said}, by_all


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join))
def test_a_name_a_mood_or_a_laugh_is_no_consent(line: str) -> None:
    bars = ("羽毛球", "周末", "吗", "要是", "的话", "他说", "冷不冷", "我要去", "可能", "了没", "哈哈")
    if any(bar in line for bar in (*bars, "改到", "？", "没", "别", "不")):
        assert answer(line, ASKED).kind != "yes"


@given(st.sampled_from(CONSENTS), st.sampled_from(("吗", "？", "了没", "的话", "还是算了", "再说")))
def test_a_consent_turned_round_is_none(line: str, tail: str) -> None:
    assert answer(line + tail, ASKED).kind != "yes"


@pytest.mark.parametrize("line", CONSENTS)
def test_a_yes_that_deletes_is_grave(line: str) -> None:
    clause = whole(line, WHERE)
    for found in (
        tasks.answers(TASK, clause),
        schedules.answers(SCHEDULE, clause),
        offering.answers(OFFER, clause),
    ):
        assert found is not None
        assert found.grave


@pytest.mark.parametrize("line", ["羽毛球", "打羽毛球", "羽毛球那个"])
def test_the_name_alone_is_asked_about_again(line: str) -> None:
    found = tasks.answers(TASK, whole(line, WHERE))
    assert found is not None
    assert (found.relation, dict(found.slots)) == ("fills", {"_unsure": True})


@pytest.mark.parametrize("line", ["就明天这一次", "不是全部 只要后天的", "这周而已", "不是都删", "仅下周的"])
def test_a_limit_is_the_questions_and_no_yes(line: str) -> None:
    clause = whole(line, WHERE)
    for found in (tasks.answers(TASK, clause), schedules.answers(SCHEDULE, clause)):
        assert found is not None
        assert (found.relation, found.grave) == ("fills", False)
    assert not schedules.chosen(SCHEDULE, clause)[1]
