"""Another plugin of the instance: it answers, takes messages for itself, and gets in the way."""

import sys
from typing import Any

import nonebot.message
from loguru import logger
from nonebot import on_message
from nonebot.adapters.onebot.v11 import GroupMessageEvent, MessageEvent
from nonebot.exception import IgnoredException
from nonebot.matcher import matchers
from nonebot.message import event_preprocessor

OURS = "nonebot_plugin_mishu"

early = on_message(priority=1, block=False)
taker = on_message(lambda event: event.get_plaintext().strip().startswith("归我"), priority=2, block=True)
late = on_message(priority=2_000_000, block=False)


@event_preprocessor
async def _(event: MessageEvent) -> None:
    if "不许处理" in event.get_plaintext():
        raise IgnoredException("a neighbour objects")


@early.handle()
async def _(event: GroupMessageEvent) -> None:
    if event.get_plaintext().strip() == "ping":
        await early.send("pong")


@taker.handle()
async def _() -> None:
    await taker.send("已归我")


@late.handle()
async def _(event: GroupMessageEvent) -> None:
    words = event.get_plaintext().strip()
    if "最后的邻居" in words:
        await late.send("最后的邻居听到了")
    elif words == "点名":
        await late.send(_roll())


def _roll() -> str:
    """How much of every message our plugin takes part in, and what its log costs."""
    ours = [
        matcher
        for group in matchers.values()
        for matcher in group
        if (matcher.module_name or "").startswith(OURS)
    ]
    kinds = sorted(matcher.type or "any" for matcher in ours)
    preprocessors: Any = nonebot.message._event_preprocessors
    hooks = [hook for hook in preprocessors if str(hook.call.__module__).startswith(OURS)]
    core: Any = logger._core  # type: ignore[attr-defined]
    heavy = sorted({"jieba", "matplotlib", "jionlp"} & set(sys.modules))
    return f"matchers={','.join(kinds)} hooks={len(hooks)} level={core.min_level} heavy={heavy}"
