"""Chat's offers: what may be offered, and which line takes one up."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents.chat.judged import judged
from nonebot_plugin_mishu.agents.chat.offering import OFFERED, acceptable, answers, in_words
from nonebot_plugin_mishu.language.clause import Clause, Situation
from nonebot_plugin_mishu.storage.records import FrameRecord
from stand_ins import GROUP

WHERE = Situation(datetime(2026, 3, 12, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")))


def waiting() -> FrameRecord:
    return FrameRecord(
        task_id="t1",
        conversation=GROUP,
        user_id="1",
        agent_code="chat",
        intent="chitchat",
        text="老是忘",
        status="awaiting_user",
        priority=4,
        focus=False,
        origin="o",
        message_id="m1",
        place=0,
        slots={OFFERED: "明天八点提醒我复查"},
        created_at=0.0,
        updated_at=0.0,
    )


@pytest.mark.parametrize("text", ["好的 记吧", "好", "嗯嗯", "要", "行 麻烦了", "可以", "ok", "那就记吧"])
def test_a_yes_takes_it_up(text: str) -> None:
    found = answers(waiting(), Clause(text, WHERE))
    assert found is not None
    assert found.relation == "confirm"


@pytest.mark.parametrize("text", ["不用了", "算了", "不要", "别", "先不用", "不用 谢谢"])
def test_a_no_turns_it_down(text: str) -> None:
    found = answers(waiting(), Clause(text, WHERE))
    assert found is not None
    assert found.relation == "cancel"


@pytest.mark.parametrize("text", ["今天好累", "谢", "吧", "明天下午三点开会", "你觉得呢"])
def test_anything_else_is_neither(text: str) -> None:
    assert answers(waiting(), Clause(text, WHERE)) is None


def test_only_an_order_the_rules_are_sure_of_is_offered() -> None:
    assert acceptable(" 「明天八点提醒我复查」 ", WHERE, lambda *_: True) == "明天八点提醒我复查"
    assert acceptable("明天八点提醒我复查", WHERE, lambda *_: False) is None
    assert acceptable("长" * 300, WHERE, lambda *_: True) is None


def test_an_offer_in_words_holds_or_is_not_said() -> None:
    reply = "辛苦啦。要我帮你明天八点提醒你复查吗？"
    assert in_words(reply, WHERE, lambda *_: True) == (reply, "明天八点提醒我复查")
    assert in_words(reply, WHERE, lambda *_: False) == ("辛苦啦。", None)
    assert in_words("要我说实话吗？当然。", WHERE, lambda *_: False) == ("要我说实话吗？当然。", None)


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ('{"should_reply": true, "reply_strategy": "问好", "reply": "早"}', "早"),
        ('好的：\n```json\n{"reply": "早", "reply_strategy": "问好"}\n```', "早"),
    ],
)
def test_a_reply_brings_its_judgement(said: str, reply: str) -> None:
    found, text = judged(said)
    assert found is not None
    assert (found.reply_strategy, text) == ("问好", reply)


@pytest.mark.parametrize("said", ["早", '{"reply": 3}', "{", '{"a": 1}', "[1]"])
def test_plain_words_are_the_reply(said: str) -> None:
    assert judged(said) == (None, said)
