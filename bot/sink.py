"""Log sink: one sink with the real level, without what must not stand in a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import nonebot
from nonebot.log import default_filter, default_format

if TYPE_CHECKING:
    from loguru import Record


class Refusal:
    """Filter that takes the plugin's refusal of its configuration out of the log, where it has a trace.

    `lines` is what the plugin said, one line for each wrong key, empty where it took everything: whoever
    loads the plugin prints them.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, record: Record) -> bool:
        error = record["exception"].value if record["exception"] is not None else None
        lines = getattr(error, "lines", None)
        if lines is not None:
            self.lines = lines
            return False
        if record["name"] == "nonebot" and record["module"] == "config":
            return False  # at TRACE it tells the values of `.env`, keys included
        return not record["message"].startswith("配置错误：") and default_filter(record)


def log_to(stream: TextIO, level: str | int, refusal: Refusal) -> None:
    """Make this the only sink. NoneBot's own takes every record and filters later (pitfall 66)."""
    nonebot.logger.remove()
    nonebot.logger.add(
        stream, level=level, filter=refusal, format=default_format, backtrace=False, diagnose=False
    )
