"""`python -m benchmarks.history [FILE…]`: whether we became slower, and a row of it in `history.csv`.

Seconds depend on the machine; what is kept is how we are beside something else in the same run. Without files
it runs the benchmarks of `FIGURES` (some ten minutes); files hold what `python -m benchmarks --json` printed.
The row is held against the last one of the same class of machine: what is worse by a fifth fails with the
commits between, and then nothing is kept unless `--accept` says that it is to stay so.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parent / "history.csv"
FALL: Final = 0.2
"""By how much a figure may be worse than in the row before."""
_HEAD: Final = ("day", "commit", "machine")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of each row, and where it comes from."""

    name: str
    benchmark: str
    begins: str
    """Beginning of the measurement's name; the first such counts."""
    more_is_better: bool = False
    of_value: bool = False
    """The value itself and not its ratio: what depends on no machine."""


FIGURES: Final = (
    Figure("start", "start", "start: CPU until ready"),
    Figure("idle_memory", "start", "start: resident memory"),
    Figure("messages_quiet", "messages", "messages: CPU of one, quiet", more_is_better=True),
    Figure("messages_busy", "messages", "messages: CPU of one, busy", more_is_better=True),
    Figure("flood", "flood", "flood of talk: an answer in another group, median"),
    Figure("reading", "reading", "reading: a line, median"),
    Figure("message_bytes", "remembered", "remembered: bytes of a message", of_value=True),
)
"""Ratios to a bare NoneBot, but for `flood` (times the same without a flood), `reading` (times a
steady piece of work) and `message_bytes`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run."""

    day: str
    commit: str
    machine: str
    figures: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Fall:
    """A figure that became worse by more than `FALL`."""

    figure: str
    before: float
    now: float
    worse: float
    """By which part of what it was: 0.5 where it takes twice the time, or half is done in it."""


def machine_class(cores: int | None, kind: str, version: Sequence[str]) -> str:
    """Class of machines whose rows can be compared."""
    return f"{cores or 1} cores {kind} python {'.'.join(version[:2])}"


def falls(before: Row, now: Row) -> list[Fall]:
    """Figures that became worse; one that either row lacks is skipped. Pure."""
    found: list[Fall] = []
    for figure in FIGURES:
        was, is_now = before.figures.get(figure.name), now.figures.get(figure.name)
        if was is None or is_now is None or min(was, is_now) <= 0:
            continue
        worse = 1 - (is_now / was if figure.more_is_better else was / is_now)
        if worse > FALL:
            found.append(Fall(figure.name, was, is_now, worse))
    return found


def last_of(rows: Iterable[Row], machine: str) -> Row | None:
    """The newest row of a class of machine. Pure."""
    same = [row for row in rows if row.machine == machine]
    return same[-1] if same else None


def verdict(before: Row | None, now: Row) -> list[str]:
    """Lines of the verdict on a row; empty where nothing became worse. Pure."""
    if before is None:
        return []
    between = f"{before.commit}..{now.commit}"
    return [
        f"{each.figure}: {each.before:.3g} -> {each.now:.3g}, worse by {each.worse:.0%}, in {between}"
        for each in falls(before, now)
    ]


def figures_of(measured: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """The figures among measurements, as `--json` prints them. Pure."""
    found: dict[str, float] = {}
    for one in measured:
        for figure in FIGURES:
            value = one["value"] if figure.of_value else one["ratio"]
            if str(one["name"]).startswith(figure.begins) and value is not None:
                found.setdefault(figure.name, round(float(value), 4))
    return found


def unmeasured(figures: Mapping[str, float]) -> list[str]:
    """The figures that a whole run did not bring: a benchmark that words a measurement otherwise would go
    unguarded. Pure."""
    return [figure.name for figure in FIGURES if figure.name not in figures]


def read_rows(text: str) -> list[Row]:
    """The rows of the file, oldest first. Pure; raises `ValueError` where one is not whole."""
    rows: list[Row] = []
    for line in csv.DictReader(io.StringIO(text)):
        if None in line or None in line.values():
            raise ValueError(f"a row of {FILE.name} is not whole: {line}")
        figures = {name: float(value) for name, value in line.items() if name not in _HEAD and value}
        rows.append(Row(line["day"], line["commit"], line["machine"], figures))
    return rows


def written(rows: Sequence[Row]) -> str:
    """The file. Pure."""
    out = io.StringIO()
    names = [figure.name for figure in FIGURES]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_HEAD, *names])
    for row in rows:
        head = (row.day, row.commit, row.machine)
        writer.writerow([*head, *(row.figures.get(name, "") for name in names)])
    return out.getvalue()


def _measured(files: Sequence[str]) -> list[dict[str, Any]]:
    if files:
        lines = [line for file in files for line in Path(file).read_text("utf-8").splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys(figure.benchmark for figure in FIGURES):
        command = [sys.executable, "-m", str(__package__), name, "--json"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return found


def _commit() -> str:
    asked = ["git", "rev-parse", "--short=10", "HEAD"]
    return subprocess.run(asked, check=True, capture_output=True, text=True, cwd=FILE.parent).stdout.strip()


def main(arguments: Sequence[str]) -> int:
    """Measure, compare, keep; 1 where something fell, or a figure was not measured."""
    parser = argparse.ArgumentParser(prog="benchmarks.history", description="Mishu's ratios, row by row")
    parser.add_argument("files", nargs="*", metavar="FILE", help="what `python -m benchmarks --json` printed")
    parser.add_argument("--accept", action="store_true", help="keep the row though something fell")
    options = parser.parse_args(arguments)
    rows = read_rows(FILE.read_text("utf-8")) if FILE.exists() else []
    machine = machine_class(os.cpu_count(), platform.machine(), platform.python_version_tuple())
    now = Row(f"{datetime.now(UTC):%Y-%m-%d}", _commit(), machine, figures_of(_measured(options.files)))
    if not now.figures:
        print("nothing was measured", file=sys.stderr)
        return 1
    if not options.files and (lacking := unmeasured(now.figures)):
        print(f"not measured: {', '.join(lacking)}", file=sys.stderr)
        return 1
    before = last_of(rows, machine)
    for name, value in now.figures.items():
        was = before.figures.get(name) if before is not None else None
        print(f"{name:<16}{value:>10.3f}" + (f"   before {was:.3f}" if was is not None else ""))
    if before is None:
        print(f"the first row of this class of machine: {machine}")
    found = verdict(before, now)
    for line in found:
        print(f"FALL {line}")
    if found and not options.accept:
        return 1
    FILE.write_text(written([*rows, now]), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
