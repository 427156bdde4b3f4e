"""A program: NoneBot with OneBot v11 and one silent `on_message`, everything else as NoneBot comes.

It answers the sentinel alone, so that a load can see that what came before it was handled.
"""

from __future__ import annotations

from typing import Any

import nonebot
from nonebot import on_message
from nonebot.adapters.onebot.v11 import Adapter, Bot, GroupMessageEvent, MessageSegment

from .chatter import SENTINEL


def main() -> None:
    """Run until stopped."""
    nonebot.init()
    nonebot.get_driver().register_adapter(Adapter)
    app: Any = nonebot.get_app()

    @app.get("/ready")
    async def _ready() -> dict[str, bool]:
        return {"ok": True}

    silent = on_message(priority=98, block=False)

    @silent.handle()
    async def _listen(bot: Bot, event: GroupMessageEvent) -> None:
        if event.raw_message == SENTINEL:
            await bot.send(event, MessageSegment.reply(event.message_id) + "在")

    nonebot.run()


if __name__ == "__main__":
    main()
