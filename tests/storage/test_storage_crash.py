"""`kill -9` at any moment: no acknowledged write is lost, and of chatter the last half second at most."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nonebot_plugin_mishu.storage import Storage
from storage_support import file_of, outside

EMPTY = True

pytestmark = pytest.mark.exhaustive

Opener = Callable[..., Awaitable[Storage]]

SLACK = 1.0
"""Seconds of chatter the test lets go: the product's 0.5, and as much for a busy machine."""


def killed_after(url: str, lines: int, start: int) -> tuple[list[list[str]], float]:
    """What the program said until it was killed, after so many lines, and when it was."""
    program = [sys.executable, str(Path(__file__).with_name("crashing.py")), url, str(start)]
    child = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        said = [child.stdout.readline().split() for _ in range(lines)]
    finally:
        child.kill()
    at = time.monotonic()
    rest, _ = child.communicate(timeout=30)
    return said + [line.split() for line in rest.splitlines()], at


@pytest.mark.parametrize("seed", range(3))
async def test_kill_loses_nothing_that_was_acknowledged(opened: Opener, url: str, seed: int):
    lines = random.Random(seed).randint(50, 1500)
    said, at = await asyncio.to_thread(killed_after, url, lines, 0)
    assert [line for line in said if not line or line[0] == "trouble"] == []
    acked = {(kind, int(number)) for word, kind, number in said if word == "acked"}
    heard = {int(number) for word, number, when in said if word == "heard" and float(when) < at - SLACK}
    assert acked
    storage = await opened()
    found = {
        *(("claim", n) for n in await _numbers(url, "claim", "mishu_claim")),
        *(("decision", n) for n in await _numbers(url, "decision", "mishu_decision")),
        *(("mark", n) for n in await _numbers(url, "mark", "mishu_ledger WHERE processed")),
    }
    assert acked <= found
    assert heard <= await _numbers(url, "chatter", "mishu_ledger")
    if url.startswith("sqlite"):
        checked = sqlite3.connect(file_of(url)).execute("PRAGMA integrity_check").fetchall()
        assert checked == [("ok",)]
    # Nobody else can have what the dead one claimed.
    assert (
        await storage.claims.claim("10000", [f"claim-{n}" for kind, n in acked if kind == "claim"]) == set()
    )


async def _numbers(url: str, kind: str, table: str) -> set[int]:
    rows = await outside(url, f"SELECT message_id FROM {table}")
    return {int(name.rpartition("-")[2]) for (name,) in rows if name.startswith(kind)}
