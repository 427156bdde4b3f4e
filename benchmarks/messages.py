"""Ambient messages: CPU of each, and how many a second, of the standalone bot and of bare NoneBots.

Both are whole processes behind a real WebSocket, one after the other in turns, in the same run. CPU is the
operating system's account of the process. An ambient message is one that nobody addresses to the bot. The
default NoneBot is as `nb run` starts it; the quiet one has LOG_LEVEL=WARNING, as the standalone bot logs no
message either.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from .instances import BUSY, QUIET, Account, Chatter, Instance, Pace, machine
from .measurement import Measurement

ROUNDS = 3
WARM_UP = 1_000
NUMBER = 6_000
GOAL_CPU = 1.0
GOAL_RATE = 1.7


@dataclass(frozen=True, eq=False)
class _Side:
    name: str
    module: str
    settings: dict[str, object]
    ready: str = "/ready"


OURS = _Side("standalone bot", "bot", {}, "/api/health")
DEFAULT = _Side("default NoneBot", "benchmarks.instances.bare", {})
SILENT = _Side("NoneBot at WARNING", "benchmarks.instances.bare", {"LOG_LEVEL": "WARNING"})


@dataclass(frozen=True)
class _Run:
    cpu: float
    """Milliseconds of CPU a message."""
    rate: float
    """Messages a second."""


async def _measure(side: _Side, pace: Pace) -> _Run:
    chatter = Chatter(pace)
    warm, frames = list(chatter.frames(WARM_UP)), list(chatter.frames(NUMBER))
    started = Instance(side.module, side.settings, ready=side.ready)
    async with started as instance, Account(instance.onebot_url) as account:
        await account.send_all(warm)
        cpu, began = instance.cpu(), time.monotonic()
        await account.send_all(frames)
        rate = NUMBER / (time.monotonic() - began)
        await asyncio.sleep(1)  # what it queued to write belongs to the messages
        return _Run((instance.cpu() - cpu) / NUMBER * 1000, rate)


def run() -> Iterator[Measurement]:
    """CPU a message and messages a second, in quiet and in busy groups."""
    for pace in (QUIET, BUSY):
        runs: dict[_Side, list[_Run]] = {OURS: [], DEFAULT: [], SILENT: []}
        for _ in range(ROUNDS):
            for side, done in runs.items():
                done.append(asyncio.run(_measure(side, pace)))
        yield from _compared(pace, runs)


def _compared(pace: Pace, runs: dict[_Side, list[_Run]]) -> Iterator[Measurement]:
    cpu = {side: median(one.cpu for one in done) for side, done in runs.items()}
    rate = {side: median(one.rate for one in done) for side, done in runs.items()}
    for other in (DEFAULT, SILENT):
        ratio = cpu[other] / cpu[OURS]
        yield Measurement(
            f"messages: CPU of one, {pace.name}",
            cpu[OURS],
            "ms",
            against=f"{other.name} {cpu[other]:.3f} ({_span([one.cpu for one in runs[other]])})",
            ratio=ratio,
            goal=f"bare/ours >= {GOAL_CPU}",
            met=ratio >= GOAL_CPU,
        )
    for other in (DEFAULT, SILENT):
        ratio = rate[OURS] / rate[other]
        goal = other is DEFAULT
        yield Measurement(
            f"messages: a second, {pace.name}",
            rate[OURS],
            "1/s",
            against=f"{other.name} {rate[other]:.0f} ({_span([one.rate for one in runs[other]])})",
            ratio=ratio,
            goal=f">= {GOAL_RATE} times" if goal else None,
            met=ratio >= GOAL_RATE if goal else None,
        )
    yield Measurement(
        f"messages: spread of ours, {pace.name}: CPU {_span([one.cpu for one in runs[OURS]])} ms, "
        f"{_span([one.rate for one in runs[OURS]])} /s; {machine()}",
        max(one.cpu for one in runs[OURS]) / min(one.cpu for one in runs[OURS]),
        "max/min",
    )


def _span(values: list[float]) -> str:
    digits = 3 if max(values) < 10 else 0
    return f"{min(values):.{digits}f}-{max(values):.{digits}f}"
