"""An office over a storage on disk, for each test."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.storage import Storage

from .schedule_support import Office


@pytest.fixture
def office(storage: Storage) -> Office:
    return Office(storage)
