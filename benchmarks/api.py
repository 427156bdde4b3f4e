"""The HTTP API over a full database: every route that looks something up, each question alone.

10,000 schedules and 100,000 records and messages, most of them in one of fifty groups
(`instances/full.py`). In process: the whole
application with its gate, without a socket. SQLite always, PostgreSQL where `MISHU_TEST_DATABASE_URL` names a
database whose tables may be dropped.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import nonebot

from .instances.full import BUSY, ZONE, filled
from .measurement import Measurement

ROUNDS = 40
GOAL_MS = 20.0
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
MONTH = "from=2026-11-01&to=2026-12-01"
QUESTIONS = {
    "groups": "/api/groups",
    "members": f"/api/groups/{BUSY}/members",
    "a month of schedules": f"/api/groups/{BUSY}/schedules?expand=true&{MONTH}",
    "a day of schedules": f"/api/groups/{BUSY}/schedules?expand=true&from=2026-11-18&to=2026-11-19",
    "the first schedules": f"/api/groups/{BUSY}/schedules",
    "a member's tasks": "/api/users/7/tasks",
    "a member's week of tasks": f"/api/users/7/tasks?group_id={BUSY}&from=2026-11-18&to=2026-11-25",
    "balances": f"/api/groups/{BUSY}/balances",
    "a month of transactions": f"/api/groups/{BUSY}/transactions?{MONTH}",
    "the first transactions": f"/api/groups/{BUSY}/transactions",
    "budgets": f"/api/groups/{BUSY}/budgets?user_id=7",
    "messages": f"/api/groups/{BUSY}/messages?limit=200",
    "decisions": f"/api/groups/{BUSY}/decisions",
    "presence": f"/api/groups/{BUSY}/presence",
    "settings": f"/api/groups/{BUSY}/settings",
    "the record, by a word": f"/api/groups/{BUSY}/record?q=报销单",
    "the record, by a rare word": f"/api/groups/{BUSY}/record?q=订位子 480",
    "thirty days of usage": "/api/usage",
    "thirty days of a group's usage": f"/api/usage?group_id={BUSY}",
    "memory": "/api/users/7/memory",
}


def run() -> Iterator[Measurement]:
    """The median of each question, in ms."""
    nonebot.init(driver="~fastapi", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    server = os.environ.get("MISHU_TEST_DATABASE_URL")
    for kind, url in (("SQLite", None), ("PostgreSQL", server)):
        if kind == "PostgreSQL" and url is None:
            continue
        for name, median in asyncio.run(_measure_routes(url)).items():
            yield Measurement(
                f"API, {name} ({kind})", median, "ms", goal=f"≤ {GOAL_MS:g} ms", met=median <= GOAL_MS
            )


async def _measure_routes(url: str | None) -> dict[str, float]:
    async with full(url) as client:
        found: dict[str, float] = {}
        for name, path in QUESTIONS.items():
            times: list[float] = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                answer = await client.get(path)
                times.append((time.perf_counter() - began) * 1000)
                assert answer.status_code == 200, answer.text
                assert answer.json() or name == "memory", path
            found[name] = statistics.median(times)
        return found


@asynccontextmanager
async def full(url: str | None) -> AsyncGenerator[httpx.AsyncClient]:
    """The API over a running plugin with a full database, asked from this machine."""
    from fastapi import FastAPI
    from nonebot_plugin_mishu.app.runtime import Runtime
    from nonebot_plugin_mishu.clock import Clock
    from nonebot_plugin_mishu.config import Config
    from nonebot_plugin_mishu.storage import default_url
    from nonebot_plugin_mishu.web.app import create_app

    class Standing(Clock):
        def wall(self) -> float:
            return NOW.timestamp()

    with tempfile.TemporaryDirectory() as directory:
        platform: Any = SimpleNamespace(
            accounts=lambda: ["1"], names_of=lambda _: (), call=lambda *_: None, recording=None
        )
        runtime = Runtime(Config(), ["秘书"], platform, Standing(ZONE))
        if url is not None:
            await _dropped(url)
        await runtime.start(url or default_url(Path(directory)))
        try:
            await filled(runtime.storage, NOW)
            assert runtime.console is not None
            app = FastAPI()
            app.mount("/api", create_app(runtime.console, token=None, office=runtime.console.office))
            transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                yield client
        finally:
            await runtime.stop()


async def _dropped(url: str) -> None:
    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await engine.dispose()
