"""A program: a front desk in whose groups everybody talks. Prints its own memory as one JSON object.

Arguments: groups, messages in each, LEDGER_SIZE.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from .chatter import LINES
from .office import Office, load_plugin

HALF_AN_HOUR = 1_900.0


class _Nowhere:
    """A database that takes everything and has nothing."""

    def __init__(self) -> None:
        self.ledger = self.settings = self.claims = self.decisions = self

    def append(self, message: Any) -> None:
        """Forget it."""

    async def load(self, conversation: Any, limit: int | None = None) -> Any:
        """Nothing is known from before, but that the bot does not join in: that costs time, not memory."""
        from nonebot_plugin_mishu.storage.records import ConversationSettings

        return ConversationSettings(features={"复读": False}) if limit is None else []

    def on_recovered(self, listener: Any) -> None:
        """It never fails."""

    async def prune(self, now: float, days: int) -> int:
        """There is nothing to prune."""
        return 0

    async def close(self) -> None:
        """There is nothing to close."""


class _Idle:
    """A secretary whom nobody calls."""

    async def work(self, seat: Any, turn: Any, token: Any) -> None:
        """Nothing."""


async def main(groups: int, messages: int, size: int) -> None:
    """Say it all, then a fifth more, then let time pass."""
    load_plugin()
    words = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="mishu-bench-") as home:
        office = Office(
            home,
            lambda desk: cast("Any", _Idle()),
            cast("Any", _Nowhere()),
            frontdesk={"ledger_size": size},
        )
        async with office:
            seen = {"started": memory()}

            async def talk(number: int) -> None:
                for _ in range(number):
                    for group in range(groups):
                        office.say(group, words.randrange(60), words.choice(LINES) + str(words.random())[2:8])
                    await asyncio.sleep(0)

            await talk(messages)
            seen["full"] = memory()
            seen["kept"] = sum(len(room.ledger) for room in office.desk.rooms)
            await talk(messages // 5)
            seen["more"] = memory()
            office.offset = HALF_AN_HOUR
            await office.desk.prune()
            seen["rooms"] = len(office.desk.rooms)
            seen["idle"] = memory()
    sys.stdout.write(json.dumps(seen) + "\n")


def memory() -> float:
    """Resident MiB, once what is free is given back."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:4])))
