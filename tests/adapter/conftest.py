"""The desk that stands for the front desk in the tests of the wiring."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from nonebot.message import _event_preprocessors
from nonebot_plugin_mishu.app import plugin as entry
from wiring_support import FakeDesk


@pytest_asyncio.fixture(loop_scope="session")
async def desk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeDesk]:
    made = FakeDesk()
    monkeypatch.setattr(entry._installed, "desk", made)
    before = set(_event_preprocessors)
    yield made
    _event_preprocessors.intersection_update(before)
    for task in made.tasks:
        task.cancel()
