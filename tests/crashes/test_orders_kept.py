"""`kill -9` again and again while orders are given: what was said to be done is there, once, and nobody who
called is left without a word.

`MISHU_TEST_KILLS` says how often it is killed. It runs on PostgreSQL too where `MISHU_TEST_DATABASE_URL`
names a server.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from e2e.harness import Api, BotProcess, OneBotClient
from nonebot_plugin_mishu.frontdesk.resuming import GAVE_UP
from sqlalchemy import make_url

from .orders import Orders, fate

pytestmark = pytest.mark.exhaustive

KILLS = int(os.environ.get("MISHU_TEST_KILLS", "10"))
SEED = int(os.environ.get("MISHU_TEST_SEED", "1"))
LINES_PER_KILL = 13
SOONEST, LATEST = 0.2, 3.0
"""Seconds of orders before a kill."""
HEARD = float(os.environ.get("MISHU_TEST_HEARD", "7"))
"""Seconds before a kill in which a line may not be on disk. The promise is half a second, which a machine
that is busy with other tests does not keep: it hears late. On a quiet one say 0.5."""
AT_REST, QUIET = 90.0, 8.0
SERVER = os.environ.get("MISHU_TEST_DATABASE_URL", "")


@pytest_asyncio.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database of this test's own."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'mishu.db'}"
        return
    if not SERVER:
        pytest.skip("MISHU_TEST_DATABASE_URL is not set")
    import asyncpg

    server = make_url(SERVER).set(drivername="postgresql+asyncpg")
    name = f"mishu_kills_{os.getpid()}"
    plain = server.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    await connection.execute(f'CREATE DATABASE "{name}"')
    yield server.set(database=name).render_as_string(hide_password=False)
    await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    await connection.close()


async def test_orders_are_kept_over_kills(
    tmp_path: Path, url: str, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(SEED)
    bot = BotProcess(tmp_path, {"LOG_LEVEL": "WARNING", "MISHU__DATABASE_URL": url})
    account = OneBotClient(bot.onebot_url, 10_078)
    orders = Orders(account, SEED)
    try:
        for _ in range(KILLS):
            await bot.start()
            await _connected(bot, account)
            within = chance.uniform(SOONEST, LATEST)
            saying = asyncio.create_task(orders.say(LINES_PER_KILL, within))
            await asyncio.sleep(within)
            orders.killed(time.monotonic())

            await bot.kill()
            await asyncio.wait_for(saying, 30)
            orders.dead()
            await account.disconnect()
        await bot.start()
        await _connected(bot, account)
        await _at_rest(account)
        await account.disconnect()
        await bot.stop(within=60)
    finally:
        await bot.close()
    became = await fate(orders, url, GAVE_UP)
    for name, value in {"kills": KILLS, **vars(became)}.items():
        number = len(value) if isinstance(value, (list, dict)) else value
        record_property(name, number)
        print(f"{name}: {number} {value if isinstance(value, (list, dict)) and value else ''}")  # noqa: T201
    assert became.said > 3 * KILLS
    assert became.kept > KILLS, "hardly anything was promised"
    assert not became.lost
    assert not became.doubled
    assert not became.answered_twice
    assert max(became.said_again.values(), default=0.0) <= HEARD, "a reply is noted as sent at once"
    assert not became.without_a_word
    assert max(became.unheard.values(), default=0.0) <= HEARD
    assert len(became.cut_off) <= 1 + KILLS // 10, became.cut_off
    assert "Traceback" not in bot.log


async def _connected(bot: BotProcess, account: OneBotClient) -> None:
    await account.connect()
    api = Api(bot.url)
    try:
        await api.poll(api.health, lambda seen: account.self_id in map(str, seen["bots"]), "connected")
    finally:
        await api.close()


async def _at_rest(account: OneBotClient) -> None:
    """Wait until nothing has been said for a while."""
    end, seen, since = time.monotonic() + AT_REST, -1, time.monotonic()
    while time.monotonic() - since < QUIET:
        assert time.monotonic() < end, "still speaking"
        if len(account.sends) != seen:
            seen, since = len(account.sends), time.monotonic()
        await asyncio.sleep(0.1)
