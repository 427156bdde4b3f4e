"""Groups and members as Milky tells them: the calls and the fields have OneBot's names."""

from __future__ import annotations

from typing import Any, cast

import nonebot
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.milky import Bot
from pydantic import BaseModel

from ..onebot_v11.rosters import OneBotRosters


def connected_bot(account: str) -> Bot | None:
    """The account's connection by Milky."""
    bot = nonebot.get_bots().get(account)
    return bot if isinstance(bot, Bot) else None


class MilkyRosters(OneBotRosters):
    """Implements `frontdesk.rooms.rosters.Rosters`."""

    def _connection(self, account: str) -> BaseBot | None:
        return connected_bot(account)

    async def _call(self, bot: BaseBot, action: str, **data: Any) -> object:
        answer: Any = await bot.call_api(action, **data)
        if isinstance(answer, list):
            return [_row(each) for each in cast("list[object]", answer)]
        return _row(answer)


def _row(value: object) -> object:
    return value.model_dump() if isinstance(value, BaseModel) else value
