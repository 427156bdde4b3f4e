"""Memory: a thousand groups of a thousand messages, and what is left when they have fallen quiet.

In a process of its own: the real front desk hears events read by the real adapter; the database is one that
takes nothing, since what it writes is not kept in memory. What bounds the ledger in memory is
`MISHU__FRONTDESK__LEDGER_SIZE`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from .instances.process import ROOT
from .measurement import Measurement

GROUPS = 1_000
SAID = {1_000: 1_000, 200: 400}
"""LEDGER_SIZE, and how many messages each group says."""


def run() -> Iterator[Measurement]:
    """MiB with ledgers full, with more said than they hold, and after everybody fell quiet."""
    for size, messages in SAID.items():
        command = [sys.executable, "-m", "benchmarks.instances.crowd", str(GROUPS), str(messages), str(size)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=1_800, check=True)
        seen: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
        held = seen["kept"]
        yield Measurement(
            f"memory: {GROUPS} groups x {messages} messages, LEDGER_SIZE {size}",
            seen["full"],
            "MiB",
            against=f"started {seen['started']:.0f} MiB, {held:.0f} messages held, "
            f"{(seen['full'] - seen['started']) * 2**20 / held:.0f} bytes each",
        )
        yield Measurement(
            f"memory: the same, a fifth more said, LEDGER_SIZE {size}",
            seen["more"],
            "MiB",
            ratio=seen["more"] / seen["full"],
            goal="bounded: <= 1.05",
            met=seen["more"] <= 1.05 * seen["full"],
        )
        yield Measurement(
            f"memory: idle conversations let go, LEDGER_SIZE {size}",
            seen["idle"],
            "MiB",
            against=f"{seen['rooms']:.0f} conversations left",
            ratio=seen["idle"] / seen["full"],
        )
