"""Chat that official bots of QQ hear stays out of the console, as `quiet` keeps OneBot's out of it."""

from __future__ import annotations

from typing import Any

from nonebot.exception import NoLogException
from nonebot.log import logger


def keep_chat_out_of_the_log(level: str | int) -> None:
    """Hide messages and pressed buttons from the log unless the level asks for details. The adapter is
    registered by now."""
    number = level if isinstance(level, int) else logger.level(level).no
    if number <= logger.level("DEBUG").no:
        return
    from nonebot.adapters.qq.event import (
        EVENT_CLASSES,
        C2CMessageCreateEvent,
        GroupAtMessageCreateEvent,
        GroupMessageCreateEvent,
        InteractionCreateEvent,
    )

    def unlogged(self: object) -> str:
        raise NoLogException("chat is not logged")

    for told in (
        C2CMessageCreateEvent,
        GroupMessageCreateEvent,
        GroupAtMessageCreateEvent,
        InteractionCreateEvent,
    ):
        quiet: Any = type(
            f"Quiet{told.__name__}", (told,), {"get_log_string": unlogged, "__module__": __name__}
        )
        EVENT_CLASSES[told.__type__.value] = quiet
