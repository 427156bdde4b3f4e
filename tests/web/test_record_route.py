"""`GET /api/groups/{id}/record`: its two shapes, its parameters, and a group nobody ever saw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import FastAPI, Request
from httpx import ASGITransport, AsyncClient
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
from nonebot_plugin_mishu.web.layers import handlers
from nonebot_plugin_mishu.web.layers.guard import ACTOR
from nonebot_plugin_mishu.web.routes.record import routes
from stand_ins import line
from starlette.responses import Response

ZONE = ZoneInfo("Asia/Shanghai")


class Backend:
    """Knows one group."""

    zone = ZONE

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}

    async def account_in(self, group_id: str, self_id: str | None = None) -> str | None:
        return self_id or ("10000" if group_id != "nobody" else None)

    async def record_lines(self, conversation: Conversation, **asked: Any) -> Sequence[LedgerMessage] | None:
        self.asked = asked
        return None if conversation.peer == "0" else [line(1, "报销单")]

    async def record_digest(
        self, conversation: Conversation, **asked: Any
    ) -> Sequence[tuple[str, Sequence[str]]] | None:
        self.asked = asked
        return None if conversation.peer == "0" else [("小红说定在周五了。", ("1", "2"))]


async def _get(backend: Backend, path: str, *, actor: Actor = OWNER, **query: Any) -> tuple[int, Any]:
    app = FastAPI()

    @app.middleware("http")
    async def whoever(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        request.scope[ACTOR] = actor
        return await call_next(request)

    handlers.install(app)
    app.include_router(routes(backend))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as client:
        answer = await client.get(path, params=query)
        return answer.status_code, answer.json()


async def test_lines_and_a_digest() -> None:
    backend = Backend()
    given = {"q": "报销 单", "from": "2026-05-20", "to": "2026-05-21T12:00:00+08:00", "user": "7"}
    status, lines = await _get(backend, "/groups/1/record", **given)
    assert status == 200
    assert [set(each) for each in lines] == [{"id", "user", "name", "time", "text"}]
    assert backend.asked == {
        "words": ["报销", "单"],
        "user_id": "7",
        "since": datetime(2026, 5, 20, tzinfo=ZONE).timestamp(),
        "until": datetime(2026, 5, 21, 12, tzinfo=ZONE).timestamp(),
        "limit": 50,
    }
    status, told = await _get(backend, "/groups/1/record", digest="true")
    assert (status, told) == (200, {"sentences": [{"text": "小红说定在周五了。", "lines": ["1", "2"]}]})


async def test_a_group_nobody_ever_saw_and_a_time_that_is_none() -> None:
    for query in ({}, {"digest": "true"}):
        assert (await _get(Backend(), "/groups/0/record", **query))[0] == 404
        assert (await _get(Backend(), "/groups/nobody/record", **query))[0] == 404
    status, error = await _get(Backend(), "/groups/1/record", **{"from": "上周"})
    assert status == 422
    assert "from" in str(error)


async def test_a_member_of_another_group_sees_nothing() -> None:
    stranger = Actor("member", "7", "2")
    assert (await _get(Backend(), "/groups/1/record", actor=stranger))[0] == 403
