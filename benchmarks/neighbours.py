"""Beside others: an instance with sixty foreign matchers, with the plugin and without it.

What everybody's messages cost more because of us, in CPU of the process, and how long after its arrival the
ledger has a message. Arrival is the moment the account hands the frame to its socket, so the time includes
the way over the WebSocket and the reading of the event by the adapter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median, quantiles

from .instances import QUIET, Account, Chatter, Instance, machine
from .instances.chatter import identified
from .measurement import Measurement

MATCHERS = 60
GROUPS = 20
"""Few enough that each was loaded from the database before the measurement begins."""
ROUNDS = 5
WARM_UP = 100
BACKLOGS = {500: 600, 20: 200}
"""How many messages wait for their turn at most, and how many are sent. With few waiting, the event loop asks
the operating system between any two steps, which costs more than the steps do."""
SEEN = 100
GAP = 0.25
"""Seconds between two messages whose way into the ledger is timed: each has the instance for itself."""
GOAL_CPU = 1.05
GOAL_SEEN = 3.0


async def _cpu(with_us: bool, backlog: int, number: int) -> float:
    """Milliseconds of CPU a message."""
    chatter = Chatter(QUIET, GROUPS)
    warm, frames = list(chatter.frames(WARM_UP)), list(chatter.frames(number))
    started = _instance(with_us)
    async with started as instance, Account(instance.onebot_url) as account:
        await account.send_all(warm)
        cpu = instance.cpu()
        await account.send_all(frames, window=backlog // 2)
        await asyncio.sleep(0.5)  # what is queued to be written belongs to the messages
        return (instance.cpu() - cpu) / number * 1000


async def _seen(together: int) -> list[float]:
    """Milliseconds from the socket to the ledger, `together` messages at a time; sorted."""
    chatter = Chatter(QUIET, GROUPS)
    started = _instance(True)
    async with started as instance, Account(instance.onebot_url) as account:
        await account.send_all(chatter.frames(WARM_UP))
        sent: dict[str, float] = {}
        for frame in chatter.frames(SEEN):
            for _ in range(together - 1):
                await account.send(chatter.frame(chatter.groups[0]))
            sent[identified(frame)] = time.monotonic()
            await account.send(frame)
            await asyncio.sleep(GAP * together)
        await account.settle()
        seen: dict[str, float] = await instance.get("/seen")
    return sorted((seen[message_id] - at) * 1000 for message_id, at in sent.items())


def _instance(with_us: bool) -> Instance:
    settings = {"LOG_LEVEL": "WARNING", "BENCH_MATCHERS": MATCHERS, "BENCH_WITH_US": with_us}
    return Instance("benchmarks.instances.shared", settings)


def run() -> Iterator[Measurement]:
    """CPU with us and without us, then the way into the ledger."""
    for backlog, number in BACKLOGS.items():
        without: list[float] = []
        within: list[float] = []
        for _ in range(ROUNDS):
            without.append(asyncio.run(_cpu(False, backlog, number)))
            within.append(asyncio.run(_cpu(True, backlog, number)))
        ratio = median(within) / median(without)
        yield Measurement(
            f"neighbours: CPU beside {MATCHERS} matchers, {backlog} waiting ({_span(within)})",
            median(within),
            "ms",
            against=f"without us {median(without):.2f} ({_span(without)}); {machine()}",
            ratio=ratio,
            goal=f"<= {GOAL_CPU}",
            met=ratio <= GOAL_CPU,
        )
    for together in (1, 3):
        seen = asyncio.run(_seen(together))
        alone = together == 1
        yield Measurement(
            "neighbours: arrival to ledger, "
            + ("median" if alone else f"behind {together - 1} others at once, median"),
            median(seen),
            "ms",
            against=f"p95 {quantiles(seen, n=20)[-1]:.2f}, least {seen[0]:.2f}",
            goal=f"<= {GOAL_SEEN} ms" if alone else None,
            met=median(seen) <= GOAL_SEEN if alone else None,
        )


def _span(values: list[float]) -> str:
    return f"{min(values):.2f}-{max(values):.2f}"
