"""Start: from the command to a bot that answers, what importing the plugin costs, and memory at rest."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from .instances import Instance, machine
from .instances.process import ROOT
from .measurement import Measurement

ROUNDS = 5
GOAL = 3.0
RATIO = 1.5
IDLE_AFTER = 10.0
"""Seconds after the start: by then lines were rehearsed and all patterns compiled."""
IDLE = 120.0
_LOAD = """
import sys, time
import nonebot
from nonebot.adapters.onebot.v11 import Adapter
nonebot.logger.remove()
nonebot.init(driver="~none", _env_file=None)
began = time.perf_counter()
assert nonebot.load_plugin("nonebot_plugin_mishu") is not None
print(time.perf_counter() - began)
"""


@dataclass
class _Started:
    """Seconds until it answers, seconds of CPU until then, and MiB (resident, proportional) at rest."""

    seconds: float
    cpu: float
    resident: float
    proportional: float


async def _start(module: str, ready: str, database: str) -> _Started:
    settings = {"MISHU__DATABASE_URL": f"sqlite+aiosqlite:///{database}"}
    async with Instance(module, settings, ready=ready) as instance:
        cpu = instance.cpu()
        await asyncio.sleep(IDLE_AFTER)
        return _Started(instance.seconds_to_ready, cpu, instance.memory(), instance.proportional())


def _load(home: str) -> float:
    files = {f"LOCALSTORE_{kind}_DIR": os.path.join(home, kind) for kind in ("DATA", "CACHE", "CONFIG")}
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "plugins")])}
    run = subprocess.run(
        [sys.executable, "-c", _LOAD],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=home,
        env={**os.environ, **files, **path},
    )
    return float(run.stdout.split()[-1])


def run() -> Iterator[Measurement]:
    """Seconds to ready of the standalone bot and of a bare NoneBot in turns; memory at rest; seconds to load
    the plugin. The bot's database is there from the second round on, as at any start but the first."""
    ours: list[_Started] = []
    bare: list[_Started] = []
    loads: list[float] = []
    with tempfile.TemporaryDirectory(prefix="mishu-bench-") as folder:
        database = os.path.join(folder, "mishu.db")
        for _ in range(ROUNDS + 1):
            ours.append(asyncio.run(_start("bot", "/api/health", database)))
            bare.append(asyncio.run(_start("benchmarks.instances.bare", "/ready", database)))
            instance = Instance("bot")
            loads.append(_load(str(instance.home)))
    first, *again = ours
    seconds, other = [one.seconds for one in again], [one.seconds for one in bare[1:]]
    yield Measurement(
        f"start: to ready ({min(seconds):.2f}-{max(seconds):.2f})",
        median(seconds),
        "s",
        against=f"bare NoneBot {median(other):.2f} ({min(other):.2f}-{max(other):.2f}); {machine()}",
        ratio=median(seconds) / median(other),
        goal=f"<= {GOAL} s",
        met=median(seconds) <= GOAL,
    )
    cpu, other_cpu = median(one.cpu for one in again), median(one.cpu for one in bare[1:])
    yield Measurement(
        "start: CPU until ready",
        cpu,
        "s",
        against=f"bare NoneBot {other_cpu:.2f}",
        ratio=cpu / other_cpu,
        goal=f"<= {RATIO}",
        met=cpu <= RATIO * other_cpu,
    )
    yield Measurement("start: the first, which makes the database: CPU until ready", first.cpu, "s")
    resident, proportional = (
        median(one.resident for one in again),
        median(one.proportional for one in again),
    )
    bare_resident = median(one.resident for one in bare)
    yield Measurement(
        f"start: resident memory {IDLE_AFTER:.0f} s later",
        resident,
        "MiB",
        against=f"bare NoneBot {bare_resident:.0f}; proportional {proportional:.0f}",
        ratio=resident / bare_resident,
        goal=f"<= {IDLE:.0f}",
        met=resident <= IDLE,
    )
    yield Measurement(
        f"start: loading the plugin into NoneBot ({min(loads):.2f}-{max(loads):.2f})", median(loads), "s"
    )
