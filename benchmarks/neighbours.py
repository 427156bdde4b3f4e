"""Beside others: an instance with sixty foreign matchers, two of whom run for every message, with the plugin
and without it.

What everybody's messages cost more because of us, in CPU of the process, and how long after its arrival the
ledger has a message. Both instances are up at the same time and take their messages in turns, so that what
else the machine does falls on both alike; the ratio is the median of the turns'. Arrival is the moment the
account hands the frame to its socket, so the time includes the way over the WebSocket and the reading of the
event by the adapter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from statistics import median, quantiles

from .instances import QUIET, Account, Chatter, Instance, machine
from .instances.chatter import identified
from .measurement import Measurement

MATCHERS = 58
LISTENERS = 2
"""Matchers that run for every message: each run passes our look at what others do with an event."""
GROUPS = 20
"""Few enough that each was loaded from the database before the measurement begins."""
ROUNDS = 9
WARM_UP = 100
BACKLOGS = {500: 150, 20: 30}
"""Messages waiting for their turn at most, and messages sent in one turn. With few waiting, the
event loop asks the operating system between any two steps, which costs more than the steps do."""
SEEN = 60
GAP = 0.25
"""Seconds between two messages whose way into the ledger is timed: each has the instance for itself."""
IDLE = 0.02
"""Seconds of CPU in a look of 0.6 s below which an instance is at rest."""
GOAL_CPU = 1.05
GOAL_SEEN = 3.0


async def _cpu(backlog: int, number: int) -> tuple[list[float], list[float]]:
    """Milliseconds of CPU a message in each turn, without us and with us."""
    async with AsyncExitStack() as stack:
        sides: list[tuple[Instance, Account, list[str], list[float]]] = []
        for with_us in (False, True):
            instance = await stack.enter_async_context(_instance(with_us))
            account = await stack.enter_async_context(Account(instance.onebot_url))
            frames = list(Chatter(QUIET, GROUPS).frames(WARM_UP + ROUNDS * number))
            await account.send_all(frames[:WARM_UP])
            sides.append((instance, account, frames[WARM_UP:], []))
        for instance, *_ in sides:
            await _at_rest(instance)
        for turn in range(ROUNDS):
            for instance, account, frames, spent in sides:
                cpu = instance.cpu()
                await account.send_all(frames[turn * number : (turn + 1) * number], window=backlog // 2)
                await _at_rest(instance)
                spent.append((instance.cpu() - cpu) / number * 1000)
        return sides[0][3], sides[1][3]


async def _at_rest(instance: Instance) -> None:
    """Waits until the instance does nothing: what is queued to be written belongs to the messages, and events
    go on through sixty matchers after the last was answered. What is left of a turn would count in the next,
    and be walked through by every collection of Python's until then. Raises `TimeoutError` after a minute."""
    async with asyncio.timeout(60):
        before = -1.0
        while instance.cpu() - before > IDLE:
            before = instance.cpu()
            await asyncio.sleep(0.6)


async def _measure_delays(together: int) -> list[float]:
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
        await account.wait_handled()
        seen: dict[str, float] = await instance.get("/seen")
    return sorted((seen[message_id] - at) * 1000 for message_id, at in sent.items())


def _instance(with_us: bool) -> Instance:
    settings = {"LOG_LEVEL": "WARNING", "BENCH_MATCHERS": MATCHERS, "BENCH_WITH_US": with_us}
    settings["BENCH_LISTENERS"] = LISTENERS
    return Instance("benchmarks.instances.shared", settings)


def run() -> Iterator[Measurement]:
    """CPU with us and without us, then the way into the ledger."""
    for backlog, number in BACKLOGS.items():
        without, within = asyncio.run(_cpu(backlog, number))
        ratio = median(one / other for one, other in zip(within, without, strict=True))
        yield Measurement(
            f"neighbours: CPU beside {MATCHERS + LISTENERS} matchers, {backlog} waiting ({_span(within)})",
            median(within),
            "ms",
            against=f"without us {median(without):.2f} ({_span(without)}); {machine()}",
            ratio=ratio,
            goal=f"<= {GOAL_CPU}",
            met=ratio <= GOAL_CPU,
        )
    for together in (1, 3):
        seen = asyncio.run(_measure_delays(together))
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
