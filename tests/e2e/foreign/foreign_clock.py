"""A program under a clock of its own: `python -m foreign_clock bot` runs `bot` as `python -m` does.

`clock.txt` in the working directory holds the seconds by which its clock is ahead of the machine's, and is
read at every look, so that a test can set the clock while the program runs.
"""

from __future__ import annotations

import importlib.util
import runpy
import sys
import time
from pathlib import Path
from typing import Any

AHEAD = Path("clock.txt")
PACKAGE = "nonebot_plugin_mishu"
NAME = f"{PACKAGE}.clock"


def _wall(_: Any) -> float:
    return time.time() + (float(AHEAD.read_text("utf-8")) if AHEAD.exists() else 0.0)


def give_clock() -> None:
    """Let the product's clock read `clock.txt`, before the product is imported: that runs the plugin."""
    if NAME not in sys.modules:
        package = importlib.util.find_spec(PACKAGE)
        assert package is not None
        assert package.submodule_search_locations is not None
        file = Path(package.submodule_search_locations[0], "clock.py")
        spec = importlib.util.spec_from_file_location(NAME, file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    sys.modules[NAME].Clock.wall = _wall  # type: ignore[attr-defined]


give_clock()
if __name__ == "__main__":
    sys.argv[:] = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
