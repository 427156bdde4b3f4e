"""Holding: from the moment the secretary is done with one message to the start of the one that waits.

In process: front desk, holds, locks and database are the real ones; the secretary is one that works for a
moment. Many conversations are busy at once, as on a bad evening.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from typing import Any, cast

from .instances.office import Office, freeze_garbage, load_plugin
from .measurement import Measurement

GROUPS = 50
EACH = 20
WORK = 0.01
GOAL = 5.0


class _Worker:
    """A secretary that is busy for a moment with every turn, and notes when."""

    def __init__(self) -> None:
        self.ended: dict[str, float] = {}
        self.waited: defaultdict[str, list[float]] = defaultdict(list)
        self.turns = 0
        self.begin = asyncio.Event()

    async def run_turn(self, seat: Any, turn: Any, token: Any) -> None:
        now = time.perf_counter()
        peer = turn.conversation.peer
        if peer in self.ended:
            self.waited[peer].append((now - self.ended[peer]) * 1000)
        await self.begin.wait()
        await asyncio.sleep(WORK)
        self.turns += 1
        self.ended[peer] = time.perf_counter()


async def _measure() -> list[float]:
    worker = _Worker()
    with tempfile.TemporaryDirectory(prefix="mishu-bench-") as home:
        async with Office(home, lambda desk: cast("Any", worker)) as office:
            for number in range(EACH):
                for group in range(GROUPS):
                    office.say(group, number, "在吗", at_bot=True)
            async with asyncio.timeout(60):
                # Polled: nothing tells when everybody is held.
                while sum(len(room.hold) for room in office.desk.rooms) < GROUPS * (EACH - 1):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                await asyncio.sleep(1)  # everybody is held, and noted on disk as such
                freeze_garbage()
                worker.begin.set()
                while worker.turns < GROUPS * EACH:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
    return sorted(wait for waits in worker.waited.values() for wait in waits)


def run() -> Iterator[Measurement]:
    """p99 and median over all hand-overs, in ms."""
    load_plugin()
    waits = asyncio.run(_measure())
    p99 = waits[int(len(waits) * 0.99)]
    yield Measurement(
        f"holding: release to start, p99 of {len(waits)} hand-overs in {GROUPS} groups at once",
        p99,
        "ms",
        against=f"median {median(waits):.3f}, most {waits[-1]:.2f}",
        goal=f"<= {GOAL} ms",
        met=p99 <= GOAL,
    )
