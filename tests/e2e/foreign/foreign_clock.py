"""A bot whose clock the tests set: `clock.txt` in its directory holds the seconds it is ahead."""

from __future__ import annotations

import time
from pathlib import Path

from nonebot_plugin_mishu.clock import Clock

AHEAD = Path("clock.txt")


def _ahead() -> float:
    return float(AHEAD.read_text("utf-8")) if AHEAD.exists() else 0.0


def _wall(_: Clock) -> float:
    return time.time() + _ahead()


Clock.wall = _wall
