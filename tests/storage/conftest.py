"""Every test of storage runs on SQLite and, where `MISHU_TEST_DATABASE_URL` is set, on PostgreSQL.

PostgreSQL tests get a database of their own beside the one named, made once and emptied for each test.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.engine import writer
from ready_database import OwnDatabase, ready_url

LONG_ON_A_SERVER = {
    "test_storage_backup",
    "test_storage_migrations",
    "test_storage_move",
    "test_storage_open",
    "test_storage_personal",
    "test_storage_restarting_server",
    "test_storage_traces",
    "test_storage_trouble",
}
"""Modules whose tests move, drop or restart whole databases."""

PATIENT = 30.0
"""Seconds a test waits for its database where it is not about waiting: the disk of a busy machine takes
longer than what a bot would wait for."""

Opener = Callable[..., Awaitable[Storage]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes seconds on a server is exhaustive there; SQLite tries it by default."""
    for item in items:
        shape = getattr(item, "callspec", None)
        if (
            shape is not None
            and shape.params.get("kind") == "postgresql"
            and item.path.stem in LONG_ON_A_SERVER
        ):
            item.add_marker(pytest.mark.exhaustive)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgresql() -> AsyncIterator[OwnDatabase]:
    """An own PostgreSQL database."""
    async with OwnDatabase("test") as own:
        yield own


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str | OwnDatabase:
    return default_url(tmp_path) if kind == "sqlite" else request.getfixturevalue("postgresql")


@pytest_asyncio.fixture(loop_scope="session")
async def url(place: str | OwnDatabase, request: pytest.FixtureRequest) -> str:
    """The address of a database: an empty one, but for tests that open it by `opened` (see there)."""
    if isinstance(place, str):
        return place
    return await (place.ready() if _wants_tables(request) else place.empty())


def _wants_tables(request: pytest.FixtureRequest) -> bool:
    return "opened" in request.fixturenames and not getattr(request.module, "EMPTY", False)


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
    if url == default_url(tmp_path) and _wants_tables(request):
        await ready_url(tmp_path)

    async def opening(**options: Any) -> Storage:
        options.setdefault("deadline", PATIENT)
        storage = await Storage.open(url, on_trouble=said.append, **options)
        storages.append(storage)
        return storage

    yield opening
    for storage in storages:
        await storage.close()


@pytest_asyncio.fixture(loop_scope="session")
async def storage(opened: Opener) -> Storage:
    return await opened()


@pytest.fixture(params=["queued", "on disk"])
def settle(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Storage], Awaitable]:
    """Brings what was appended to where the test wants it: left in the queue, or written."""
    if request.param == "queued":
        monkeypatch.setattr(writer, "DELAY", 3600.0)

    async def settled(storage: Storage) -> None:
        if request.param == "on disk":
            await storage.ledger.flush()

    return settled
