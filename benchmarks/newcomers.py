"""The first line of each of 5,000 groups at once: how long until all are on disk, and what they cost."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .instances import QUIET, Account, Chatter, Instance, machine
from .measurement import Measurement

GROUPS: Final = 5_000
LONGEST: Final = 120.0


def run() -> Iterator[Measurement]:
    """Seconds until the ledger has them, and until every group is in memory; CPU of a group."""
    written, settled, cpu = asyncio.run(_measure())
    yield Measurement(f"newcomers: {GROUPS} groups, all on disk", written, "s", against=machine())
    yield Measurement("newcomers: the same, all heard", settled, "s")
    yield Measurement("newcomers: CPU of a group", cpu / GROUPS * 1000, "ms")


async def _measure() -> tuple[float, float, float]:
    started = Instance("bot", {"MISHU__QQ__SEND_GAP": 0}, ready="/api/health")
    async with started as bot, Account(bot.onebot_url) as account:
        await account.ask(19_999, 1, "预热")
        frames = list(Chatter(QUIET, GROUPS, first_group=40_000).frames(GROUPS))
        file = next(bot.home.rglob("*.db"))
        before, used, began = await asyncio.to_thread(_rows, file), bot.cpu(), time.monotonic()
        sending = asyncio.create_task(account.send_all(frames, GROUPS))
        while await asyncio.to_thread(_rows, file) < before + GROUPS:
            if time.monotonic() - began > LONGEST:
                raise TimeoutError(bot.log()[-2000:])
            await asyncio.sleep(0.05)
        written = time.monotonic() - began
        await sending
        return written, time.monotonic() - began, bot.cpu() - used


def _rows(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM mishu_ledger").fetchone()[0])
