"""Error reports: one log line with kind and place, never a stack trace, a key or others' words."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nonebot import get_driver, logger

from .storage import StorageError

if TYPE_CHECKING:
    from loguru import Message


def log_error(what: str, error: BaseException) -> None:
    """Log trouble. Storage errors bring a sentence of their own; of others only kind and place are told."""
    if isinstance(error, StorageError):
        logger.warning(f"{what}：{error}")
        return
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    logger.error(f"{what}：{type(error).__name__}（{place}）")


def inform(text: str) -> None:
    """Log that something was done; fit to be shown."""
    logger.info(text)


def warn(text: str) -> None:
    """Log a line that is fit to be shown."""
    logger.warning(text)


def listen(hear: Callable[[Message], None]) -> None:
    """Let somebody hear those of our own lines that the log takes, from INFO on, until the process ends.

    Not below the log's own level: a record is built as soon as one sink wants it (pitfall 66).
    """
    wanted = get_driver().config.log_level
    number = wanted if isinstance(wanted, int) else logger.level(wanted).no
    level = max(number, logger.level("INFO").no)
    logger.add(hear, level=level, filter="nonebot_plugin_mishu", format="{message}")
