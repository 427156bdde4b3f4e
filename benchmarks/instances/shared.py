"""A program: somebody's instance with many foreign matchers, with the plugin or without it.

`BENCH_MATCHERS` says how many, `BENCH_WITH_US` whether the plugin is loaded. The matchers are such as
plugins have: each with a rule of its own that refuses the message. One of them answers the sentinel. Beside
them `BENCH_LISTENERS` run for every message and say nothing, as those do that write down all talk. Where
the plugin is loaded, `/seen` tells when the ledger had which message (monotonic seconds of the machine).
"""

from __future__ import annotations

import time
from typing import Any

import nonebot
from nonebot import get_driver, on_message
from nonebot.adapters.onebot.v11 import Adapter, Bot, GroupMessageEvent, MessageSegment

from .chatter import SENTINEL

KEPT = 5_000


def main() -> None:
    """Run until stopped."""
    nonebot.init()
    driver = get_driver()
    driver.register_adapter(Adapter)
    app: Any = nonebot.get_app()
    seen: dict[str, float] = {}

    @app.get("/ready")
    async def _ready() -> dict[str, bool]:
        return {"ok": True}

    @app.get("/seen")
    async def _seen() -> dict[str, float]:
        return seen

    for number in range(int(getattr(driver.config, "bench_matchers", 60))):
        _foreign(number)
    for _ in range(int(getattr(driver.config, "bench_listeners", 0))):
        _listener()
    if getattr(driver.config, "bench_with_us", False):
        _load_us(seen)
    nonebot.run()


def _foreign(number: int) -> None:
    """One plugin's matcher. The last also answers the sentinel."""

    async def about_me(event: GroupMessageEvent) -> bool:
        return event.raw_message.startswith(f"/foreign{number} ")

    async def is_sentinel(event: GroupMessageEvent) -> bool:
        return event.raw_message == SENTINEL

    matcher = on_message(about_me if number else is_sentinel, priority=1 + number % 20, block=False)

    @matcher.handle()
    async def _(bot: Bot, event: GroupMessageEvent) -> None:
        await bot.send(event, MessageSegment.reply(event.message_id) + "在")


def _listener() -> None:
    """A matcher that runs for every message."""
    matcher = on_message(priority=1, block=False)

    @matcher.handle()
    async def _(event: GroupMessageEvent) -> None:
        """Write it down, in another plugin."""


def _load_us(seen: dict[str, float]) -> None:
    assert nonebot.load_plugin("nonebot_plugin_mishu") is not None
    from nonebot_plugin_mishu.frontdesk import FrontDesk, IncomingMessage, Interest

    hear = FrontDesk.hear

    def noted(self: FrontDesk, heard: IncomingMessage) -> Interest:
        interest = hear(self, heard)
        if len(seen) < KEPT:
            seen[heard.message_id] = time.monotonic()
        return interest

    FrontDesk.hear = noted


if __name__ == "__main__":
    main()
