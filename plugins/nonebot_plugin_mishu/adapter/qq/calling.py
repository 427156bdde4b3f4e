"""Calls of QQ's HTTP API for official bots."""

from __future__ import annotations

import asyncio
from typing import Any, Final

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


async def token_trouble(bot: Bot, within: float) -> str | None:
    """Why QQ gave the bot no token, for people; None where it did, now or before.

    Of an answer nothing is told but its status: the adapter's own words hold all of it where it could not
    read it, tokens too."""
    try:
        with speaking():
            async with asyncio.timeout(within):
                await bot.get_access_token()
    except TimeoutError:
        return f"QQ 在 {within:g} 秒内没有答复"
    except NetworkError as error:
        return _refusal(error)
    except Exception as error:  # noqa: BLE001 - whatever it was, nothing was sent
        return f"连不上 QQ（{type(error).__name__}）"
    return None


_STATUS: Final = "Get authorization failed with status code "


def _refusal(error: NetworkError) -> str:
    if error.__cause__ is not None:
        return f"连不上 QQ（{type(error.__cause__).__name__}）"
    told = error.msg or ""
    if told.startswith(_STATUS) and (status := told[len(_STATUS) :].partition(".")[0]).isdecimal():
        return f"QQ 答了 HTTP {status}"
    return "QQ 没有认这个机器人，请检查 QQ_BOTS 里的 AppID 和 AppSecret"
