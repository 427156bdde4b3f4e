"""A model's frame in the rules' own words: the values are the grammar's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import SlotFrame
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.core.decision.reading import Frame
from nonebot_plugin_mishu.core.decision.restated import restated, restated_together
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.clause import Mention, Situation
from nonebot_plugin_mishu.language.fold import normalise

ZONE = ZoneInfo("Asia/Shanghai")
WHERE = Situation(
    datetime(2026, 11, 18, 10, tzinfo=ZONE), members=(Mention("2", "阿笙"), Mention("3", "老白"))
)
SPECS = {each.code: each for each in builtin_rules()}


def frame(act: str, said: str, slots: Mapping[str, Any]) -> Frame:
    agent, _, intent = act.partition(".")
    return Frame(agent, intent, whole(said, WHERE), SlotFrame(slots), sure=False)


def spec(code: str) -> Any:
    return SPECS[code]


@pytest.mark.parametrize(
    ("act", "slots", "words"),
    [
        ("bookkeeping.record", {"item": "串儿", "amount": "一百四", "payer": "阿笙"}, "串儿一百四，阿笙付的"),
        ("bookkeeping.record", {"item": "葱", "amount": "八块", "date": "昨天"}, "昨天葱八块"),
        ("bookkeeping.query", {"period": "上个月", "about": "吃饭"}, "上个月吃饭花了多少"),
        ("record.find", {"words": "报销"}, "谁说过报销"),
        ("record.remember", {"fact": "WiFi密码是12345678"}, "记住：WiFi密码是12345678"),
    ],
)
def test_in_plain_words(act: str, slots: Mapping[str, Any], words: str) -> None:
    code = act.partition(".")[0]
    found = restated(frame(act, "随便怎么说的", slots), spec(code), read, WHERE, reminds=False)
    assert found is not None
    assert found.sure
    assert (f"{found.agent_code}.{found.intent}", found.clause.text) == (act, normalise(words))


def test_sums_said_apart_are_one_card() -> None:
    said = [
        frame("bookkeeping.record", "葱八块", {"item": "葱", "amount": "八块"}),
        frame("bookkeeping.record", "豆腐五块二", {"item": "豆腐", "amount": "五块二"}),
    ]
    found = restated_together(said, spec("bookkeeping"), read, WHERE)
    assert found is not None
    assert [item.fen for item in found.read.items.entries] == [800, 520]  # type: ignore[attr-defined]


def test_what_the_rules_would_not_vouch_for_stays_the_models() -> None:
    said = frame("bookkeeping.record", "那个啥", {"item": "那个"})
    assert restated(said, spec("bookkeeping"), read, WHERE, reminds=False) is None
