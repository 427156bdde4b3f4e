"""`GET /api/usage`: days of our zone, who may be meant, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from fastapi import FastAPI
from nonebot_plugin_mishu.services.access.actor import OWNER
from nonebot_plugin_mishu.storage import ModelUsage
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web import DayOfUsage
from nonebot_plugin_mishu.web.acting import actor_of
from nonebot_plugin_mishu.web.layers.handlers import install
from nonebot_plugin_mishu.web.routes.usage import routes

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 9, tzinfo=SHANGHAI)


class Backend:
    """The running plugin, as far as this route sees it."""

    zone = SHANGHAI

    def __init__(self) -> None:
        self.asked: list[tuple[datetime, datetime, Conversation | None]] = []

    def now(self) -> datetime:
        return NOW

    async def account_in(self, group_id: str, self_id: str | None = None) -> str | None:
        return self_id or ("1" if group_id == "900" else None)

    async def usage(
        self, since: datetime, until: datetime, conversation: Conversation | None
    ) -> Sequence[DayOfUsage]:
        self.asked.append((since, until, conversation))
        used = ModelUsage("m", 3, 1, 1000, 400, 50, "chat_reply")
        return [
            DayOfUsage("2026-11-20", used, Decimal("0.0012345678")),
            DayOfUsage("2026-11-21", used, None),
        ]


async def get(backend: Backend, **query: Any) -> httpx.Response:
    app = FastAPI()
    app.dependency_overrides[actor_of] = lambda: OWNER
    app.include_router(routes(backend), prefix="/api")
    install(app)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        return await client.get("/api/usage", params=query)


async def test_rows_are_as_pinned() -> None:
    answer = await get(Backend())
    numbers = {"calls": 3, "tokens_in": 1000, "cached": 400, "tokens_out": 50}
    assert answer.json() == [
        {"day": "2026-11-20", "model": "m", "call": "chat_reply", **numbers, "yuan": "0.001235"},
        {"day": "2026-11-21", "model": "m", "call": "chat_reply", **numbers, "yuan": None},
    ]


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ({}, NOW - timedelta(days=30), NOW),
        ({"from": "2026-11-20"}, datetime(2026, 11, 20, tzinfo=SHANGHAI), NOW),
        (
            {"from": "2026-11-01T00:00:00+00:00", "to": "2026-11-02"},
            datetime(2026, 11, 1, 8, tzinfo=SHANGHAI),
            datetime(2026, 11, 2, tzinfo=SHANGHAI),
        ),
    ],
)
async def test_days_begin_in_our_zone(query: dict[str, str], since: datetime, until: datetime) -> None:
    backend = Backend()
    assert (await get(backend, **query)).status_code == 200
    assert backend.asked == [(since, until, None)]


async def test_one_group_of_the_account_that_is_there() -> None:
    backend = Backend()
    await get(backend, group_id="900")
    await get(backend, group_id="900", self_id="2")
    assert [where for _, _, where in backend.asked] == [
        Conversation("1", "group", "900"),
        Conversation("2", "group", "900"),
    ]
    assert (await get(backend, group_id="901")).json() == []


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"from": "gestern"}, "from"),
        ({"to": "2026-13-01"}, "to"),
        ({"from": "2026-11-01T00:00:00"}, "from"),
        ({"from": "2026-11-22"}, "from"),
        ({"from": "2026-01-01"}, "from"),
        ({"to": "0001-01-01T00:00:00+14:00"}, "to"),
    ],
)
async def test_what_is_no_span_is_refused_by_name(query: dict[str, str], named: str) -> None:
    backend = Backend()
    answer = await get(backend, **query)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith(named)
    assert backend.asked == []
