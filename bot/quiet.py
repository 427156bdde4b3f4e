"""Chat stays out of the console: at INFO and above NoneBot would write every message of every group there.

An event whose `get_log_string` raises `NoLogException` is handled without being logged, which is also
cheaper than building a line that nobody reads. At DEBUG everything is logged as NoneBot does.
"""

from __future__ import annotations

from typing import Literal

from nonebot.adapters.onebot.v11 import Adapter, GroupMessageEvent, PrivateMessageEvent
from nonebot.exception import NoLogException
from nonebot.log import logger


class QuietGroupMessageEvent(GroupMessageEvent):
    """A group message that is not logged."""

    message_type: Literal["group"]

    def get_log_string(self) -> str:
        """Raise `NoLogException`."""
        raise NoLogException("chat is not logged")


class QuietPrivateMessageEvent(PrivateMessageEvent):
    """A private message that is not logged."""

    message_type: Literal["private"]

    def get_log_string(self) -> str:
        """Raise `NoLogException`."""
        raise NoLogException("chat is not logged")


def keep_chat_out_of_the_log(level: str | int) -> None:
    """Hide messages from the log unless the level asks for details. Called before the bot runs."""
    number = level if isinstance(level, int) else logger.level(level).no
    if number > logger.level("DEBUG").no:
        Adapter.add_custom_model(QuietGroupMessageEvent, QuietPrivateMessageEvent)
