"""Goes through one sample and notes what differs from what it expects."""

from __future__ import annotations

import asyncio
import tempfile
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .sample import Line, Sample
from .stage import Heard, Stage

LONGEST = 30.0
"""Seconds one line may take; a running bot gives an agent its deadline, which a sample's clock does not."""


@dataclass(frozen=True)
class Difference:
    """Something that is not as expected. `line` counts from 1; 0 is the end state."""

    line: int
    what: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        where = f"第 {self.line} 句" if self.line else "最后"
        return f"{where}的 {self.what}：应是 {self.expected}，却是 {self.found}"


@dataclass(frozen=True)
class Broken:
    """An error that ended the sample: of an agent, ours or another plugin's, or of what is under it."""

    line: int
    error: Exception

    def __str__(self) -> str:
        where = f"第 {self.line} 句" if self.line else "开始或最后"
        last = traceback.extract_tb(self.error.__traceback__)[-1:]
        place = "".join(f"（{frame.filename} 第 {frame.lineno} 行）" for frame in last)
        words = str(self.error).strip().splitlines()[:1]
        what = "：".join([type(self.error).__name__, *words])
        return f"{where}出错，后面的没有跑：{what[:300]}{place}"


@dataclass
class Played:
    """Result of a sample."""

    differences: list[Difference | Broken] = field(default_factory=list["Difference | Broken"])
    seconds: float = 0.0


async def play(sample: Sample) -> Played:
    """Play a sample on a stage of its own; nothing is left of it. An error ends it and nothing else."""
    played = Played()
    began = time.perf_counter()
    number = 0
    try:
        with tempfile.TemporaryDirectory(prefix="mishu-replay-") as folder:
            async with Stage.open(sample, Path(folder)) as stage:
                for number, line in enumerate(sample.talk, start=1):
                    played.differences += _compared(number, line, await _say_line(stage, line))
                number = 0
                played.differences += await _ended(sample, stage)
    except Exception as error:  # noqa: BLE001 - it stands in the table, and the other samples are played
        played.differences.append(Broken(number, error))
    played.seconds = time.perf_counter() - began
    return played


async def _say_line(stage: Stage, line: Line) -> Heard:
    try:
        async with asyncio.timeout(LONGEST):
            return await stage.say(line)
    except TimeoutError as error:
        raise TimeoutError(f"{LONGEST:g} 秒没有结束") from error


def _compared(number: int, line: Line, heard: Heard) -> Iterable[Difference]:
    expect = line.expect
    reply = heard.reply or ""
    for what, expected, found in (
        ("gate", expect.gate, heard.gate),
        ("frames", expect.frames, heard.frames),
        ("dispatched", expect.dispatched, heard.dispatched),
        ("open", expect.open, heard.open),
        ("status", expect.status, heard.status),
        ("calls", _sorted(expect.calls), _sorted(heard.calls)),
    ):
        if expected is not None and expected != found:
            yield Difference(number, what, expected, found)
    for words in expect.reply:
        if words not in reply:
            yield Difference(number, "回复", f"含有「{words}」", f"「{reply}」")
    for words in expect.reply_without:
        if words in reply:
            yield Difference(number, "回复", f"不含「{words}」", f"「{reply}」")
    if expect.silent and heard.reply is not None:
        yield Difference(number, "回复", "不说话", f"「{reply}」")


async def _ended(sample: Sample, stage: Stage) -> Iterable[Difference]:
    differences: list[Difference] = []
    end = sample.end
    if end.open is not None:
        found = await stage.open_tasks()
        if sorted(end.open) != sorted(found):
            differences.append(Difference(0, "open", end.open, found))
    for what, expected in (
        ("tasks", end.tasks),
        ("schedules", end.schedules),
        ("transactions", end.transactions),
    ):
        if expected is None:
            continue
        rows = await stage.rows(what)
        if not _fits(expected, rows):
            differences.append(Difference(0, what, expected, _only(expected, rows)))
    return differences


def _fits(expected: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> bool:
    """True if there are as many rows, and each is in its place as expected in the fields that are named."""
    return len(expected) == len(rows) and all(
        all(row.get(name) == value for name, value in wanted.items())
        for wanted, row in zip(expected, rows, strict=True)
    )


def _only(expected: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows in the fields that matter, so that a difference can be read."""
    names = dict.fromkeys(name for wanted in expected for name in wanted)
    return [{name: row.get(name) for name in names} if names else dict(row) for row in rows]


def _sorted(calls: list[str] | None) -> list[str] | None:
    return None if calls is None else sorted(calls)
