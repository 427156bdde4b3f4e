"""How trouble is reported: one log line with what and where, never a stack trace, a key or others' words."""

from __future__ import annotations

import traceback
from pathlib import Path

from nonebot import logger

from .storage import StorageError


def report(what: str, error: BaseException) -> None:
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
