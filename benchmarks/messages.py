"""Ambient messages: CPU of each, and how many a second, of the standalone bot and of bare NoneBots.

All are whole processes behind a real WebSocket. They are up at the same time and take their messages in
turns, a slice each, so that what else the machine does falls on all of them alike; who waits for its turn
does nothing. CPU is the operating system's account of the process. An ambient message is one that nobody
addresses to the bot. The default NoneBot is as `nb run` starts it; the quiet one has LOG_LEVEL=WARNING, as
the standalone bot logs no message either.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from .instances import BUSY, QUIET, Account, Chatter, Instance, Pace, machine
from .measurement import Measurement

ROUNDS = 20
SLICE = 1_000
WARM_UP = 1_000
GOAL_CPU = 1.0
GOAL_RATE = 1.7


@dataclass(frozen=True, eq=False)
class _Side:
    name: str
    module: str
    settings: dict[str, object]
    ready: str = "/ready"


OURS = _Side("standalone bot", "bot", {"MISHU__QQ__SEND_GAP": 0}, "/api/health")
DEFAULT = _Side("default NoneBot", "benchmarks.instances.bare", {})
SILENT = _Side("NoneBot at WARNING", "benchmarks.instances.bare", {"LOG_LEVEL": "WARNING"})


@dataclass(eq=False)
class _Run:
    """One side's slices."""

    instance: Instance
    account: Account
    frames: list[str]
    cpu: list[float] = field(default_factory=list[float])
    """Milliseconds of CPU a message, of each slice."""
    rate: list[float] = field(default_factory=list[float])
    """Messages a second, of each slice."""

    async def slice(self, number: int) -> None:
        frames = self.frames[number * SLICE : (number + 1) * SLICE]
        cpu, began = self.instance.cpu(), time.monotonic()
        await self.account.send_all(frames)
        self.rate.append(SLICE / (time.monotonic() - began))
        await asyncio.sleep(1)  # what it queued to write belongs to the messages
        self.cpu.append((self.instance.cpu() - cpu) / SLICE * 1000)

    @property
    def mean_cpu(self) -> float:
        """Over all slices."""
        return sum(self.cpu) / len(self.cpu)

    @property
    def mean_rate(self) -> float:
        """Over all slices: the messages of all through the time of all."""
        return len(self.rate) / sum(1 / rate for rate in self.rate)


async def _measure(pace: Pace) -> dict[_Side, _Run]:
    async with AsyncExitStack() as stack:
        runs: dict[_Side, _Run] = {}
        for side in (OURS, DEFAULT, SILENT):
            chatter = Chatter(pace)
            warm, frames = list(chatter.frames(WARM_UP)), list(chatter.frames(ROUNDS * SLICE))
            started = Instance(side.module, side.settings, ready=side.ready)
            instance = await stack.enter_async_context(started)
            account = await stack.enter_async_context(Account(instance.onebot_url))
            await account.send_all(warm)
            runs[side] = _Run(instance, account, frames)
        for number in range(ROUNDS):
            for run in runs.values():
                await run.slice(number)
        return runs


def run() -> Iterator[Measurement]:
    """CPU a message and messages a second, in quiet and in busy groups."""
    for pace in (QUIET, BUSY):
        yield from _compared(pace, asyncio.run(_measure(pace)))


def _compared(pace: Pace, runs: dict[_Side, _Run]) -> Iterator[Measurement]:
    ours = runs[OURS]
    for other in (DEFAULT, SILENT):
        theirs = runs[other]
        ratio = theirs.mean_cpu / ours.mean_cpu
        yield Measurement(
            f"messages: CPU of one, {pace.name}",
            ours.mean_cpu,
            "ms",
            against=f"{other.name} {theirs.mean_cpu:.3f} ({_span(theirs.cpu)})",
            ratio=ratio,
            goal=f"bare/ours >= {GOAL_CPU}",
            met=ratio >= GOAL_CPU,
        )
    for other in (DEFAULT, SILENT):
        theirs = runs[other]
        ratio = ours.mean_rate / theirs.mean_rate
        goal = other is DEFAULT
        yield Measurement(
            f"messages: a second, {pace.name}",
            ours.mean_rate,
            "1/s",
            against=f"{other.name} {theirs.mean_rate:.0f} ({_span(theirs.rate)})",
            ratio=ratio,
            goal=f">= {GOAL_RATE} times" if goal else None,
            met=ratio >= GOAL_RATE if goal else None,
        )
    yield Measurement(
        f"messages: spread of ours, {pace.name}: CPU {_span(ours.cpu)} ms, "
        f"{_span(ours.rate)} /s; {machine()}",
        max(ours.cpu) / min(ours.cpu),
        "max/min",
    )


def _span(values: list[float]) -> str:
    digits = 3 if max(values) < 10 else 0
    return f"{min(values):.{digits}f}-{max(values):.{digits}f}"
