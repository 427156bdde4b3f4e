"""An office over a storage on disk, for each test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.storage import Storage, default_url

from .tasks_support import Office


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all its tables, to be copied: making it anew for each test takes longer."""
    folder = tmp_path_factory.mktemp("empty")
    await (await Storage.open(default_url(folder), on_trouble=print)).close()
    return folder / "mishu.db"


@pytest_asyncio.fixture(loop_scope="session")
async def storage(tmp_path: Path, empty: Path) -> AsyncIterator[Storage]:
    shutil.copy(empty, tmp_path / "mishu.db")
    opened = await Storage.open(default_url(tmp_path), on_trouble=print)
    yield opened
    await opened.close()


@pytest.fixture
def office(storage: Storage) -> Office:
    return Office(storage)
