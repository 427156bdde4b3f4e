"""The account books: reading a sentence, a month's query among many transactions, and its picture."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import nonebot
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from .measurement import Measurement

ROWS = 100_000
CHUNK = 5000
ROUNDS = 30
GOAL_QUERY_MS = 50.0
GOAL_READ_MS = 2.0
GOAL_PICTURE_MS = 1000.0
PICTURES = 10
ZONE = ZoneInfo("Asia/Shanghai")
SENTENCES = ("午饭35，打车20", "昨天午饭35打车20", "2月15号吃饭50", "聚餐300 AA 五个人", "工资8000")


def run() -> Iterable[Measurement]:
    """Reading in ms, the sums and the list of one member's month in ms."""
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.agents.bookkeeping import read_items

    now = datetime(2026, 11, 21, 9, tzinfo=ZONE)
    times: list[float] = []
    for _ in range(ROUNDS):
        for text in SENTENCES:
            began = time.perf_counter()
            read_items(text, now, ZONE)
            times.append((time.perf_counter() - began) * 1000)
    median = statistics.median(times)
    goal = f"below {GOAL_READ_MS:g} ms"
    yield Measurement("books, reading a sentence, median", median, "ms", goal=goal, met=median < GOAL_READ_MS)
    took = _picture()
    if took is not None:
        goal = f"below {GOAL_PICTURE_MS:g} ms"
        name = "books, a month's picture, median"
        yield Measurement(name, took, "ms", goal=goal, met=took < GOAL_PICTURE_MS)
    for name, took in asyncio.run(_queries()).items():
        goal = f"below {GOAL_QUERY_MS:g} ms"
        yield Measurement(name, took, "ms", goal=goal, met=took < GOAL_QUERY_MS)


def _picture() -> float | None:
    """Drawing nine categories and thirty days in ms; None on a machine without a Chinese font."""
    from nonebot_plugin_mishu.agents.bookkeeping.picture.chart import Chart, ChartBar, Slice
    from nonebot_plugin_mishu.agents.bookkeeping.picture.fonts import chinese_font
    from nonebot_plugin_mishu.agents.bookkeeping.picture.picture import draw

    font = chinese_font()
    if font is None:
        return None
    parts = tuple(Slice(name, 1000 * number, number) for number, name in enumerate("餐交购娱居医教通余", 1))
    bars = tuple(ChartBar(f"11/{day}", day * 700) for day in range(1, 31))
    chart = Chart("11月你的账", "EXPENSE", parts, bars, ("支出450元",))
    times: list[float] = []
    for _ in range(PICTURES):
        began = time.perf_counter()
        draw(chart, font)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


async def _queries() -> dict[str, float]:
    from nonebot_plugin_mishu.storage import Conversation, Storage, default_url
    from nonebot_plugin_mishu.storage.transactions.queries import BookSpan
    from nonebot_plugin_mishu.storage.transactions.tables import transaction

    group = Conversation("1", "group", "900")
    began = date(2024, 1, 1)
    rows = [
        {
            "self_id": "1",
            "kind": "group",
            "peer": "900",
            "user_id": str(number % 20),
            "user_name": "小明",
            "type": "EXPENSE" if number % 10 else "INCOME",
            "fen": 100 + number % 10_000,
            "category": ("餐饮", "交通", "购物", "居住")[number % 4],
            "description": "午饭",
            "day": (began + timedelta(days=number % 1050)).isoformat(),
            "shared": number % 50 == 0,
            "shares": [],
            "batch": f"b{number}",
            "place": 0,
            "ticket": 1,
            "created_at": float(number),
            "updated_at": float(number),
        }
        for number in range(ROWS)
    ]
    with tempfile.TemporaryDirectory() as directory:
        storage = await Storage.open(default_url(Path(directory)), on_trouble=print)
        try:
            for start in range(0, ROWS, CHUNK):
                adding = insert(transaction)
                part = rows[start : start + CHUNK]

                async def insert_transactions(connection: AsyncConnection) -> None:
                    await connection.execute(adding, part)  # noqa: B023 - awaited within the round

                await storage._writer.run(insert_transactions)  # pyright: ignore[reportPrivateUsage]
            month = BookSpan(group, "7", "2026-10-01", "2026-10-31")
            shared = BookSpan(group, None, "2026-10-01", "2026-10-31")
            books = storage.transactions
            return {
                f"books, a member's month among {ROWS:,}": await _median(lambda: books.sums(month)),
                f"books, a member's list among {ROWS:,}": await _median(lambda: books.list_records(month)),
                f"books, a group's month among {ROWS:,}": await _median(lambda: books.sums(shared)),
            }
        finally:
            await storage.close()


async def _median(ask: Callable[[], Awaitable[object]]) -> float:
    times: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await ask()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)
