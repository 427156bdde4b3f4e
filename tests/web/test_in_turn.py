"""A storm of requests waits in order before the database; what goes on for long does not stand in the way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from nonebot_plugin_mishu.web.layers.turns import InTurn


class Busy:
    """Answers when it is let go on; notes who is in at once."""

    def __init__(self) -> None:
        self.inside: list[str] = []
        self.most = 0
        self.order: list[str] = []
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        name = scope["path"]
        self.inside.append(name)
        self.order.append(name)
        self.most = max(self.most, len(self.inside))
        try:
            await self.go_on.wait()
            if name == "/broken":
                raise ValueError("broken")
            await send({"type": "http.response.start", "status": 200, "headers": []})
        finally:
            self.inside.remove(name)


async def _asked(door: InTurn, path: str, kind: str = "http") -> int:
    told: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            told.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    await door({"type": kind, "path": path, "method": "GET", "headers": []}, receive, send)
    return told[0]


async def test_only_so_many_are_let_in_at_once_and_in_order() -> None:
    busy = Busy()
    door = InTurn(busy, at_once=3)
    asked = [asyncio.create_task(_asked(door, f"/{number}")) for number in range(20)]
    await asyncio.sleep(0.01)
    assert busy.inside == ["/0", "/1", "/2"]
    live = asyncio.create_task(_asked(door, "/api/groups/1/events"))
    await asyncio.sleep(0.01)
    assert busy.inside[-1] == "/api/groups/1/events", "a stream needs no turn"
    busy.go_on.set()
    async with asyncio.timeout(10):
        assert await asyncio.gather(*asked, live) == [200] * 21
    assert busy.most == 4
    assert [name for name in busy.order if "events" not in name] == [f"/{number}" for number in range(20)]


async def test_a_turn_that_does_not_come_is_503_and_a_failure_gives_its_turn_back() -> None:
    busy = Busy()
    door = InTurn(busy, at_once=1, longest=0.01)
    broken = asyncio.create_task(_asked(door, "/broken"))
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        assert await _asked(door, "/late") == 503
        busy.go_on.set()
        with pytest.raises(ValueError, match="broken"):
            await broken
        assert await _asked(door, "/next") == 200
