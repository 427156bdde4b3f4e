"""Somebody's own NoneBot with many published plugins, ours beside them or not.

`PUBLISHED` names the plugins, `BESIDE` says whether ours is loaded. Every message that goes out carries the
plugin that sent it (`by`), which no implementation of OneBot minds; every matcher rolls its dice anew from
the line it runs for, so that what is left to chance is the same with us and without us.
"""

import random
from contextlib import suppress
from typing import Any

import nonebot
from nonebot import get_driver
from nonebot.adapters.onebot.v11 import Adapter, Bot, Event
from nonebot.adapters.onebot.v11.exception import ActionFailed
from nonebot.matcher import Matcher, current_matcher
from nonebot.message import event_postprocessor, run_preprocessor

nonebot.init()
get_driver().register_adapter(Adapter)
WITH_US = bool(get_driver().config.beside)


@run_preprocessor
async def _(matcher: Matcher, event: Event) -> None:
    random.seed(f"{matcher.plugin_name} {event.get_event_name()} {event.model_dump().get('raw_message')}")


@event_postprocessor
async def _(bot: Bot, event: Event) -> None:
    if event.get_type() in ("message", "notice"):
        with suppress(ActionFailed):  # no implementation knows it; the account notes that it was asked
            await bot.call_api("handled", what=event.model_dump().get("message_id"))


def _ours() -> bool:
    if not WITH_US:
        return False
    from nonebot_plugin_mishu.adapter.own_calls import speaks

    return speaks()


@Bot.on_calling_api
async def _(_: Any, api: str, data: dict[str, Any]) -> None:
    matcher = current_matcher.get(None)
    if "send" in api or "poke" in api:
        data["by"] = "mishu" if _ours() else matcher.plugin_name if matcher is not None else "?"


for _name in get_driver().config.published:
    assert nonebot.load_plugin(_name) is not None, _name
if WITH_US:
    assert nonebot.load_plugin("nonebot_plugin_mishu") is not None

if __name__ == "__main__":
    nonebot.run()
