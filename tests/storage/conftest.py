"""Every test of storage runs on SQLite and, where `MISHU_TEST_DATABASE_URL` is set, on PostgreSQL.

PostgreSQL tests get a database of their own beside the one named, made once and emptied for each test, so
that nothing of the named one is touched and test runs do not meet.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.storage import Storage, default_url
from ready_database import ready_url
from sqlalchemy import URL, make_url

SERVER = os.environ.get("MISHU_TEST_DATABASE_URL", "")
OWN = f"mishu_test_{os.getpid()}"

Opener = Callable[..., Awaitable[Storage]]


def _arguments(url: URL) -> dict[str, Any]:
    return {
        "host": url.host,
        "port": url.port,
        "user": url.username,
        "password": url.password,
        "database": url.database,
        "timeout": 10,
    }


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgresql() -> AsyncIterator[URL]:
    """The address of an own, empty PostgreSQL database."""
    if not SERVER:
        pytest.skip("MISHU_TEST_DATABASE_URL is not set")
    asyncpg = pytest.importorskip("asyncpg")
    server = make_url(SERVER).set(drivername="postgresql+asyncpg")
    connection = await asyncpg.connect(**_arguments(server))
    await connection.execute(f'DROP DATABASE IF EXISTS "{OWN}" WITH (FORCE)')
    await connection.execute(f'CREATE DATABASE "{OWN}"')
    yield server.set(database=OWN)
    await connection.execute(f'DROP DATABASE IF EXISTS "{OWN}" WITH (FORCE)')
    await connection.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str | URL:
    return default_url(tmp_path) if kind == "sqlite" else request.getfixturevalue("postgresql")


@pytest_asyncio.fixture(loop_scope="session")
async def url(place: str | URL) -> str:
    """The address of an empty database."""
    return place if isinstance(place, str) else await _emptied(place)


async def _emptied(address: URL) -> str:
    import asyncpg

    connection = await asyncpg.connect(**_arguments(address))
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()
    return address.render_as_string(hide_password=False)


@pytest.fixture
def said() -> list[str]:
    """What storages of this test told `on_trouble`."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def opened(
    request: pytest.FixtureRequest, url: str, said: list[str], tmp_path: Path
) -> AsyncIterator[Opener]:
    """Opens storages on this test's database, and closes them at its end.

    In modules that say `EMPTY` the database has no tables yet.
    """
    storages: list[Storage] = []
    if url == default_url(tmp_path) and not getattr(request.module, "EMPTY", False):
        await ready_url(tmp_path)

    async def opening(**options: Any) -> Storage:
        storage = await Storage.open(url, on_trouble=said.append, **options)
        storages.append(storage)
        return storage

    yield opening
    for storage in storages:
        await storage.close()


@pytest_asyncio.fixture(loop_scope="session")
async def storage(opened: Opener) -> Storage:
    return await opened()
