"""How something repeats, in a model's calls and in what it is told."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.tasks.model.arguments import CallRefused, change_from_call
from nonebot_plugin_mishu.core.decision.model.world import shown
from nonebot_plugin_mishu.language.clause import Clause, KeptThing, Situation
from nonebot_plugin_mishu.language.recognise.times import parse

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 18, tzinfo=ZONE)


def _clause(text: str) -> Clause:
    return Clause(text, Situation(NOW), tuple(parse(text, NOW, ZONE)))


def test_a_recurrence_in_words_is_one() -> None:
    change = change_from_call({"taskId": 1, "recurrence": "每个工作日"}, _clause("周末就歇着吧"))
    assert change.wish.recurrence is not None
    assert change.wish.recurrence["freq"] == "workday"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"recurrence": "每个工作日"}, "改成十一点吧"),
        ({"recurrence": "随便"}, "周末就歇着吧"),
        ({"description": "周末不用提醒"}, "周末就歇着吧"),
    ],
)
def test_what_nobody_said_and_what_stands_in_a_note_is_refused(arguments: dict[str, str], line: str) -> None:
    with pytest.raises(CallRefused):
        change_from_call({"taskId": 1, **arguments}, _clause(line))


def test_what_repeats_is_told_as_such() -> None:
    at = datetime(2026, 12, 1, 22, 30, tzinfo=ZONE)
    where = Situation(NOW, things=(KeptThing("tasks", "吃钙片", "1", at, repeats=True, every="每天"),))
    assert shown(where, (), ())["tasks"][0]["when"] == "每天，下次 2026-12-01 周二 22:30"
