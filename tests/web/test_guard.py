"""Loopback or token: who is let in and who is not, by address, proxy, Host, Origin and token."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.web.layers.guard import LocalOrToken, is_local_authority, is_loopback
from pydantic import SecretStr

from .conftest import FakeBackend, Serve, client_of


async def ask(backend: FakeBackend, **options: Any) -> httpx.Response:
    headers = options.pop("headers", {})
    async with client_of(backend, **options) as client:
        return await client.get("/api/health", headers=headers)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
async def test_loopback_is_let_in(backend: FakeBackend, address: str) -> None:
    assert (await ask(backend, address=address)).status_code == 200


@pytest.mark.parametrize(
    "address", ["192.168.1.5", "8.8.8.8", "::ffff:8.8.8.8", "fe80::1", "testclient", "", "0.0.0.0", None]
)
async def test_strangers_are_not(backend: FakeBackend, address: str | None) -> None:
    answer = await ask(backend, address=address)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"
    assert "MISHU__WEB__TOKEN" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:8080"]
)
async def test_local_hosts(backend: FakeBackend, host: str) -> None:
    assert (await ask(backend, headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "evil.example#localhost",
        "192.168.1.5:8080",
        "0.0.0.0:8080",
        "2130706433",
        "localhost:8080:80",
        "localhost:x",
        "[::2]",
        "[::1].evil.example",
        "::1",
        "localhost, evil.example",
        "",
    ],
)
async def test_dns_rebinding_does_not_fool_it(backend: FakeBackend, host: str) -> None:
    assert (await ask(backend, headers={"Host": host})).status_code == 403


@pytest.mark.parametrize("origin", ["http://localhost:8080", "http://127.0.0.1:3000", "https://[::1]"])
async def test_local_origins(backend: FakeBackend, origin: str) -> None:
    assert (await ask(backend, headers={"Origin": origin})).status_code == 200
    crossing = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    assert (await ask(backend, headers=crossing)).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "chrome-extension://abcdef",
        "file://",
        "http://localhost/evil",
        "localhost",
    ],
)
async def test_foreign_origins(backend: FakeBackend, origin: str) -> None:
    assert (await ask(backend, headers={"Origin": origin})).status_code == 403


async def test_cross_site_request_without_origin(backend: FakeBackend) -> None:
    assert (await ask(backend, headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
    for site in ("same-origin", "same-site", "none"):
        assert (await ask(backend, headers={"Sec-Fetch-Site": site})).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        *("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "Via"),
        *("X-Forwarded", "X-ProxyUser-Ip", "X-Client-IP", "Client-IP", "True-Client-IP", "CF-Connecting-IP"),
        *("Fly-Client-IP", "X-Azure-ClientIP", "X-Cluster-Client-IP", "X-Originating-IP", "X-Remote-IP"),
        *("X-Remote-Addr", "X-Envoy-External-Address", "WL-Proxy-Client-IP", "Proxy-Connection", "CDN-Loop"),
        *("X-Original-Forwarded-For", "X-Original-Host", "X-Source-IP"),
    ],
)
async def test_forwarded_requests_are_not_local(backend: FakeBackend, name: str) -> None:
    answer = await ask(backend, headers={name: "127.0.0.1"})
    assert answer.status_code == 403
    assert "代理" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "name", ["User-Agent", "Accept", "Idempotency-Key", "X-Requested-With", "Priority", "DNT", "X-Tip"]
)
async def test_what_browsers_and_programs_send_tells_of_no_proxy(backend: FakeBackend, name: str) -> None:
    assert (await ask(backend, headers={name: "1"})).status_code == 200


async def test_forwarded_for_does_not_fool_a_real_server(backend: FakeBackend, serve: Serve) -> None:
    """uvicorn believes X-Forwarded-For from 127.0.0.1 and sets the client's address by it."""
    async with serve() as served:
        for claim in (b"127.0.0.1", b"::1", b"8.8.8.8"):
            status, _ = await served.raw(
                b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + claim + b"\r\n"
                b"Connection: close\r\n\r\n"
            )
            assert status == 403


async def test_host_cases_on_a_real_server(backend: FakeBackend, serve: Serve) -> None:
    async with serve() as served:
        lines = b"GET /api/health HTTP/1.1\r\nConnection: close\r\n"
        assert (await served.raw(lines + b"Host: localhost:1\r\n\r\n"))[0] == 200
        assert (await served.raw(lines + b"Host: evil.example\r\n\r\n"))[0] == 403
        assert (await served.raw(lines + b"Host: localhost\r\nHost: evil.example\r\n\r\n"))[0] in (400, 403)
        assert (await served.raw(b"GET /api/health HTTP/1.0\r\n\r\n"))[0] in (400, 403)


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Basic c2VjcmV0", 401),
        ("secret-令牌", 401),
        ("Bearer wrong", 403),
        ("Bearer secret-", 403),
        ("Bearer secret-令牌x", 403),
        ("Bearer secret-令牌", 200),
        ("bearer secret-令牌", 200),
    ],
)
@pytest.mark.parametrize("address", ["127.0.0.1", "8.8.8.8"])
async def test_token(backend: FakeBackend, authorization: str | None, status: int, address: str) -> None:
    headers = {} if authorization is None else {b"Authorization": authorization.encode()}
    answer = await ask(backend, token="secret-令牌", address=address, headers=headers)
    assert answer.status_code == status
    if status != 200:
        assert answer.json()["error"]["code"] == {401: "unauthorized", 403: "forbidden"}[status]
    assert ("www-authenticate" in answer.headers) == (status == 401)


async def test_with_a_token_host_origin_and_proxy_do_not_matter(backend: FakeBackend) -> None:
    headers = {"Host": "mishu.example", "Origin": "https://mishu.example", "X-Forwarded-For": "8.8.8.8"}
    answer = await ask(
        backend, token="t", address="10.0.0.1", headers={**headers, "Authorization": "Bearer t"}
    )
    assert answer.status_code == 200


async def test_token_guards_everything(backend: FakeBackend) -> None:
    async with client_of(backend, token="t") as client:
        for path in ("openapi.json", "nothing", "groups/900/events", "groups/900/messages?limit=x"):
            assert (await client.get(f"/api/{path}")).status_code == 401, path


async def test_strangers_bodies_are_not_read(backend: FakeBackend) -> None:
    async with client_of(backend, token="t") as client:
        assert (await client.post("/api/health", content=b"x" * (2 << 20))).status_code == 401


async def test_websocket_is_guarded_and_closed_before_it_is_accepted() -> None:
    async def open_to_all(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    async def knock(*headers: tuple[bytes, bytes], client: tuple[str, int] | None) -> list[Any]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        guard = LocalOrToken(open_to_all, token=None)
        await guard({"type": "websocket", "headers": list(headers), "client": client}, receive, send)
        return sent

    local = (b"host", b"127.0.0.1:8080")
    assert await knock(local, client=("127.0.0.1", 1)) == [{"type": "websocket.accept"}]
    for sent in (
        await knock(local, (b"origin", b"https://evil.example"), client=("127.0.0.1", 1)),
        await knock((b"host", b"evil.example"), client=("127.0.0.1", 1)),
        await knock(local, client=("8.8.8.8", 1)),
        await knock(local, client=None),
    ):
        assert [message["type"] for message in sent] == ["websocket.close"]
        assert sent[0]["code"] == 1008


def test_an_empty_token_is_none() -> None:
    assert LocalOrToken(None, token=SecretStr(""))._token == ""  # type: ignore[arg-type]


@given(st.text(max_size=40))
def test_no_text_makes_the_parsers_raise(text: str) -> None:
    if is_local_authority(text):
        assert text.strip().lower().startswith(("localhost", "127.", "["))
    is_loopback(text)
