"""Sentences and what the rules read in them; what is worth overhearing; answers to questions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.agents import Situation
from nonebot_plugin_mishu.agents.schedule import overhears, read
from nonebot_plugin_mishu.agents.schedule.answering import fills, picked
from nonebot_plugin_mishu.agents.schedule.candidates.reading import candidates, clause_of, settled
from nonebot_plugin_mishu.language.schedule_phrases import attendance
from nonebot_plugin_mishu.language.timing.shifts import shift_in
from rows import each_row

from .schedule_support import NOW, at

DATA = Path(__file__).parent / "data"
SENTENCES: list[dict[str, Any]] = yaml.safe_load((DATA / "sentences.yaml").read_text("utf-8"))
OVERHEARD: dict[str, list[str]] = yaml.safe_load((DATA / "overheard.yaml").read_text("utf-8"))


@each_row("case", SENTENCES, ids=[f"{case['intent']}:{case['say']}" for case in SENTENCES])
def test_sentences(case: dict[str, Any]):
    clause = clause_of(case["say"], Situation(NOW))
    first = candidates(case["intent"], clause)[0]
    shift = {"shift": case["shift"]} if "shift" in case else {}
    assert dict(read(case["intent"], clause).slots) == {**case["slots"], **shift}
    assert (first.problem.doubt if first.problem else None) == case.get("asks")
    assert first.shift == case.get("shift", 0)
    assert first.lead == case.get("lead")
    assert first.everybody == case.get("everybody", False)


def test_there_are_enough_sentences():
    assert len(SENTENCES) >= 75


@pytest.mark.parametrize("text", OVERHEARD["worth_asking"])
def test_worth_asking(text: str):
    assert overhears(clause_of(text, Situation(NOW, addressed=False)))


@pytest.mark.parametrize("text", OVERHEARD["not_worth_asking"])
def test_pitfall_49_not_worth_asking(text: str):
    assert not overhears(clause_of(text, Situation(NOW, addressed=False)))


def test_a_quoting_line_is_not_worth_asking():
    assert not overhears(clause_of("明天下午三点开会", Situation(NOW, addressed=False, quoted="几点开会")))


@pytest.mark.parametrize(
    ("text", "now", "starts"),
    [
        ("明天下午三点开会", "2026-11-18T00:30", None),  # 明天 before five may be the day that has begun
        ("今晚八点开会", "2026-11-18T00:30", "2026-11-18 20:00:00"),
        ("下午三点开会", "2026-11-18T16:00", None),
        ("12点开会", "2026-11-18T21:00", None),
        ("12点开会", "2026-11-18T09:00", "2026-11-18 12:00:00"),
        ("今晚12点开会", "2026-11-18T21:00", "2026-11-19 00:00:00"),
        ("下周三下午开会", "2026-11-22T10:00", None),
        ("周三下午开会", "2026-11-22T10:00", "2026-11-25 14:00:00"),
        ("周一下午开会", "2026-11-23T20:00", "2026-11-30 14:00:00"),
        ("今天上午开会", "2026-11-18T15:00", None),
        ("三点开会", "2026-11-18T10:00", "2026-11-18 15:00:00"),
        ("三点开会", "2026-11-18T01:00", None),
        ("31号开会", "2026-11-18T10:00", "2026-12-31 00:00:00"),
    ],
)
def test_pitfall_48_resolved_or_asked_at_every_time_of_day(text: str, now: str, starts: str | None):
    found = candidates("add", clause_of(text, Situation(at(now))))[0]
    assert (found.when.start if found.when else None) == starts
    assert (found.problem is None) == (starts is not None)


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
def test_pitfall_46_wall_time_of_the_group(zone: str):
    now = datetime(2026, 11, 18, 23, 30, tzinfo=ZoneInfo(zone))
    found = candidates("add", clause_of("明天下午三点开会", Situation(now)))[0]
    assert found.new_time == "2026-11-19 15:00:00"


def test_several_times_in_one_phrase_are_several():
    found = candidates("add", clause_of("周一周三下午三点开会", Situation(NOW)))
    assert [each.new_time for each in found] == ["2026-11-23 15:00:00", "2026-11-18 15:00:00"]


def test_this_means_what_is_quoted():
    found = candidates("add", clause_of("记一下这个", Situation(NOW, quoted="项目评审")))[0]
    assert found.new_description == "项目评审"


def test_each_lasts_and_until_are_told_apart():
    month = candidates("add", clause_of("每月10号到15号盘点", Situation(NOW)))[0].when
    days = candidates("add", clause_of("12月1号到5号每天早上8点晨跑", Situation(NOW)))[0].when
    assert month is not None
    assert (month.end, month.until) == ("2026-12-15 23:59:00", "")
    assert days is not None
    assert (days.end, days.until) == ("", "2026-12-05")


@pytest.mark.parametrize(
    ("text", "joins", "what"),
    [
        ("参加", True, ""),
        ("+1", True, ""),
        ("我也去", True, ""),
        ("算我一个", True, ""),
        ("报名团建", True, "团建"),
        ("我要参加聚餐", True, "聚餐"),
        ("聚餐算我一个", True, "聚餐"),
        ("周六的爬山我不去了", False, "周六的爬山"),
        ("我不去了", False, ""),
        ("退出聚餐", False, "聚餐"),
        ("取消报名", False, ""),
    ],
)
def test_taking_part(text: str, joins: bool, what: str):
    found = attendance(text)
    assert found is not None
    assert (found.joins, found.what) == (joins, what)


@pytest.mark.parametrize(
    "text", ["参加吗", "大家都参加", "我明天去上海", "要不要参加", "他也去", "1+1等于几", "参加比赛要带什么"]
)
def test_not_taking_part(text: str):
    assert attendance(text) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("会议推迟半小时", 30),
        ("延后一个半小时", 90),
        ("提前10分钟", -10),
        ("往后推两天", 2880),
        ("推迟一周", 10080),
        ("提前半小时提醒大家", 0),
        ("推迟到周五", 0),
    ],
)
def test_moving(text: str, minutes: int):
    moving = shift_in(text)
    assert (moving.minutes if moving is not None else 0) == minutes


def test_a_lead_is_no_move():
    clause = clause_of("下周三上午10点在302开会，提前半小时提醒大家", Situation(NOW))
    assert settled("edit", clause) == "add"
    assert settled("edit", clause_of("会议提前半小时", Situation(NOW))) == "edit"


@pytest.mark.parametrize(
    ("text", "count", "places"),
    [
        ("第二个", 3, (1,)),
        ("2", 3, (1,)),
        ("选第三个吧", 3, (2,)),
        ("最后一个", 3, (2,)),
        ("都要", 3, (0, 1, 2)),
        ("第四个", 3, ()),
        ("对", 1, (0,)),
        ("对", 2, ()),
        ("第二天去吧", 3, ()),
        ("2号楼见", 3, ()),
    ],
)
def test_picking(text: str, count: int, places: tuple[int, ...]):
    assert picked(text, count) == places


@pytest.mark.parametrize(
    ("doubt", "text", "answers"),
    [
        ("am_pm", "下午", True),
        ("am_pm", "第一个", True),
        ("am_pm", "下午三点半", True),
        ("am_pm", "好的", False),
        ("no_time", "后天晚上七点", True),
        ("no_time", "我明天下午要去医院看病顺便买点东西", False),
        ("no_time", "明天下午三点有空吗", False),
        ("no_description", "产品评审", True),
        ("no_description", "哈哈哈", False),
        ("no_description", "什么？", False),
        ("no_description", "好的", False),
    ],
)
def test_pitfall_43_what_answers_a_question_and_what_does_not(doubt: str, text: str, answers: bool):
    assert fills(doubt, clause_of(text, Situation(NOW)), 2 if doubt == "am_pm" else 0) is answers
