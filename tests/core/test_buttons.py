"""Which buttons stand beside a question."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents.api.dispatch import Ask
from nonebot_plugin_mishu.core.buttons import answers_to
from nonebot_plugin_mishu.storage.records import ASK, Conversation, FrameRecord

YES_OR_NO = ("确认", "不用")


def task(**slots: Any) -> FrameRecord:
    return FrameRecord(
        "t", Conversation("1", "group", "2"), "3", "tasks", "delete_task", "删掉", "awaiting_user", 0, True,
        "o", "m", 0, slots=slots,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("slots", "buttons"),
    [
        ({"_batch": {"items": []}}, YES_OR_NO),
        ({"_batch": None}, ()),
        ({"_ask": "delete"}, YES_OR_NO),
        ({"_ask": "choose", "_ids": [4, 5, 6]}, ("1", "2", "3")),
        ({"_ask": "title"}, ()),
        ({ASK: Ask("do").kept()}, YES_OR_NO),
        ({ASK: Ask("approve").kept()}, ("同意", "驳回")),
        ({ASK: Ask(options=("红", "蓝")).kept()}, ("1", "2")),
        ({ASK: Ask().kept()}, ()),
        ({}, ()),
    ],
)
def test_one_question(slots: dict[str, Any], buttons: tuple[str, ...]) -> None:
    assert answers_to([task(**slots)]) == buttons


def test_two_questions_have_none_and_a_long_list_has_ten() -> None:
    assert answers_to([task(_ask="delete"), task(_ask="delete")]) == ()
    assert answers_to([]) == ()
    assert len(answers_to([task(_ask="choose", _ids=list(range(30)))])) == 10
