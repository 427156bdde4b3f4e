"""The HTTP API over a full database: what a page asks for first, each question alone, as it is answered.

10,000 schedules and 100,000 records and messages, most of them in one of fifty groups. In process: the whole
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
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import nonebot

from .measurement import Measurement

SCHEDULES, RECORDS, GROUPS = 10_000, 100_000, 50
CHUNK = 5_000
ROUNDS = 40
GOAL_MS = 20.0
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
BUSY = "777000"
MONTH = "from=2026-11-01&to=2026-12-01"
QUESTIONS = {
    "groups": "/api/groups",
    "a month of schedules": f"/api/groups/{BUSY}/schedules?expand=true&{MONTH}",
    "balances": f"/api/groups/{BUSY}/balances",
    "a month of transactions": f"/api/groups/{BUSY}/transactions?{MONTH}",
    "the first transactions": f"/api/groups/{BUSY}/transactions",
    "members": f"/api/groups/{BUSY}/members",
}


def run() -> Iterator[Measurement]:
    """The median of each question, in ms."""
    nonebot.init(driver="~fastapi", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    server = os.environ.get("MISHU_TEST_DATABASE_URL")
    for kind, url in (("SQLite", None), ("PostgreSQL", server)):
        if kind == "PostgreSQL" and url is None:
            continue
        for name, median in asyncio.run(_asked(url)).items():
            yield Measurement(
                f"API, {name} ({kind})", median, "ms", goal=f"≤ {GOAL_MS:g} ms", met=median <= GOAL_MS
            )


async def _asked(url: str | None) -> dict[str, float]:
    async with full(url) as client:
        found: dict[str, float] = {}
        for name, path in QUESTIONS.items():
            times: list[float] = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                answer = await client.get(path)
                times.append((time.perf_counter() - began) * 1000)
                assert answer.status_code == 200, answer.text
                assert len(answer.json()) >= 1, path
            found[name] = statistics.median(times)
        return found


@asynccontextmanager
async def full(url: str | None) -> AsyncGenerator[httpx.AsyncClient]:
    """The API over a running plugin with a full database, asked from this machine."""
    from fastapi import FastAPI
    from nonebot_plugin_mishu.clock import Clock
    from nonebot_plugin_mishu.config import Config
    from nonebot_plugin_mishu.runtime import Runtime
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
            await _filled(runtime.storage)
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


async def _filled(storage: Any) -> None:
    from nonebot_plugin_mishu.storage.tables import ledger
    from nonebot_plugin_mishu.storage.tables_schedules import schedule
    from nonebot_plugin_mishu.storage.tables_transactions import transaction
    from sqlalchemy import text

    chance = Random(1)

    def place(number: int) -> dict[str, str]:
        peer = BUSY if number % 5 else f"{777_001 + number // 5 % (GROUPS - 1)}"
        return {"self_id": "1", "kind": "group", "peer": peer}

    def planned(number: int) -> dict[str, Any]:
        weekly = number % 40 == 0
        start = NOW + timedelta(hours=2 * (number - SCHEDULES // 2))
        return {
            **place(number), "start": f"{start:%Y-%m-%d %H:%M:%S}", "zone": ZONE.key, "end": None,
            "segment": None, "description": f"评审{number}", "place": None,
            "recurrence": {"freq": "weekly", "interval": 1} if weekly else None, "until": None,
            "lead_minutes": None, "everybody": False, "created_by": "1", "creator": "小明", "joined": [],
            "origin": f"made:{number}", "touched": None, "created_at": 1.0, "updated_at": 1.0,
            "deleted": False,
        }  # fmt: skip

    def recorded(number: int) -> dict[str, Any]:
        payer, other = chance.sample(range(30), 2)
        shared, fen = number % 50 == 1, 2 * chance.randrange(500, 9_000)
        shares = [[str(payer), "甲", fen // 2], [str(other), "乙", fen // 2]] if shared else []
        return {
            **place(number), "user_id": str(payer), "user_name": "小明", "type": "EXPENSE", "fen": fen,
            "category": ("餐饮", "交通", "购物", "居住")[number % 4], "description": "午饭",
            "day": (date(2024, 1, 1) + timedelta(days=number % 1050)).isoformat(),
            "shared": shared, "shares": shares, "batch": f"b{number}", "place": 0, "ticket": 1,
            "created_at": float(number), "updated_at": float(number),
        }  # fmt: skip

    def said(number: int) -> dict[str, Any]:
        from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
        from nonebot_plugin_mishu.storage.rows import ledger_values

        where = place(number)
        return dict(
            ledger_values(
                LedgerMessage(
                    Conversation(where["self_id"], "group", where["peer"]),
                    str(number),
                    NOW.timestamp() - RECORDS + number,
                    number,
                    str(chance.randrange(300)),
                    "小明",
                    "member",
                    "今天吃什么",
                )
            )
        )

    for table, count, row in (
        (schedule, SCHEDULES, planned),
        (transaction, RECORDS, recorded),
        (ledger, RECORDS, said),
    ):
        for start in range(0, count, CHUNK):
            part = [row(number) for number in range(start, start + CHUNK)]

            async def work(connection: Any, table: Any = table, part: list[Any] = part) -> None:
                await connection.execute(table.insert(), part)

            await storage._writer.run(work)

    async def looked_over(connection: Any) -> None:
        # What a server does by itself some moments after so many rows.
        await connection.execute(text("ANALYZE"))

    await storage._writer.run(looked_over)
