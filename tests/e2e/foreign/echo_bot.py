"""A bot with NoneBot and nothing of ours: what the harness itself is tested against."""

import asyncio
from typing import Any

import nonebot
from nonebot import on_message
from nonebot.adapters.onebot.v11 import Adapter, Bot, GroupMessageEvent, Message, MessageEvent, MessageSegment
from nonebot.exception import ActionFailed, NetworkError

nonebot.init(api_timeout=0.5)
nonebot.get_driver().register_adapter(Adapter)
app: Any = nonebot.get_app()


@app.get("/ready")
async def ready() -> dict[str, bool]:
    """Say that the bot is up."""
    return {"ok": True}


echo = on_message(priority=1, block=False)


@echo.handle()
async def _(bot: Bot, event: MessageEvent) -> None:
    text = event.get_plaintext()
    try:
        if text.startswith("quote"):
            await bot.send(event, MessageSegment.reply(event.message_id) + "echo:" + text)
        elif text.startswith("fold") and isinstance(event, GroupMessageEvent):
            node = {"type": "node", "data": {"name": "x", "uin": "1", "content": Message("folded")}}
            await bot.call_api("send_group_forward_msg", group_id=event.group_id, messages=[node])
        elif text.startswith("late"):
            await asyncio.sleep(0.05)
            await bot.send(event, "echo:late")
        elif text.startswith("who") and isinstance(event, GroupMessageEvent):
            found = await bot.get_group_member_info(group_id=event.group_id, user_id=event.user_id)
            await bot.send(event, "who:" + found["nickname"])
        elif text != "quiet":
            await bot.send(event, "echo:" + text)
    except (ActionFailed, NetworkError) as error:
        await bot.send(event, type(error).__name__)


if __name__ == "__main__":
    nonebot.run()
