"""Getting in: who sees the page, who is asked for the token, what a cookie is worth."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from nonebot_plugin_mishu.web.guard import LocalOrToken
from pydantic import SecretStr
from starlette.responses import PlainTextResponse

from bot.playground.entrance import COOKIE, Entrance
from bot.playground.mounting import reachable

TOKEN = "s3cret 令牌"
PAGE = {"Accept": "text/html,application/xhtml+xml"}


def client(token: str | None = TOKEN, address: str = "8.8.8.8", **headers: str) -> httpx.AsyncClient:
    app = FastAPI()
    secret = SecretStr(token) if token else None
    guarded = LocalOrToken(PlainTextResponse("the page"), token=secret)
    app.mount("/playground", Entrance(guarded, token=token))
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://mishu.example", headers=headers)


async def test_without_a_token_this_machine_alone() -> None:
    async with client(None, "127.0.0.1", Host="127.0.0.1:8080") as browser:
        assert (await browser.get("/playground/")).text == "the page"
        assert (await browser.get("/playground/", headers={"Host": "evil.example"})).status_code == 403
    async with client(None, "192.168.1.9", Host="127.0.0.1:8080") as browser:
        assert (await browser.get("/playground/", headers=PAGE)).status_code == 403


async def test_token_is_asked_for_once() -> None:
    async with client() as browser:
        asked = await browser.get("/playground/", headers=PAGE)
        assert asked.status_code == 401
        assert '<form method="post" action="login">' in asked.text
        assert TOKEN not in asked.text

        wrong = await browser.post("/playground/login", data={"token": "nope"})
        assert wrong.status_code == 403
        assert "令牌不对" in wrong.text
        assert "set-cookie" not in wrong.headers

        right = await browser.post("/playground/login", data={"token": f" {TOKEN} "})
        assert right.status_code == 303
        assert right.headers["location"] == "./"
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Path=/playground" in cookie
        assert "s3cret" not in cookie

        assert (await browser.get("/playground/", headers=PAGE)).text == "the page"


async def test_other_requests_get_the_apis_error() -> None:
    async with client() as browser:
        answer = await browser.get("/playground/_nicegui/x.js")
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "unauthorized"
        good = {"Authorization": f"Bearer {TOKEN}".encode()}
        assert (await browser.get("/playground/", headers=good)).status_code == 200
        bad = {"Authorization": "Bearer no"}
        assert (await browser.get("/playground/", headers=bad)).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://mishu.example"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "http://mishu.example:3000"}, 401),
        ({"Origin": "https://evil.example"}, 401),
        ({"Origin": "null"}, 401),
        ({"Sec-Fetch-Site": "same-site"}, 401),
        ({"Sec-Fetch-Site": "cross-site"}, 401),
    ],
)
async def test_the_cookie_counts_only_for_the_playgrounds_own_pages(
    headers: dict[str, str], status: int
) -> None:
    async with client() as browser:
        await browser.post("/playground/login", data={"token": TOKEN})
        assert (await browser.get("/playground/", headers=headers)).status_code == status


async def test_a_made_up_cookie_is_worth_nothing() -> None:
    async with client() as browser:
        for value in ("", "x", TOKEN.encode().hex(), "0" * 64):
            answer = await browser.get("/playground/", headers={"Cookie": f"{COOKIE}={value}"})
            assert answer.status_code == 401


async def test_the_cookie_of_another_token_is_worth_nothing() -> None:
    async with client("old") as browser:
        old = (await browser.post("/playground/login", data={"token": "old"})).cookies[COOKIE]
    async with client("new") as browser:
        answer = await browser.get("/playground/", headers={"Cookie": f"{COOKIE}={old}"})
        assert answer.status_code == 401


async def test_a_long_form_is_not_read() -> None:
    async with client() as browser:
        answer = await browser.post("/playground/login", content=b"token=" + b"x" * 100_000)
        assert answer.status_code == 403


async def test_websocket_needs_it_too() -> None:
    async def accepts(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    async def knock(*headers: tuple[bytes, bytes]) -> list[str]:
        sent: list[str] = []

        async def send(message: Any) -> None:
            sent.append(message["type"])

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        gate = Entrance(LocalOrToken(accepts, token=SecretStr("t")), token="t")
        scope = {"type": "websocket", "path": "/playground/x", "root_path": "/playground", "client": None}
        await gate({**scope, "headers": list(headers)}, receive, send)
        return sent

    async with client("t") as browser:
        cookie = (await browser.post("/playground/login", data={"token": "t"})).cookies[COOKIE].encode()
    mine = (b"cookie", COOKIE.encode() + b"=" + cookie)
    here = (b"host", b"mishu.example")
    assert await knock(here) == ["websocket.close"]
    assert await knock(here, mine, (b"origin", b"http://mishu.example")) == ["websocket.accept"]
    assert await knock(here, mine, (b"origin", b"https://evil.example")) == ["websocket.close"]


def test_reachable_address() -> None:
    assert [reachable(host) for host in ("0.0.0.0", "::", "", "192.168.1.5")] == [
        "127.0.0.1",
        "::1",
        "127.0.0.1",
        "192.168.1.5",
    ]
