"""A model's slots held against what was said and what is there."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.core.decision.model.sources import ValueSources
from nonebot_plugin_mishu.language.clause import Clause, KeptThing, Mention, Situation
from nonebot_plugin_mishu.language.recognise.times import parse

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 12, 10, 0, tzinfo=ZONE)
WHERE = Situation(
    NOW,
    members=(Mention("30002", "小红"),),
    things=(KeptThing("tasks", "给我妈打电话", "7", NOW), KeptThing("schedule", "评审", "7", NOW)),
)
TEXT = "提醒小红明天下午三点交周报"
LINE = Clause(TEXT, WHERE, tuple(parse(TEXT, NOW, ZONE)))


def checked(agent: str = "tasks", **slots: str):
    return ValueSources.of(LINE, [], []).check_slots(slots, agent, LINE, frozenset())


def test_what_was_said_and_is_there_holds() -> None:
    assert checked(ref="7", title="交周报", remindAt="明天下午三点", member="小红") == {
        "ref": "7",
        "title": "交周报",
        "remindAt": "明天下午三点",
        "member": "小红",
    }


@pytest.mark.parametrize(
    "slots", [{"ref": "8"}, {"ref": "7,8"}, {"member": "王五"}, {"title": "给总统打电话"}, {"ref": ","}]
)
def test_what_is_not_there_refuses_the_frame(slots: dict[str, str]) -> None:
    assert checked(**slots) is None


def test_an_id_is_of_its_own_agent() -> None:
    assert checked("bookkeeping", ref="7") is None


@pytest.mark.parametrize("value", ["2026-03-13 15:00:00", "2026-03-13T15:00", "15:00", "2026-03-13"])
def test_a_converted_time_becomes_the_words_it_was_said_in(value: str) -> None:
    assert checked(remindAt=value) == {"remindAt": "明天下午三点"}


@pytest.mark.parametrize("value", ["2030-01-01 08:00", "2026-03-13 09:00", "2026-99-99"])
def test_a_time_nobody_said_is_left_out(value: str) -> None:
    assert checked(remindAt=value) == {}


def test_the_speaker_is_no_other_member() -> None:
    assert checked(member="我") == {}
