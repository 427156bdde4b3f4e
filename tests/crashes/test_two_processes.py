"""Two processes on one PostgreSQL, each with an account in the same groups: killed, paused, restarted, cut
off.

Every line is heard by both. None is answered or written twice, no reminder is told twice unmarked, and
whoever is left answers (docs/scale.md). `MISHU_TEST_FAULTS` says how many faults; `MISHU_TEST_SEED` chooses
them.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from e2e.harness import BotProcess, OneBotClient
from e2e.harness.both import Both
from e2e.harness.room import Said
from sqlalchemy import make_url
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.exhaustive

SERVER = os.environ.get("MISHU_TEST_DATABASE_URL", "")
FAULTS = int(os.environ.get("MISHU_TEST_FAULTS", "4"))
SEED = int(os.environ.get("MISHU_TEST_SEED", "1"))
DATABASE = f"mishu_two_{os.getpid()}"
ANSWERED = 20.0
"""Seconds within which whoever is left answers."""
PATIENT = 10.0
"""Seconds more for a machine that is busy with other tests."""


@dataclass
class Line:
    """One numbered line, and when it was said (monotonic)."""

    mark: str
    said: tuple[Said, ...]
    at: float
    reminds: bool
    heard_by: set[int] = field(default_factory=lambda: set[int]())


@pytest_asyncio.fixture
async def database() -> AsyncIterator[Any]:
    """A database of our own, and a connection to it as administrator."""
    if not SERVER:
        pytest.skip("MISHU_TEST_DATABASE_URL is not set")
    asyncpg = pytest.importorskip("asyncpg")
    url = make_url(SERVER)
    there = {"host": url.host, "port": url.port, "user": url.username, "password": url.password}
    server = await asyncpg.connect(**there, database=url.database)
    await server.execute(f'DROP DATABASE IF EXISTS "{DATABASE}" WITH (FORCE)')
    await server.execute(f'CREATE DATABASE "{DATABASE}"')
    yield server
    await server.execute(f'DROP DATABASE IF EXISTS "{DATABASE}" WITH (FORCE)')
    await server.close()


class Pair:
    """The two bots, their accounts, and what was said to them."""

    def __init__(self, home: Path, url: str) -> None:
        settings = {"LOG_LEVEL": "WARNING", "MISHU__DATABASE_URL": url, "MISHU__QQ__SEND_GAP": 0}
        self.bots = [BotProcess(home / str(number), settings) for number in (1, 2)]
        self.accounts = [OneBotClient(bot.onebot_url, 10_081 + n) for n, bot in enumerate(self.bots)]
        self.up = [False, False]
        self.groups: list[Both] = []
        self.lines: list[Line] = []
        self._numbers = count(1)

    async def connect(self, number: int) -> None:
        """Connect an account again and again until it is."""
        while True:
            with suppress(OSError, ConnectionClosed, TimeoutError, AssertionError, Exception):
                with suppress(ConnectionClosed, AssertionError):
                    await self.accounts[number].disconnect()
                await self.accounts[number].connect()
                self.up[number] = True
                return
            await asyncio.sleep(0.2)

    async def start(self) -> None:
        """Both, and three groups that both accounts are in."""
        await asyncio.gather(*(bot.start() for bot in self.bots))
        await asyncio.gather(*(self.connect(number) for number in (0, 1)))
        self.groups = [Both(*self.accounts) for _ in range(3)]

    async def talk(self, chance: random.Random) -> None:
        """Say numbered lines until cancelled, each by another member: none is like what its speaker has."""
        while True:
            number = next(self._numbers)
            where = chance.randrange(len(self.groups))
            reminds = number % 3 == 0
            mark = f"R{number:04}" if reminds else f"T{number:04}"
            words = f"小秘 15秒后提醒我整理{mark}资料" if reminds else f"小秘 帮我建个任务整理{mark}资料"
            who = self.groups[where].rooms[0].member("甲")
            said = await self.groups[where].say(who, words, heard_by=[])
            line = Line(mark, said, time.monotonic(), reminds)
            self.lines.append(line)
            for account in (0, 1):
                if self.up[account]:
                    with suppress(ConnectionClosed, OSError, AssertionError):
                        await self.groups[where].rooms[account].deliver(said[account])
                        line.heard_by.add(account)
            await asyncio.sleep(chance.uniform(1.0, 3.0))

    async def fault(self, kind: str, number: int, server: Any, chance: random.Random) -> None:
        """One fault of one of the two, until it is over."""
        bot = self.bots[number]
        assert bot.process is not None
        if kind == "pause":
            os.kill(bot.process.pid, signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(4.0, 12.0))
            os.kill(bot.process.pid, signal.SIGCONT)
        elif kind == "cut":
            await server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", DATABASE
            )
        else:
            self.up[number] = False
            await (bot.kill() if kind == "kill" else bot.stop())
            await asyncio.sleep(chance.choice([0.0, 3.0, 18.0]) if kind == "kill" else 0.0)
            await bot.restart()
            await self.connect(number)

    async def close(self) -> None:
        """End everything."""
        for account in self.accounts:
            with suppress(Exception):
                await account.disconnect()
        for bot in self.bots:
            await bot.close()

    def heard(self) -> tuple[Counter[str], Counter[str], Counter[str], dict[str, float]]:
        """By mark: answers, reminders, reminders that are marked as sent again; and when it was answered."""
        answers, told, marked = Counter[str](), Counter[str](), Counter[str]()
        first: dict[str, float] = {}
        for account in self.accounts:
            for sent in account.sends:
                for mark in set(re.findall(r"[RT]\d{4}", sent.text)):
                    if "补发" in sent.text:
                        marked[mark] += 1
                    elif "提醒：" in sent.text:
                        told[mark] += 1
                    else:
                        answers[mark] += 1
                        first[mark] = min(first.get(mark, sent.action.at), sent.action.at)
        return answers, told, marked, first


async def test_nothing_is_said_or_written_twice(
    tmp_path: Path, database: Any, record_property: Callable[[str, object], None]
) -> None:
    import asyncpg

    chance = random.Random(SEED)
    url = make_url(SERVER).set(drivername="postgresql+asyncpg", database=DATABASE)
    pair = Pair(tmp_path, url.render_as_string(hide_password=False))
    kinds = ["kill", "pause", "restart", "cut"] * (FAULTS // 4 + 1)
    try:
        await pair.start()
        talking = asyncio.create_task(pair.talk(chance))
        await asyncio.sleep(3)
        began = time.monotonic()
        story: list[str] = []
        for kind in kinds[:FAULTS]:
            number = chance.randrange(2)
            story.append(f"{time.monotonic() - began:.1f} {kind} {number + 1}, before {len(pair.lines)}")
            await pair.fault(kind, number, database, chance)
            story.append(f"{time.monotonic() - began:.1f} over")
            await asyncio.sleep(chance.uniform(2.0, 5.0))
        await asyncio.sleep(3)
        talking.cancel()
        await asyncio.wait([talking])
        await asyncio.sleep(ANSWERED + 5)
        answers, told, marked, first = pair.heard()
        there = {"host": url.host, "port": url.port, "user": url.username, "password": url.password}
        rows = await asyncpg.connect(**there, database=DATABASE)
        titles = [row["title"] for row in await rows.fetch("SELECT title FROM mishu_task")]
        said = [row["text"] for row in await rows.fetch("SELECT text FROM mishu_ledger WHERE NOT is_bot")]
        await rows.close()
    finally:
        await pair.close()
    tasks = Counter(mark for title in titles for mark in re.findall(r"[RT]\d{4}", title))
    kept = Counter(mark for text in said for mark in re.findall(r"[RT]\d{4}", text))
    lines = {line.mark: line for line in pair.lines if line.heard_by}
    late = [m for m, at in first.items() if m in lines and at - lines[m].at > ANSWERED + PATIENT]
    report: dict[str, Any] = {
        "faults": FAULTS,
        "lines": len(lines),
        "answered twice": sorted(mark for mark, times in answers.items() if times > 1),
        "written twice": sorted(mark for mark, times in tasks.items() if times > 1),
        "kept twice": sorted(mark for mark, times in kept.items() if times > 1),
        "told twice unmarked": sorted(mark for mark, times in told.items() if times > 1),
        "told again, marked": sorted(marked),
        "unanswered": sorted(mark for mark in lines if not answers[mark]),
        "answered and not written": sorted(mark for mark in answers if mark in lines and not tasks[mark]),
        "answered late": late,
        "slowest": max((at - lines[m].at for m, at in first.items() if m in lines), default=0.0),
        "reminders not told": sorted(m for m in tasks if m[0] == "R" and not told[m] + marked[m]),
    }
    odd = [*report["answered twice"], *report["told twice unmarked"], *report["unanswered"]]
    for account in pair.accounts:
        for sent in account.sends:
            if any(mark in sent.text for mark in odd):
                story.append(f"{sent.action.at - began:.1f} {account.self_id} {sent.text!r} {sent.quotes}")
    for line in pair.lines:
        if line.mark in odd:
            ids = [one.id for one in line.said]
            story.append(f"{line.at - began:.1f} {line.mark} said {ids}, heard by {sorted(line.heard_by)}")
    report["story"] = story
    for name, value in report.items():
        record_property(name, value)
        print(f"{name}: {value}")  # noqa: T201 - the figures, with -s
    tail = "\n".join(bot.tail(30) for bot in pair.bots)
    for name in ("answered twice", "written twice", "kept twice", "told twice unmarked", "answered late"):
        assert not report[name], f"{report}\n{tail}"
    assert len(report["unanswered"]) <= max(1, len(lines) // 50), f"{report}\n{tail}"
