"""An office over a storage on disk, for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.storage import Storage
from ready_database import ready_url

from .tasks_support import Office


@pytest_asyncio.fixture(loop_scope="session")
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    opened = await Storage.open(await ready_url(tmp_path), on_trouble=print)
    yield opened
    await opened.close()


@pytest.fixture
def office(storage: Storage) -> Office:
    return Office(storage)
