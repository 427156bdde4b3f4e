"""An intruder: every route, page and door, as whoever has no right there. All are refused, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import pytest_asyncio
from nonebot_plugin_mishu.services.access.sessions import SESSION_LASTS
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web.console.shell.site import PAGES, PATH, ROOMS
from nonebot_plugin_mishu.web.layers.gate import COOKIE
from nonebot_plugin_mishu.web.routes import calendars as calendar_routes
from nonebot_plugin_mishu.web.routes import metrics as metrics_route
from pydantic import SecretStr
from starlette.responses import PlainTextResponse

from bot.playground.entrance import Entrance

from .conftest import BOT, GROUP, MING, YA
from .test_doors import HERE, Doors, doors
from .test_every_route import FAR, HIM, NOBODYS, SECRET, WAYS, World, world

__all__ = ["doors", "world"]
pytestmark = pytest.mark.exhaustive
TOKEN = "the-owners-token-7f3a9c1b"
LEAST = 588
"""Requests that were promised to be refused."""
OUTSIDE = "203.0.113.9"
REFUSED = (401, 403, 404, 405, 429)
LOCAL: Mapping[str, str] = {"Host": "127.0.0.1:8080"}
EVIL = "http://evil.example"
FORWARDED: tuple[Mapping[str, str], ...] = (
    {"X-Forwarded-For": "127.0.0.1"},
    {"Forwarded": "for=127.0.0.1;host=localhost;proto=http"},
    {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost", "X-Forwarded-Proto": "https"},
    {"X-Real-IP": "::1", "X-Forwarded-Prefix": "/api"},
)


@dataclass
class Intruder:
    """From where, and with what; `inside`: a member of one group who asks for another's."""

    name: str
    client: str = OUTSIDE
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    inside: bool = False


@dataclass
class Siege:
    """The whole application, and what was asked of it."""

    doors: Doors
    world: World
    asked: Counter[str] = field(default_factory=Counter[str])

    async def ask(self, who: Intruder, method: str, path: str, **given: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.doors.app, client=(who.client, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as browser:
            answer = await browser.request(method, path, headers=dict(who.headers), **given)
        self.asked[who.name] += 1
        told = f"{who.name}: {method} {path} -> {answer.status_code} {answer.text[:200]}"
        assert SECRET not in answer.text, told
        assert answer.status_code < 500, told
        return answer

    async def refused(self, who: Intruder, method: str, path: str, **given: Any) -> None:
        answer = await self.ask(who, method, path, **given)
        assert answer.status_code in REFUSED, f"{who.name}: {method} {path} -> {answer.status_code}"
        assert "set-cookie" not in answer.headers or "Max-Age=0" in answer.headers["set-cookie"]

    async def every_route(self, who: Intruder) -> None:
        """Every route of the OpenAPI document with the other group's ids."""
        for key, way in WAYS.items():
            method, path = key
            address = f"/api{path.format(**self.world.ids(path))}"
            given = {"params": dict(way.query), "json": way.body}
            listed = key == ("GET", "/users/{id}/tasks")  # an admin's list: of their own group
            if who.inside and (key in NOBODYS or (listed and "admin" in who.name)):
                answer = await self.ask(who, method, address, **given)
                assert FAR not in answer.text
            else:
                await self.refused(who, method, address, **given)

    async def every_page(self, who: Intruder) -> None:
        """Every page, of the other group."""
        for page in PAGES:
            address = f"{PATH}/{page}" if page else PATH
            if who.inside:
                answer = await self.ask(who, "GET", address, params={"group": FAR})
                assert FAR not in answer.text
                assert "owner" not in answer.text
            else:
                await self.refused(who, "GET", address, params={"group": FAR})
        for path in (
            f"{PATH}/playground",
            f"{PATH}/playground/x",
            "/playground/",
            "/playground/_nicegui/x.js",
        ):
            await self.refused(who, "GET", path, params={})
        await self.refused(who, "GET", "/metrics")

    async def cookie(self, user: str, role: Any, group: str) -> str:
        place = Conversation(BOT, "group", group)
        code = await self.doors.code(user, role, place)
        async with self.doors.client("198.51.100.1") as browser:
            answer = await browser.get(f"{PATH}/enter", params={"code": code})
        return f"{COOKIE}={answer.cookies[COOKIE]}"


@pytest_asyncio.fixture(loop_scope="session")
async def siege(doors: Doors, world: World, monkeypatch: pytest.MonkeyPatch) -> Siege:
    app = doors.app = doors.make(TOKEN)
    runtime = doors.running.runtime
    page: Any = PlainTextResponse(SECRET)
    monkeypatch.setitem(ROOMS, "playground", page)
    token = SecretStr(TOKEN)
    app.mount("/playground", Entrance(page, token=token, sessions=lambda: doors.sessions))
    assert runtime.calendars is not None
    assert runtime.measuring is not None
    assert calendar_routes.mount(app, runtime.calendars)
    assert metrics_route.mount(app, runtime.measuring, "0", token=token)
    return Siege(doors, world)


async def intruders(siege: Siege) -> list[Intruder]:
    """Everybody who has no right to the other group."""
    member, admin = await siege.cookie(MING, "member", GROUP), await siege.cookie(YA, "admin", GROUP)
    his = await siege.cookie(HIM, "admin", FAR)
    stolen = await siege.cookie(HIM, "admin", FAR)
    await siege.doors.sessions.leave(stolen.partition("=")[2])
    inside = {"Origin": HERE}
    return [
        Intruder("a member of another group", headers={**inside, "Cookie": member}, inside=True),
        Intruder("an admin of another group", headers={**inside, "Cookie": admin}, inside=True),
        Intruder("nobody"),
        Intruder("nobody on this machine", "127.0.0.1", LOCAL),
        Intruder("a wrong token", headers={"Authorization": "Bearer the-owners-token"}),
        Intruder("a token elsewhere", headers={"Cookie": f"token={TOKEN}", "X-Token": TOKEN}),
        Intruder("another scheme", headers={"Authorization": f"Basic {TOKEN}"}),
        Intruder("a made-up session", headers={**inside, "Cookie": f"{COOKIE}={'A' * 43}"}),
        Intruder("an ended session", headers={**inside, "Cookie": stolen}),
        Intruder("another site's page", headers={"Origin": EVIL, "Cookie": his}),
        Intruder("a part of another site's page", headers={"Sec-Fetch-Site": "cross-site", "Cookie": his}),
        Intruder("a page of no origin", headers={"Origin": "null", "Cookie": his}),
        *(
            Intruder(f"who is forwarded {number}", "127.0.0.1", {**LOCAL, **told})
            for number, told in enumerate(FORWARDED)
        ),
        *(
            Intruder(
                f"another site's page, forwarded {number}",
                "127.0.0.1",
                {"Origin": EVIL, "Cookie": his, "X-Forwarded-Host": "evil.example", **told},
            )
            for number, told in enumerate(FORWARDED[:1])
        ),
    ]


async def test_an_intruder_gets_nowhere(siege: Siege) -> None:
    before = await siege.world.kept()
    assert sum(SECRET in each for each in before) > 8, "there is something to be found"
    for who in await intruders(siege):
        await siege.every_route(who)
        if "page" not in who.name:  # another site cannot read what a page of ours shows: its reads are below
            await siege.every_page(who)

    late = Intruder(
        "an expired session", headers={"Origin": HERE, "Cookie": await siege.cookie(HIM, "admin", FAR)}
    )
    siege.doors.running.clock.ahead += SESSION_LASTS
    await siege.every_route(late)
    await siege.every_page(late)
    siege.doors.running.clock.ahead -= SESSION_LASTS

    own = siege.doors.running.runtime.calendars
    assert own is not None
    guesser = Intruder("who guesses calendars")
    for number in range(60):
        for guess in (f"{number:032d}", f"g{number}-{'A' * 43}", f"{'-' * 20}{number}"):
            await siege.refused(guesser, "GET", f"/calendar/{guess}.ics")

    for door in (f"{PATH}/login", "/playground/login"):
        for number in range(20):
            who = Intruder(
                "who guesses at the login",
                "127.0.0.1",
                {"Origin": HERE, "X-Forwarded-For": f"198.51.100.{number}"},
            )
            await siege.refused(who, "POST", door, data={"token": f"guess{number}"})
        for origin in (
            {},
            {"Origin": EVIL},
            {"Origin": "null"},
            {"Origin": EVIL, "X-Forwarded-Host": "evil.example"},
        ):
            who = Intruder("who has the token, on another site", "198.51.100.77", origin)
            await siege.refused(who, "POST", door, data={"token": TOKEN})
    for number in range(20):
        await siege.refused(
            Intruder("who guesses codes"), "GET", f"{PATH}/enter", params={"code": f"guess{number}"}
        )

    assert await siege.world.kept() == before, "nothing was changed"
    total = siege.asked.total()
    print(f"\n{total} requests of an intruder, all refused: {dict(siege.asked)}")  # noqa: T201 - the count
    assert total >= LEAST


async def test_the_right_ones_get_in_all_the_same(siege: Siege) -> None:
    his = await siege.cookie(HIM, "admin", FAR)
    for headers in ({"Cookie": his, "Origin": HERE}, {"Authorization": f"Bearer {TOKEN}"}):
        transport = httpx.ASGITransport(siege.doors.app, client=(OUTSIDE, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers) as browser:
            assert SECRET in (await browser.get(f"/api/groups/{FAR}/schedules")).text


@pytest.fixture
def kind() -> str:
    """One database is enough: what refuses is before it."""
    return "sqlite"
