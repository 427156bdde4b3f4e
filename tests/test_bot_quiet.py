"""The standalone bot's own reading of messages gives what the adapter's gives."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from nonebot.adapters.onebot.v11 import GroupMessageEvent, Message
from nonebot.exception import NoLogException
from pydantic import ValidationError

from bot.quiet import QuietGroupMessageEvent, QuietPrivateMessageEvent

EVENT: dict[str, Any] = {
    "time": 1_800_000_000,
    "self_id": 10001,
    "post_type": "message",
    "message_type": "group",
    "sub_type": "normal",
    "message_id": 7,
    "group_id": 20001,
    "user_id": 30001,
    "raw_message": "…",
    "font": 14,
    "sender": {"user_id": 30001, "nickname": "甲"},
}
TEXT = {"type": "text", "data": {"text": "你好"}}


@pytest.mark.parametrize(
    "message",
    [
        [TEXT],
        [{"type": "at", "data": {"qq": "10001"}}, TEXT],
        [TEXT, {"type": "shake"}],
        [{"type": "node", "data": {"content": [TEXT]}}],
        [],
        "[CQ:at,qq=10001] 你好",
        [TEXT, {"type": "text", "data": {"text": "&#91;"}}],
        TEXT,
    ],
    ids=str,
)
def test_messages_are_read_as_the_adapter_reads_them(message: Any) -> None:
    theirs = GroupMessageEvent.model_validate(deepcopy({**EVENT, "message": message}))
    ours = QuietGroupMessageEvent.model_validate(deepcopy({**EVENT, "message": message}))
    assert ours.message == theirs.message
    assert ours.original_message == theirs.original_message
    assert isinstance(ours.original_message, Message)


@pytest.mark.parametrize("message", [[1], [None], [{"data": {}}], 7, None], ids=str)
def test_what_the_adapter_refuses_is_refused(message: Any) -> None:
    for model in (GroupMessageEvent, QuietGroupMessageEvent):
        with pytest.raises(ValidationError):
            model.model_validate({**EVENT, "message": message})


def test_what_the_adapter_cuts_out_of_the_message_stays_in_the_original() -> None:
    """Pitfall 26: it edits the segments of `message` in place."""
    event = QuietGroupMessageEvent.model_validate({**EVENT, "message": [deepcopy(TEXT)]})
    event.message[0].data["text"] = ""
    assert event.original_message[0].data["text"] == "你好"


def test_nothing_is_logged() -> None:
    event = QuietGroupMessageEvent.model_validate({**EVENT, "message": [TEXT]})
    with pytest.raises(NoLogException):
        event.get_log_string()


@pytest.mark.parametrize("left_out", ["font", "raw_message", "sub_type"])
def test_what_a_platform_leaves_out_brings_no_message_into_the_log(left_out: str) -> None:
    """An event that fits no message model would be logged whole."""
    event = {name: value for name, value in EVENT.items() if name != left_out}
    read = QuietGroupMessageEvent.model_validate({**event, "message": [TEXT]})
    with pytest.raises(NoLogException):
        read.get_log_string()
    private = {name: value for name, value in event.items() if name != "group_id"} | {
        "message_type": "private"
    }
    assert str(QuietPrivateMessageEvent.model_validate({**private, "message": [TEXT]}).message) == "你好"
