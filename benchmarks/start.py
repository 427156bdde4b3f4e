"""Start: from the command to a bot that answers, and what importing the plugin costs."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from .instances import Instance, machine
from .instances.process import ROOT
from .measurement import Measurement

ROUNDS = 5
GOAL = 3.0
SETTLED = 5.0
GOAL_MEMORY = 120.0
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


async def _ready(module: str, ready: str) -> tuple[float, float]:
    """Seconds until it answers, and seconds of CPU until then."""
    async with Instance(module, ready=ready) as instance:
        return instance.seconds_to_ready, instance.cpu()


async def _at_rest(module: str, ready: str) -> float:
    """MiB that are resident when it has settled."""
    async with Instance(module, ready=ready) as instance:
        await asyncio.sleep(SETTLED)
        return instance.memory()


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
    """Seconds to ready of the standalone bot and of a bare NoneBot in turns; seconds to load the plugin."""
    started: list[tuple[float, float]] = []
    other: list[tuple[float, float]] = []
    loads: list[float] = []
    for _ in range(ROUNDS):
        started.append(asyncio.run(_ready("bot", "/api/health")))
        other.append(asyncio.run(_ready("benchmarks.instances.bare", "/ready")))
        instance = Instance("bot")
        loads.append(_load(str(instance.home)))
    ours, bare = [one[0] for one in started], [one[0] for one in other]
    yield Measurement(
        f"start: to ready ({min(ours):.2f}-{max(ours):.2f})",
        median(ours),
        "s",
        against=f"bare NoneBot {median(bare):.2f} ({min(bare):.2f}-{max(bare):.2f}); {machine()}",
        ratio=median(ours) / median(bare),
        goal=f"<= {GOAL} s",
        met=median(ours) <= GOAL,
    )
    cpu, bare_cpu = (median(one[1] for one in side) for side in (started, other))
    yield Measurement(
        "start: CPU until ready", cpu, "s", against=f"bare NoneBot {bare_cpu:.2f}", ratio=cpu / bare_cpu
    )
    rest, bare_rest = (
        asyncio.run(_at_rest(*each))
        for each in (("bot", "/api/health"), ("benchmarks.instances.bare", "/ready"))
    )
    yield Measurement(
        "start: memory at rest",
        rest,
        "MiB",
        against=f"bare NoneBot {bare_rest:.0f}",
        ratio=rest / bare_rest,
        goal=f"<= {GOAL_MEMORY:.0f} MiB",
        met=rest <= GOAL_MEMORY,
    )
    yield Measurement(
        f"start: loading the plugin into NoneBot ({min(loads):.2f}-{max(loads):.2f})", median(loads), "s"
    )
