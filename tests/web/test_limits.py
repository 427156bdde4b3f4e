"""413 for a body over 1 MiB, announced or not, used by the route or not."""

from __future__ import annotations

import asyncio
from typing import Any

from nonebot_plugin_mishu.web.layers.limits import MAX_BODY, BodyLimit

from .conftest import FakeBackend, Serve, client_of


async def test_pitfall_57_announced_length_over_the_limit_is_413(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        answer = await client.request("GET", "/api/health", content=b"x" * (MAX_BODY + 1))
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


async def test_a_body_of_exactly_the_limit_passes(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        assert (await client.request("GET", "/api/health", content=b"x" * MAX_BODY)).status_code == 200


async def test_pitfall_57_chunked_body_over_the_limit_is_413(backend: FakeBackend, serve: Serve) -> None:
    head = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    async with serve() as served:
        status, body = await served.raw(head + b"Connection: close\r\n\r\n" + chunk * 17)
        assert status == 413
        assert b'"too_large"' in body
        status, _ = await served.raw(head + b"Connection: close\r\n\r\n" + chunk + b"0\r\n\r\n")
        assert status == 200


async def test_false_length_is_413_before_anything_is_read(backend: FakeBackend, serve: Serve) -> None:
    async with serve() as served:
        status, _ = await served.raw(
            b"POST /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n"
            b"Connection: close\r\n\r\n"
        )
    assert status == 413


async def through(limit: BodyLimit, *messages: dict[str, Any], headers: Any) -> list[Any]:
    waiting = list(messages)
    sent: list[Any] = []

    async def receive() -> Any:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        return None

    async def send(message: Any) -> None:
        sent.append(message)

    await limit({"type": "http", "headers": headers}, receive, send)
    return sent


async def test_a_body_that_does_not_come_to_an_end_is_given_up() -> None:
    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    limit = BodyLimit(never, timeout=0.01)
    part = {"type": "http.request", "body": b"x", "more_body": True}
    sent = await through(limit, part, headers=[(b"transfer-encoding", b"chunked")])
    assert sent[0]["status"] == 408


async def test_the_route_gets_the_body_whole() -> None:
    got: list[Any] = []

    async def route(scope: Any, receive: Any, send: Any) -> None:
        got.append(await receive())
        got.append(await receive())

    await through(
        BodyLimit(route),
        {"type": "http.request", "body": b"ab", "more_body": True},
        {"type": "http.request", "body": b"c", "more_body": False},
        {"type": "http.disconnect"},
        headers=[(b"content-length", b"3")],
    )
    assert got[0] == {"type": "http.request", "body": b"abc", "more_body": False}
    assert got[1] == {"type": "http.disconnect"}
