"""The running plugin on a real database of either kind, a platform that notes, and clients of any actor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
import pytest_asyncio
from nonebot_plugin_mishu.app.runtime import Runtime
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.services.access.actor import Actor
from nonebot_plugin_mishu.services.office import Office
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
from nonebot_plugin_mishu.web.layers.guard import ACTOR
from ready_database import OwnDatabase, ready_url
from shared_app import share_app
from stand_ins import FakePlatform

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
"""A Wednesday."""
BOT = "10000"
GROUP = "777001"
PLACE = Conversation(BOT, "group", GROUP)
MING, YA, WANG = "101", "102", "103"


class StandingClock(Clock):
    """It is `NOW`, until a test says otherwise."""

    def __init__(self) -> None:
        super().__init__(ZONE)
        self.ahead = 0.0

    def wall(self) -> float:
        return NOW.timestamp() + self.ahead


@dataclass
class Running:
    """The plugin, and how requests get to it."""

    runtime: Runtime
    platform: FakePlatform
    clock: StandingClock
    app: Any

    @property
    def office(self) -> Office:
        assert self.runtime.console is not None
        assert self.runtime.console.office is not None
        return self.runtime.console.office

    def client(self, actor: Actor | None = None, **headers: str) -> httpx.AsyncClient:
        """A client of this machine: the owner, or whoever a session would make of it."""

        app = self.app

        async def asking(scope: Any, receive: Any, send: Any) -> None:
            inner = {**scope, "path": scope["path"].removeprefix("/api")}
            await app(_As(inner, actor), receive, send)

        transport = httpx.ASGITransport(asking, client=("127.0.0.1", 50_000))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080/api", headers=headers)

    async def say(self, user: str, name: str, text: str = "在", role: Any = "member", at: float = 0) -> None:
        """Put a line into the ledger."""
        storage = self.runtime.storage
        assert storage is not None
        receipt = self.clock.receipt()
        storage.ledger.append(
            LedgerMessage(PLACE, str(receipt), NOW.timestamp() + at, receipt, user, name, role, text)
        )


class _As(dict[str, Any]):
    """A scope in which the guard's owner is a session's actor instead."""

    def __init__(self, scope: dict[str, Any], actor: Actor | None) -> None:
        super().__init__(scope)
        self._actor = actor

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, self._actor if key == ACTOR and self._actor is not None else value)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def kind(request: pytest.FixtureRequest) -> str:
    """What the routes say is the same on both; `tests/storage` tries both in every run, and here one walk
    over every route."""
    return request.param


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgresql() -> AsyncIterator[OwnDatabase]:
    async with OwnDatabase("api") as own:
        yield own


@pytest.fixture
def ready(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Awaitable[str]]:
    """Makes a database with all tables; the address to open."""
    return partial(ready_url, tmp_path) if kind == "sqlite" else request.getfixturevalue("postgresql").ready


@pytest_asyncio.fixture(loop_scope="session")
async def running(ready: Callable[[], Awaitable[str]]) -> AsyncIterator[Running]:
    url = await ready()
    clock, platform = StandingClock(), FakePlatform()
    config = Config.model_validate({"qq": {"send_gap": 0}})
    runtime = Runtime(config, ["秘书"], platform, clock)  # type: ignore[arg-type]
    await runtime.start(url)
    assert runtime.console is not None
    app = share_app(runtime.console, token=None, office=runtime.console.office)
    found = Running(runtime, platform, clock, app)
    for user, name, role in ((MING, "小明", "member"), (YA, "小雅", "admin"), (WANG, "小王", "owner")):
        await found.say(user, name, role=role)
    assert runtime.storage is not None
    await runtime.storage.usage.today(0.0)  # flushes
    yield found
    await runtime.stop()
