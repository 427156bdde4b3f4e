"""Another plugin of the instance that blocks the whole loop: one that was written without async in mind."""

import time

from nonebot import on_message
from nonebot.adapters.onebot.v11 import MessageEvent

blocking = on_message(lambda event: event.get_plaintext().strip() == "卡住五秒", priority=1, block=False)


@blocking.handle()
async def _(event: MessageEvent) -> None:
    time.sleep(5)  # noqa: ASYNC251 - what this plugin is for
    await blocking.send("不卡了")
