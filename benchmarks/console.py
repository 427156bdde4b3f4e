"""The console over a full database: each page in a real Chromium until it is drawn; a hundred open pages.

A bot as its owner starts it, on SQLite with 10,000 schedules and 100,000 records and messages
(`instances/full.py`); Chromium runs on the same machine, so its work is in the seconds. Needs Chromium,
chromedriver and selenium.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from .instances import Instance, machine
from .instances.full import BUSY, ZONE, filled
from .instances.page import OpenPage
from .measurement import Measurement

WIDTH, HEIGHT = 1440, 900
ROUNDS = 5
GOAL_SECONDS = 1.0
OPEN = 100
SETTLING, MEASURED = 5.0, 30.0
GOAL_PERCENT = 10.0
DRAWN = """return window.did_handshake === true && !!document.querySelector('.mi-main')
    && !document.querySelector('.q-ajax-bar')
    && [...document.querySelectorAll('.mi-chart')].every(e => e.querySelector('canvas, svg'))"""
COOKIES = {"mishu_as": "7", "mishu_group": BUSY}


def run() -> Iterator[Measurement]:
    """Seconds of each page, median and worst; CPU of the bot with a hundred pages open."""
    return iter(asyncio.run(_measured()))


async def _measured() -> list[Measurement]:
    from bot.pictures.browser import opened, sized

    instance = Instance("bot", {"NICKNAME": ["秘书"], "MISHU__TIMEZONE": ZONE.key}, ready="/api/health")
    await _fill(instance.home)
    from nonebot_plugin_mishu.web.console.shell.site import PAGES

    found: list[Measurement] = []
    async with instance:
        alone = await _percent(instance)
        with tempfile.TemporaryDirectory() as profile:
            driver = await asyncio.to_thread(opened, Path(profile))
            try:
                sized(driver, WIDTH, HEIGHT)
                driver.get(f"{instance.url}/console/nothing")
                for name, value in COOKIES.items():
                    driver.add_cookie({"name": name, "value": value, "path": "/"})
                took = await asyncio.to_thread(_drawn, driver, instance.url, "")
                found.append(Measurement("console, the first page of all", took, "s", against=machine()))
                for page in PAGES:
                    times = [
                        await asyncio.to_thread(_drawn, driver, instance.url, page) for _ in range(ROUNDS)
                    ]
                    took = statistics.median(times)
                    found.append(
                        Measurement(
                            f"console, /{page} ({min(times):.2f}-{max(times):.2f})",
                            took,
                            "s",
                            goal=f"≤ {GOAL_SECONDS:g} s",
                            met=took <= GOAL_SECONDS,
                        )
                    )
            finally:
                driver.quit()
        async with AsyncExitStack() as stack:
            for number in range(OPEN):
                await stack.enter_async_context(OpenPage(instance.url, PAGES[number % len(PAGES)], COOKIES))
            percent = await _percent(instance)
            resident = instance.memory()
    found.append(
        Measurement(
            f"console, CPU at rest with {OPEN} pages open",
            percent,
            "% of a core",
            against=f"none open ({alone:.2f} %); {machine()}",
            goal=f"below {GOAL_PERCENT:g} %",
            met=percent < GOAL_PERCENT,
        )
    )
    found.append(Measurement("console, memory with them", resident, "MiB"))
    return found


async def _fill(home: Path) -> None:
    import nonebot

    nonebot.init(driver="~none", _env_file=None, log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.storage import Storage

    storage = await Storage.open(f"sqlite+aiosqlite:///{home / 'mishu.db'}", on_trouble=print)
    await filled(storage, datetime.now(ZONE))
    await storage.close()


def _drawn(driver: Any, url: str, page: str) -> float:
    """Seconds from asking for the page until everything of it is there."""
    began = time.monotonic()
    driver.get(f"{url}/console{f'/{page}' if page else ''}")
    while not driver.execute_script(DRAWN):
        if time.monotonic() > began + 30:
            raise TimeoutError(f"/{page} is not drawn")
        time.sleep(0.01)
    return time.monotonic() - began


async def _percent(instance: Instance) -> float:
    await asyncio.sleep(SETTLING)
    began, used = time.monotonic(), instance.cpu()
    await asyncio.sleep(MEASURED)
    return 100 * (instance.cpu() - used) / (time.monotonic() - began)
