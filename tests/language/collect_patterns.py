"""Collects every pattern that the package compiles, in a process of its own: `python collect_patterns.py`.

`re` is watched before anything of ours is imported, then all modules are imported and lines are read, so
that patterns made of tables, and those that are made when a line first needs them, are seen, too. Prints a
JSON list of `[file:line, pattern, flags]`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = (str(ROOT / "plugins"), str(ROOT / "bot"))


def watch(found: dict[tuple[str, int], str]) -> None:
    """Note each pattern that is compiled from a file of ours, and where."""
    compile_: Any = re._compile  # pyright: ignore

    def noted(pattern: Any, flags: Any) -> Any:
        frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
        where = frame.f_code.co_filename
        if isinstance(pattern, str) and where.startswith(OURS):
            place = f"{Path(where).relative_to(ROOT)}:{frame.f_lineno}"
            found.setdefault((pattern, int(flags)), place)
        return compile_(pattern, flags)

    re._compile = noted  # pyright: ignore


def import_all() -> None:
    """Every module of the package and of the bot."""
    import importlib

    import nonebot

    nonebot.init(driver="~none", log_level="CRITICAL")
    nonebot.load_plugin("nonebot_plugin_mishu")
    for folder, name in ((ROOT / "plugins", "nonebot_plugin_mishu"), (ROOT, "bot")):
        for path in sorted((folder / name).rglob("*.py")):
            parts = list(path.relative_to(folder).with_suffix("").parts)
            if parts[-1] in ("__main__", "env") or "migrations" in parts:
                continue
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            importlib.import_module(module)


def read_lines() -> None:
    """Read lines of every kind, so that what is compiled when first needed is seen."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from nonebot_plugin_mishu.config import Config

    from bot.explain.reading import explain

    config = Config()
    zone = ZoneInfo("Asia/Shanghai")
    now = datetime(2026, 11, 18, 10, tzinfo=zone)
    for file in sorted((ROOT / "training" / "sentences").glob("*/*.txt")):
        lines = [line for line in file.read_text("utf-8").split("\n") if line and not line.startswith("#")]
        for line in lines[::25]:
            explain(line, now, zone, config, ("小秘",))


def main() -> None:
    found: dict[tuple[str, int], str] = {}
    watch(found)
    sys.path[:0] = [str(ROOT), str(ROOT / "plugins")]
    import_all()
    read_lines()
    listed = [[place, pattern, flags] for (pattern, flags), place in found.items()]
    sys.stdout.write(f"\n{json.dumps(listed)}\n")


if __name__ == "__main__":
    main()
