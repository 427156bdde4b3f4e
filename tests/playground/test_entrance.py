"""Getting in: who sees the page, who is asked for the token, what a session is worth, who is slowed down."""

from __future__ import annotations

import hashlib
from datetime import UTC
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.frontdesk.rooms.rosters import NoRosters
from nonebot_plugin_mishu.services.access.sessions import Sessions
from nonebot_plugin_mishu.storage.access.sessions import Holder
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web.layers.forwarded import Proxies
from nonebot_plugin_mishu.web.layers.gate import COOKIE
from pydantic import SecretStr
from starlette.responses import PlainTextResponse

from bot.playground.entrance import Entrance
from bot.playground.mounting import reachable

from .sessions_in_memory import KeptInMemory

TOKEN = "s3cret 令牌"
PAGE = {"Accept": "text/html,application/xhtml+xml"}
HERE = {"Origin": "http://mishu.example"}


class Bot:
    """The playground of a bot, asked from anywhere."""

    def __init__(self, token: str | None = TOKEN, trusted: tuple[str, ...] = ()) -> None:
        self.kept = KeptInMemory()
        self.token = token
        sessions = Sessions(self.kept, Clock(UTC), NoRosters(), lambda: self.token)  # type: ignore[arg-type]
        self.sessions = sessions
        self.app = FastAPI()
        self.entrance = Entrance(
            PlainTextResponse("the page"),  # type: ignore[arg-type]
            token=SecretStr(token) if token else None,
            sessions=lambda: sessions,
            proxies=Proxies(trusted),
        )
        self.app.mount("/playground", self.entrance)

    def client(self, address: str = "8.8.8.8", **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://mishu.example", headers=headers)


def client(token: str | None = TOKEN, address: str = "8.8.8.8", **headers: str) -> httpx.AsyncClient:
    return Bot(token).client(address, **headers)


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

        wrong = await browser.post("/playground/login", data={"token": "nope"}, headers=HERE)
        assert wrong.status_code == 403
        assert "令牌不对" in wrong.text
        assert "set-cookie" not in wrong.headers

        right = await browser.post("/playground/login", data={"token": f" {TOKEN} "}, headers=HERE)
        assert right.status_code == 303
        assert right.headers["location"] == "./"
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Path=/;" in cookie
        assert cookie.startswith(f"{COOKIE}=")
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
        ({"Origin": "http://mishu.example:3000"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
async def test_the_cookie_counts_only_for_our_own_pages(headers: dict[str, str], status: int) -> None:
    async with client() as browser:
        await browser.post("/playground/login", data={"token": TOKEN}, headers=HERE)
        assert (await browser.get("/playground/", headers=headers)).status_code == status


async def test_a_made_up_cookie_is_worth_nothing() -> None:
    async with client() as browser:
        for value in ("", "x", TOKEN.encode().hex(), "0" * 64):
            for asked in ({}, PAGE):
                headers = {"Cookie": f"{COOKIE}={value}", **asked}
                answer = await browser.get("/playground/", headers=headers)
                assert answer.status_code == 401
                assert "the page" not in answer.text


async def test_another_token_ends_what_was_opened_with_the_old_one() -> None:
    bot = Bot()
    async with bot.client() as browser:
        await browser.post("/playground/login", data={"token": TOKEN}, headers=HERE)
        assert (await browser.get("/playground/", headers=PAGE)).text == "the page"
        bot.token = "another"
        assert (await browser.get("/playground/", headers=PAGE)).status_code == 401


async def test_a_members_session_does_not_open_it() -> None:
    bot = Bot()

    async def asked(*_: Any) -> str:
        return "admin"

    bot.sessions._standing._rosters.standing = asked  # type: ignore[method-assign,assignment]
    place = Conversation("10000", "group", "777001")
    digest = hashlib.sha256(b"members").hexdigest()
    now = bot.sessions._clock.wall()  # pyright: ignore[reportPrivateUsage]
    await bot.kept.begin(digest, Holder(place, "102", "小雅", "admin"), now, now + 60)
    async with bot.client(Cookie=f"{COOKIE}=members") as browser:
        assert (await browser.get("/playground/_nicegui/x.js")).status_code == 403
        shown = await browser.get("/playground/", headers=PAGE)
        assert shown.status_code == 403
        assert "the page" not in shown.text


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://mishu.example.evil.example"])
async def test_the_login_is_posted_from_our_own_page(origin: str | None) -> None:
    async with client() as browser:
        headers = {} if origin is None else {"Origin": origin}
        answer = await browser.post("/playground/login", data={"token": TOKEN}, headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


async def test_guesses_are_slowed_down_whatever_they_say_of_themselves() -> None:
    bot = Bot()
    async with bot.client("127.0.0.1") as guessing, bot.client("203.0.113.8") as other:
        answers = [
            await guessing.post(
                "/playground/login",
                data={"token": f"guess{number}"},
                headers={
                    **HERE,
                    "X-Forwarded-For": f"198.51.100.{number}",
                    "Forwarded": f"for=10.0.0.{number}",
                },
            )
            for number in range(12)
        ]
        assert [each.status_code for each in answers] == [403] * 3 + [429] * 9
        right = {"token": TOKEN}
        assert (await guessing.post("/playground/login", data=right, headers=HERE)).status_code == 429
        assert (await other.post("/playground/login", data=right, headers=HERE)).status_code == 303


async def test_behind_a_named_proxy_each_guesses_for_themselves() -> None:
    bot = Bot(trusted=("loopback",))
    async with bot.client("127.0.0.1") as proxy:
        for number in range(12):
            headers = {**HERE, "X-Forwarded-For": f"198.51.100.{number}"}
            answer = await proxy.post("/playground/login", data={"token": "no"}, headers=headers)
            assert answer.status_code == 403


async def test_a_long_form_is_not_read() -> None:
    async with client() as browser:
        answer = await browser.post("/playground/login", content=b"token=" + b"x" * 100_000, headers=HERE)
        assert answer.status_code == 403


async def test_websocket_needs_it_too() -> None:
    bot = Bot("t")

    async def knock(*headers: tuple[bytes, bytes]) -> list[str]:
        sent: list[str] = []

        async def send(message: Any) -> None:
            sent.append(message["type"])

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def accepts(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "websocket.accept"})

        bot.entrance._page = accepts  # pyright: ignore[reportPrivateUsage]
        scope = {"type": "websocket", "path": "/playground/x", "root_path": "/playground", "client": None}
        await bot.entrance({**scope, "headers": list(headers)}, receive, send)
        return sent

    async with bot.client() as browser:
        entered = await browser.post("/playground/login", data={"token": "t"}, headers=HERE)
        cookie = entered.cookies[COOKIE].encode()
    mine = (b"cookie", COOKIE.encode() + b"=" + cookie)
    here = (b"host", b"mishu.example")
    assert await knock(here) == ["websocket.close"]
    assert await knock(here, mine) == ["websocket.close"]
    assert await knock(here, mine, (b"origin", b"http://mishu.example")) == ["websocket.accept"]
    assert await knock(here, mine, (b"origin", b"https://evil.example")) == ["websocket.close"]


def test_reachable_address() -> None:
    assert [reachable(host) for host in ("0.0.0.0", "::", "", "192.168.1.5")] == [
        "127.0.0.1",
        "::1",
        "127.0.0.1",
        "192.168.1.5",
    ]
