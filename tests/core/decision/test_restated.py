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
from nonebot_plugin_mishu.core.decision.model.agreement import denied
from nonebot_plugin_mishu.core.decision.model.reading import ModelReading
from nonebot_plugin_mishu.core.decision.model.restated import (
    keeps_rules,
    restate_frame,
    restate_list,
    restate_together,
)
from nonebot_plugin_mishu.core.decision.reading import Frame, MessageReading
from nonebot_plugin_mishu.core.situation import whole
from nonebot_plugin_mishu.language.clause import Mention, Situation
from nonebot_plugin_mishu.language.text.fold import normalise

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
    found = restate_frame(frame(act, "随便怎么说的", slots), spec(code), read, WHERE, reminds=False)
    assert found is not None
    assert found.sure
    assert (f"{found.agent_code}.{found.intent}", found.clause.text) == (act, normalise(words))


def test_sums_said_apart_are_one_card() -> None:
    said = [
        frame("bookkeeping.record", "葱八块", {"item": "葱", "amount": "八块"}),
        frame("bookkeeping.record", "豆腐五块二", {"item": "豆腐", "amount": "五块二"}),
    ]
    found = restate_together(said, spec("bookkeeping"), read, WHERE)
    assert found is not None
    assert [item.fen for item in found.read.items.entries] == [800, 520]  # type: ignore[attr-defined]


def test_what_the_rules_would_not_vouch_for_stays_the_models() -> None:
    said = frame("bookkeeping.record", "那个啥", {"item": "那个"})
    assert restate_frame(said, spec("bookkeeping"), read, WHERE, reminds=False) is None


def reading(said: str) -> MessageReading:
    return read(said, WHERE, list(SPECS.values()))


TALKS = ModelReading((Frame("chat", "chitchat", whole("嗯", WHERE)),))


@pytest.mark.parametrize(
    "said",
    [
        "一碗面卖48 你敢信",
        "那家店排队两小时 人均120",
        "我晚上八点还得遛狗",
        "周六团建我肯定迟到",
        "修水管那人要我150",
        "周五那个会给我弄一下",
    ],
)
def test_talk_that_a_model_read_is_not_overruled_by_a_guess(said: str) -> None:
    assert not reading(said).sure
    assert not keeps_rules(TALKS, reading(said))


@pytest.mark.parametrize("said", ["午饭35 打车20 都记上", "后天还要体检"])
def test_what_is_nearly_sure_is_asked_about_once(said: str) -> None:
    found = reading(said)
    assert keeps_rules(TALKS, found)
    asked = denied(found.frames, list(SPECS.values()))  # type: ignore[arg-type]
    assert all(each.contested or not each.sure for each in asked if each.agent_code != "chat")


def test_new_tasks_of_one_answer_are_one_list() -> None:
    made = [
        frame("tasks.create_task", "明早八点喊我吃药", {"title": "吃药", "remindAt": "明早八点"}),
        frame("tasks.create_task", "晚上寄毛衣", {"title": "寄毛衣", "timeSegment": "晚上"}),
        frame("tasks.create_task", "书也该还了", {"title": "还书"}),
    ]
    found = restate_list(made, spec("tasks"), read, WHERE)
    assert found is not None
    assert found.sure
    assert [each["title"] for each in found.slots["items"]] == ["吃药", "寄毛衣", "还书"]
    whose = [*made[:2], frame("tasks.create_task", "老白还书", {"title": "还书", "member": "老白"})]
    assert restate_list(whose, spec("tasks"), read, WHERE) is None
    assert restate_list([made[2], made[2]], spec("tasks"), read, WHERE) is None
