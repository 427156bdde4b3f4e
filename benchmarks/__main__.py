"""`python -m benchmarks [NAME…] [--json]`: run the named benchmarks, all without a name."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from .measurement import Measurement

_NOT_BENCHMARKS = {"measurement", "history", "__main__"}
"""Modules here that measure nothing; packages (`instances`) are no benchmarks either."""


def names() -> list[str]:
    """Every module of this folder that is a benchmark, in alphabetical order."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(one.name for one in found if not one.ispkg and one.name not in _NOT_BENCHMARKS)


def _row(measured: Measurement) -> str:
    ratio = "" if measured.ratio is None else f"{measured.ratio:.2f}"
    met = {None: "", True: "met", False: "NOT MET"}[measured.met]
    columns = (
        f"{measured.name:<42}{measured.value:>14.4f} {measured.unit:<12}",
        f"{measured.against or '':<34}{ratio:>8}  {measured.goal or '':<28}{met}",
    )
    return "".join(columns).rstrip()


def main(arguments: list[str]) -> int:
    """Print a table, or one JSON object per line with `--json`; exit 2 where a name is unknown."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="Mishu's benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names())}")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in names()]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    chosen = options.names or names()
    if len(chosen) > 1:
        return max(_alone(name, options.json) for name in chosen)
    print(f"{chosen[0]} …", file=sys.stderr, flush=True)  # some take minutes
    run = importlib.import_module(f"{__package__}.{chosen[0]}").run
    results: Iterable[Measurement] = run()
    for measured in results:
        line = json.dumps(measured.as_json(), ensure_ascii=False) if options.json else _row(measured)
        print(line, flush=True)
    return 0


def _alone(name: str, as_json: bool) -> int:
    """Run one benchmark in a process of its own: what one loads is no burden to the next."""
    command = [sys.executable, "-m", str(__package__), name, *(["--json"] if as_json else [])]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
