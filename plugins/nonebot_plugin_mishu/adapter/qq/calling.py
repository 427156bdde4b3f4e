"""Calls of QQ's HTTP API for official bots."""

from __future__ import annotations

import asyncio
from typing import Any

from nonebot.adapters.qq import Bot
from nonebot.adapters.qq.exception import NetworkError, QQAdapterException

from ..own_calls import speaking


async def call(bot: Bot, action: str, within: float, **data: Any) -> Any:
    """QQ's answer within so many seconds. Raises `QQAdapterException` or `TimeoutError` and nothing else: the
    adapter lets errors of the driver, and answers that it cannot read, through as they are."""
    try:
        with speaking():
            async with asyncio.timeout(within):
                return await bot.call_api(action, **data)
    except (QQAdapterException, TimeoutError):
        raise
    except Exception as error:
        raise NetworkError(type(error).__name__) from error


async def has_token(bot: Bot, within: float) -> bool:
    """True if QQ gave the bot its token, now or before: without one nothing is sent."""
    try:
        with speaking():
            async with asyncio.timeout(within):
                await bot.get_access_token()
    except Exception:  # noqa: BLE001 - whatever it was, nothing was sent
        return False
    return True
