"""Chat stays out of the console: at INFO and above NoneBot would write every message of every group there.

An event whose `get_log_string` raises `NoLogException` is handled without being logged, which is also
cheaper than building a line that nobody reads. At DEBUG everything is logged as NoneBot does.

The same events are read without pydantic's help where they look as they should: the adapter has it build a
validator for every segment of every message anew, which costs more than everything else in reading one.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Literal, cast

from nonebot.adapters.onebot.v11 import (
    Adapter,
    GroupMessageEvent,
    Message,
    MessageSegment,
    PrivateMessageEvent,
)
from nonebot.exception import NoLogException
from nonebot.log import logger
from pydantic import model_validator


def _parse_segments(parts: list[Any]) -> Message | None:
    """A message of these segments, with data of its own; None where one does not look like a segment."""
    message = Message()
    for part in parts:
        if not isinstance(part, dict):
            return None
        found = cast("dict[str, Any]", part)
        kind, data = found.get("type"), found.get("data")
        if not isinstance(kind, str) or not isinstance(data, dict):
            return None
        message.append(MessageSegment(kind, dict(cast("dict[str, Any]", data))))
    return message


_LEFT_OUT = {"font": 0, "raw_message": ""}
"""Fields some platforms leave out of a message and nobody here reads; without them no message model takes it,
and what none takes is logged as it came."""


def _filled(values: dict[str, Any], sub_type: str) -> dict[str, Any]:
    """An event with `message` and `original_message`, which the adapter changes apart from each other.

    As the adapter's own models fill it, where a segment is unusual or the message is one string.
    """
    values = {**_LEFT_OUT, "sub_type": sub_type, **values}
    parts = values.get("message")
    message, original = (
        (_parse_segments(parts), _parse_segments(parts)) if isinstance(parts, list) else (None, None)
    )
    if message is None or original is None:
        return {**values, "original_message": deepcopy(parts)} if "message" in values else values
    return {**values, "message": message, "original_message": original}


class QuietGroupMessageEvent(GroupMessageEvent):
    """A group message that is not logged."""

    message_type: Literal["group"]

    @model_validator(mode="before")
    @classmethod
    def check_message(cls, values: dict[str, Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Take the place of the adapter's, see `_filled`."""
        return _filled(values, "normal")

    def get_log_string(self) -> str:
        """Raise `NoLogException`."""
        raise NoLogException("chat is not logged")


class QuietPrivateMessageEvent(PrivateMessageEvent):
    """A private message that is not logged."""

    message_type: Literal["private"]

    @model_validator(mode="before")
    @classmethod
    def check_message(cls, values: dict[str, Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Take the place of the adapter's, see `_filled`."""
        return _filled(values, "friend")

    def get_log_string(self) -> str:
        """Raise `NoLogException`."""
        raise NoLogException("chat is not logged")


def keep_chat_out_of_the_log(level: str | int) -> None:
    """Hide messages from the log unless the level asks for details. Called before the bot runs."""
    number = level if isinstance(level, int) else logger.level(level).no
    if number > logger.level("DEBUG").no:
        Adapter.add_custom_model(QuietGroupMessageEvent, QuietPrivateMessageEvent)
