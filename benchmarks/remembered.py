"""Memory of a remembered message: a hundred groups of a thousand messages each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from .instances.process import ROOT
from .measurement import Measurement

GROUPS: Final = 100
MESSAGES: Final = 1_000
GOAL: Final = 500.0


def run() -> Iterator[Measurement]:
    """Bytes, by the growth of the process."""
    command = [sys.executable, "-m", "benchmarks.instances.crowd", *map(str, (GROUPS, MESSAGES, MESSAGES))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600, check=True)
    seen: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    each = (seen["full"] - seen["started"]) * 2**20 / seen["kept"]
    yield Measurement(
        "remembered: bytes of a message", each, "bytes", goal=f"at most {GOAL:.0f}", met=each <= GOAL
    )
