"""Collects every pattern that the package makes, in a process of its own: `python collect_patterns.py`.

`re` and `Pattern`, which compiles at first use, are watched before anything else of ours is imported; then
all modules are imported and lines are read, so that patterns made of tables, and those that are made when a
line first needs them, are seen, too. Prints a JSON list of `[file:line, pattern, flags]`.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = (str(ROOT / "plugins"), str(ROOT / "bot"))
OF_PATTERNS = str(ROOT / "plugins" / "nonebot_plugin_mishu" / "patterns.py")


def watch(found: dict[tuple[str, int], str]) -> None:
    """Note each pattern that is compiled from a file of ours, or made to be, and where."""
    compile_: Any = re._compile  # pyright: ignore

    def note(pattern: Any, flags: Any, frame: FrameType) -> None:
        where = frame.f_code.co_filename
        if isinstance(pattern, str) and where.startswith(OURS) and where != OF_PATTERNS:
            place = f"{Path(where).relative_to(ROOT)}:{frame.f_lineno}"
            found.setdefault((pattern, int(flags)), place)

    def noted(pattern: Any, flags: Any) -> Any:
        note(pattern, flags, sys._getframe(2))  # pyright: ignore[reportPrivateUsage]
        return compile_(pattern, flags)

    re._compile = noted  # pyright: ignore
    Pattern = _pattern_class()
    made = Pattern.__init__

    def noted_when_made(self: Any, pattern: str, flags: int = 0) -> None:
        note(pattern, flags, sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        made(self, pattern, flags)

    Pattern.__init__ = noted_when_made


def _pattern_class() -> Any:
    """The class of patterns, before the package that it belongs to is loaded: that registers a plugin."""
    package = ModuleType("nonebot_plugin_mishu")
    package.__path__ = [str(Path(OF_PATTERNS).parent)]
    sys.modules["nonebot_plugin_mishu"] = package
    try:
        return importlib.import_module("nonebot_plugin_mishu.patterns").Pattern
    finally:
        del sys.modules["nonebot_plugin_mishu"]  # `patterns` stays: the package finds it when it is loaded


def import_all() -> None:
    """Every module of the package and of the bot."""
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
    sys.path[:0] = [str(ROOT), str(ROOT / "plugins")]
    watch(found)
    import_all()
    read_lines()
    listed = [[place, pattern, flags] for (pattern, flags), place in found.items()]
    sys.stdout.write(f"\n{json.dumps(listed)}\n")


if __name__ == "__main__":
    main()
