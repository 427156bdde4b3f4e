"""Codes and sessions: handed out, used once, expired, ended, asked anew; stolen and foreign ones refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from default_run import first
from fastapi import FastAPI
from nonebot_plugin_mishu.frontdesk.rooms.rosters import NoRosters, Standing
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor
from nonebot_plugin_mishu.services.access.page_access import PageAccess
from nonebot_plugin_mishu.services.access.sessions import (
    CODE_LASTS,
    SESSION_LASTS,
    Sessions,
)
from nonebot_plugin_mishu.services.access.standing import ASKED_AGAIN, ASKED_ANEW
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web import HttpAnswer
from nonebot_plugin_mishu.web.console.shell.host import Host
from nonebot_plugin_mishu.web.console.shell.site import PATH, ConsoleSite
from nonebot_plugin_mishu.web.layers.forwarded import Proxies
from nonebot_plugin_mishu.web.layers.gate import COOKIE
from nonebot_plugin_mishu.web.routes.stream_places import OF_MEMBER
from pydantic import SecretStr
from shared_app import share_app
from starlette.routing import Mount, Route

from .conftest import GROUP, MING, NOW, PLACE, WANG, YA, Running

HERE = "http://127.0.0.1:8080"
ELSEWHERE = Conversation(PLACE.self_id, "group", "777002")


class Platform(NoRosters):
    """Says what somebody is, and counts how often it was asked."""

    def __init__(self) -> None:
        self.says: Standing = "member"
        self.asked = 0

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        self.asked += 1
        return self.says


class Drawn(Host):
    """Draws who looks at which page."""

    async def application(self, data_dir: Any) -> Any:
        async def draw(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            actor: Actor = scope["mishu.actor"]
            told = f"{scope['path']} {actor.role} {actor.user_id} {actor.group_id}"
            await send({"type": "http.response.body", "body": told.encode()})

        return draw


@dataclass
class Doors:
    """The API and the console over one running plugin."""

    running: Running
    sessions: Sessions
    platform: Platform
    make: Callable[..., FastAPI]
    app: FastAPI

    def client(self, client: str = "127.0.0.1", base: str = HERE, **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(client, 50_000))
        return httpx.AsyncClient(transport=transport, base_url=base, headers=headers)

    async def code(self, user: str = MING, role: Any = "member", place: Conversation = PLACE) -> str:
        return await self.sessions.invite(place, user, user, role)

    async def opened(self, user: str = MING, role: Any = "member") -> httpx.AsyncClient:
        """A browser that opened its link."""
        browser = self.client(Origin=HERE)
        answer = await browser.get(f"{PATH}/enter", params={"code": await self.code(user, role)})
        assert answer.status_code == 303, answer.text
        return browser


@pytest_asyncio.fixture(loop_scope="session")
async def doors(running: Running) -> Doors:
    platform, storage = Platform(), running.runtime.storage
    assert storage is not None
    secret: list[str | None] = [None]
    sessions = Sessions(storage.sessions, running.clock, platform, lambda: secret[0])

    def make(token: str | None = None, heartbeat: float = 0.05, **proxies: Any) -> FastAPI:
        secret[0] = token
        hidden = SecretStr(token) if token else None
        known = Proxies(**proxies)
        console = running.runtime.console
        assert console is not None
        app = FastAPI(openapi_url=None)
        api = share_app(
            console,
            token=hidden,
            office=running.office,
            sessions=sessions,
            proxies=known,
            heartbeat=heartbeat,
        )
        app.mount("/api", api)
        site = ConsoleSite(sessions, Drawn(), token=hidden, proxies=known, data_dir=None)
        app.router.routes += [Route(PATH, site), Mount(PATH, site)]
        return app

    return Doors(running, sessions, platform, make, make())


async def test_the_door_names_the_command_as_it_begins_in_this_instance(doors: Doors):
    hidden = SecretStr("a-token-that-is-long-enough-for-us")
    site = ConsoleSite(
        doors.sessions, Drawn(), token=hidden, proxies=Proxies(), data_dir=None, command="#秘书"
    )
    app = FastAPI(openapi_url=None)
    app.router.routes += [Route(PATH, site), Mount(PATH, site)]
    async with Doors(doors.running, doors.sessions, doors.platform, doors.make, app).client() as browser:
        page = (await browser.get(PATH)).text
    assert "#秘书 网页" in page
    assert "/秘书" not in page


async def test_a_link_opens_the_pages_and_the_api_with_its_members_rights(doors: Doors):
    async with doors.client() as browser:
        answer = await browser.get(f"{PATH}/enter", params={"code": await doors.code()})
        assert (answer.status_code, answer.headers["location"]) == (303, PATH)
        cookie = answer.headers["set-cookie"]
        for word in (f"{COOKIE}=", "HttpOnly", "SameSite=strict", "Path=/", f"Max-Age={int(SESSION_LASTS)}"):
            assert word in cookie
        assert "Secure" not in cookie
        assert answer.headers["cache-control"] == "no-store"
        page = await browser.get(PATH)
        assert page.text == f"{PATH}/_console member {MING} {GROUP}"
        assert (await browser.get(f"{PATH}/ledger")).text.startswith(f"{PATH}/_console/ledger member")
        assert [each["id"] for each in (await browser.get("/api/groups")).json()] == [GROUP]


async def test_nothing_that_opens_anything_stands_in_the_database(doors: Doors):
    code = await doors.code()
    opened = await doors.sessions.enter(code, "a")
    other = await doors.code(YA)
    storage = doors.running.runtime.storage
    assert storage is not None
    from nonebot_plugin_mishu.storage.access.session_tables import web_code, web_session
    from sqlalchemy import select

    async def rows(connection: Any) -> str:
        return str([(await connection.execute(select(each))).all() for each in (web_code, web_session)])

    kept = await storage._database.read(rows)  # pyright: ignore[reportPrivateUsage]
    assert MING in kept
    assert not any(each in kept for each in (code, other, opened.token))


async def test_a_code_is_good_once(doors: Doors):
    code = await doors.code()
    async with doors.client() as first, doors.client() as second:
        assert (await first.get(f"{PATH}/enter", params={"code": code})).status_code == 303
        again = await second.get(f"{PATH}/enter", params={"code": code})
        assert again.status_code == 403
        assert "set-cookie" not in again.headers


async def test_a_code_expires(doors: Doors):
    code = await doors.code()
    doors.running.clock.ahead = CODE_LASTS
    async with doors.client() as browser:
        assert (await browser.get(f"{PATH}/enter", params={"code": code})).status_code == 403


async def test_a_newer_code_takes_the_place_of_the_older(doors: Doors):
    old, new = await doors.code(), await doors.code()
    async with doors.client() as browser:
        assert (await browser.get(f"{PATH}/enter", params={"code": old})).status_code == 403
        assert (await browser.get(f"{PATH}/enter", params={"code": new})).status_code == 303


async def test_looking_at_a_link_without_opening_it_uses_nothing_up(doors: Doors):
    code = await doors.code()
    async with doors.client() as browser:
        assert (await browser.head(f"{PATH}/enter", params={"code": code})).status_code == 404
        assert (await browser.get(f"{PATH}/enter", params={"code": code})).status_code == 303


async def test_guessed_codes_are_slowed_down_for_who_guesses(doors: Doors):
    async with doors.client("203.0.113.7") as guessing, doors.client("203.0.113.8") as other:
        answers = [
            (await guessing.get(f"{PATH}/enter", params={"code": f"guess{number}"})).status_code
            for number in range(6)
        ]
        assert answers == [403, 403, 403, 429, 429, 429]
        code = await doors.code()
        assert (await guessing.get(f"{PATH}/enter", params={"code": code})).status_code == 429
        assert (await other.get(f"{PATH}/enter", params={"code": code})).status_code == 303


@first(2)
@pytest.mark.parametrize(
    "code", ["", "%00", "' OR 1=1 --", "x" * 5000, "\ud800".encode("utf-8", "replace").decode()]
)
async def test_odd_codes_open_nothing(doors: Doors, code: str):
    await doors.code()
    async with doors.client("203.0.113.9") as browser:
        assert (await browser.get(f"{PATH}/enter", params={"code": code})).status_code == 403


async def test_a_session_expires_and_is_not_the_owners_then(doors: Doors):
    browser = await doors.opened()
    doors.running.clock.ahead = SESSION_LASTS
    assert (await browser.get("/api/groups")).status_code == 401
    async with doors.client() as fresh:
        assert (await fresh.get("/api/groups")).status_code == 200, "this machine, without a cookie"


async def test_made_up_sessions_open_nothing(doors: Doors):
    for made_up in ("", "x", "' OR 1=1 --", "x" * 4000):
        async with doors.client(Cookie=f"{COOKIE}={made_up}") as browser:
            assert (await browser.get("/api/groups")).status_code == 401


async def test_leaving_ends_one_session_and_the_command_all(doors: Doors):
    one, two, other = await doors.opened(), await doors.opened(), await doors.opened(YA)
    stolen = one.cookies[COOKIE]
    assert (await one.post(f"{PATH}/leave")).status_code == 303
    assert COOKIE not in one.cookies
    async with doors.client(Cookie=f"{COOKIE}={stolen}") as thief:
        assert (await thief.get("/api/groups")).status_code == 401
    assert (await two.get("/api/groups")).status_code == 200
    waiting = await doors.code()
    assert await doors.sessions.leave_all(MING) == 1
    assert (await two.get("/api/groups")).status_code == 401
    assert (await other.get("/api/groups")).status_code == 200
    async with doors.client() as late:
        assert (await late.get(f"{PATH}/enter", params={"code": waiting})).status_code == 403


async def test_the_platform_is_asked_anew_every_hour(doors: Doors):
    browser = await doors.opened(YA, "admin")
    change = {"persona": "话少一点"}
    assert (await browser.put(f"/api/groups/{GROUP}/settings", json=change)).status_code == 200
    assert doors.platform.asked == 0
    doors.running.clock.ahead = ASKED_ANEW
    doors.platform.says = "member"
    refused = await browser.put(f"/api/groups/{GROUP}/settings", json={"persona": "话多一点"})
    assert refused.status_code == 403, "demoted"
    assert (await browser.get(f"/api/groups/{GROUP}/settings")).json()["persona"] == "话少一点"
    assert doors.platform.asked == 1
    doors.running.clock.ahead = 2 * ASKED_ANEW
    doors.platform.says = "admin"
    assert (await browser.put(f"/api/groups/{GROUP}/settings", json=change)).status_code == 200
    doors.running.clock.ahead = 3 * ASKED_ANEW
    doors.platform.says = "gone"
    assert (await browser.get("/api/groups")).status_code == 401
    doors.platform.says = "owner"
    assert (await browser.get("/api/groups")).status_code == 401, "it ended"


async def test_a_session_waits_while_nobody_can_say_what_its_member_is(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
):
    browser = await doors.opened()
    doors.running.clock.ahead = ASKED_ANEW
    doors.platform.says = "unknown"
    moments = [100.0]
    monkeypatch.setattr(doors.running.clock, "monotonic", lambda: moments[0])
    for _ in range(3):
        assert (await browser.get("/api/groups")).status_code == 503
    assert doors.platform.asked == 1, "not with every request"
    moments[0] += ASKED_AGAIN
    doors.platform.says = "member"
    assert (await browser.get("/api/groups")).status_code == 200


async def test_a_notice_of_the_platforms_has_it_asked_at_once(doors: Doors):
    browser = await doors.opened(YA, "admin")
    change = {"persona": "话少一点"}
    notices = doors.running.runtime.desk.notices  # type: ignore[union-attr]
    waiting = await doors.code(YA, "admin")
    doors.platform.says = "member"
    await notices.standing_changed(ELSEWHERE, YA)
    assert (await browser.put(f"/api/groups/{GROUP}/settings", json=change)).status_code == 200
    assert doors.platform.asked == 0
    await notices.standing_changed(PLACE, YA)
    refused = await browser.put(f"/api/groups/{GROUP}/settings", json={"persona": "话多一点"})
    assert (refused.status_code, doors.platform.asked) == (403, 1)
    assert (await browser.get(f"/api/groups/{GROUP}/settings")).json()["persona"] == "话少一点"
    async with doors.client() as late:
        shown = await late.get(f"{PATH}/enter", params={"code": waiting})
        assert shown.status_code == 403, "a link that says admin, from before"


async def test_who_left_the_group_is_out_at_once(doors: Doors):
    browser, other = await doors.opened(YA, "admin"), await doors.opened()
    notices = doors.running.runtime.desk.notices  # type: ignore[union-attr]
    await notices.went(ELSEWHERE, YA)
    assert (await browser.get("/api/groups")).status_code == 200
    await notices.went(PLACE, YA)
    assert (await browser.get("/api/groups")).status_code == 401
    assert (await other.get("/api/groups")).status_code == 200
    await notices.left(PLACE)
    assert (await other.get("/api/groups")).status_code == 401, "the bot is there no more"


async def test_a_role_is_as_old_as_the_code(doors: Doors):
    code = await doors.code(YA, "admin")
    doors.running.clock.ahead = CODE_LASTS - 1
    browser = doors.client(Origin=HERE)
    assert (await browser.get(f"{PATH}/enter", params={"code": code})).status_code == 303
    doors.running.clock.ahead = ASKED_ANEW
    await browser.get("/api/groups")
    assert doors.platform.asked == 1


async def test_a_stream_ends_with_its_session(doors: Doors):
    browser = await doors.opened(YA, "admin")
    async with asyncio.timeout(20):
        listening = asyncio.create_task(browser.get(f"/api/groups/{GROUP}/events"))
        await asyncio.sleep(0.3)
        assert not listening.done(), "while the session lasts it goes on"
        await doors.sessions.leave_all(YA)
        told = await listening
    assert told.text.count("event: presence") == 1


class Streams:
    """Streams that clients hold open."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[httpx.Response]] = []

    async def open(self, browser: httpx.AsyncClient, group: str = GROUP) -> int:
        """A status where it is refused, 200 where it stays open."""
        task = asyncio.create_task(browser.get(f"/api/groups/{group}/events"))
        await asyncio.wait({task}, timeout=0.2)
        if task.done():
            return task.result().status_code
        self.tasks.append(task)
        return 200

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def test_one_member_does_not_take_all_streams(doors: Doors):
    streams = Streams()
    try:
        one, again = await doors.opened(), await doors.opened()
        mine = [await streams.open(browser) for browser in (one, again) for _ in range(OF_MEMBER)]
        assert mine == [200] * OF_MEMBER + [429] * OF_MEMBER, "two sessions are one person"
        assert await streams.open(await doors.opened(YA)) == 200, "another member of the group"
        far = doors.client(Origin=HERE)
        code = await doors.code("901", place=ELSEWHERE)
        assert (await far.get(f"{PATH}/enter", params={"code": code})).status_code == 303
        assert await streams.open(far, ELSEWHERE.peer) == 200, "a member of another"
        streams.tasks[0].cancel()
        await asyncio.sleep(0.2)
        assert await streams.open(one) == 200, "a place that was given back"
    finally:
        await streams.close()


async def test_streams_close_with_the_membership(doors: Doors):
    doors.app = doors.make(heartbeat=60.0)
    notices = doors.running.runtime.desk.notices  # type: ignore[union-attr]
    notices._web_sessions = PageAccess(doors.sessions, lambda: HERE)
    streams = Streams()
    try:
        ya, ming = await doors.opened(YA), await doors.opened()
        assert [await streams.open(each) for each in (ya, ming)] == [200, 200]
        gone, stays = streams.tasks
        await notices.went(ELSEWHERE, YA)
        await notices.standing_changed(PLACE, YA)
        await asyncio.sleep(0.2)
        assert not gone.done(), "still a member"
        await notices.went(PLACE, YA)
        async with asyncio.timeout(5):
            assert (await gone).text.count("event: presence") == 1
        assert not stays.done()
        await notices.left(PLACE)
        async with asyncio.timeout(5):
            await stays
    finally:
        await streams.close()


async def test_what_was_said_before_somebody_came_is_not_shown_to_them(doors: Doors):
    storage = doors.running.runtime.storage
    assert storage is not None
    await doors.running.say(WANG, "小王", "早就说过的话", at=100)
    await doors.running.say(WANG, "小王", "后来说的话", at=300)
    await storage.joins.store_join(PLACE, YA, NOW.timestamp() + 200)
    for role in ("member", "admin"):
        browser = await doors.opened(YA, role)
        for path in ("messages", "record", "record?q=说", "record?from=2026-11-01"):
            shown = (await browser.get(f"/api/groups/{GROUP}/{path}")).text
            assert "后来说的话" in shown, path
            assert "早就说过的话" not in shown, path
    there_before = await doors.opened(MING)
    for path in ("messages", "record"):
        assert "早就说过的话" in (await there_before.get(f"/api/groups/{GROUP}/{path}")).text


async def test_nobody_signs_with_another_name(doors: Doors, monkeypatch: pytest.MonkeyPatch):
    called: list[str] = []

    async def ask(group_id: Any, user_id: str, name: str, text: str) -> HttpAnswer:
        called.append(name)
        return HttpAnswer("好", "completed")

    monkeypatch.setattr(doors.running.runtime.console, "ask", ask)
    said = {"message": "在吗", "user_id": MING, "group_id": GROUP, "nickname": "小王"}
    assert (await (await doors.opened()).post("/api/ai/chat", json=said)).status_code == 200
    async with doors.client() as owner:
        assert (await owner.post("/api/ai/chat", json=said)).status_code == 200
    assert called == [MING, "小王"]


async def test_guesses_behind_a_proxy_are_their_own_clients_and_ipv6_neighbours_are_one(doors: Doors):
    doors.app = doors.make(trusted=["loopback"])

    async def guess(client: str, told: str) -> int:
        async with doors.client(client) as browser:
            headers = {"X-Forwarded-For": told} if told else {}
            answer = await browser.get(f"{PATH}/enter", params={"code": "guess"}, headers=headers)
            return answer.status_code

    for number in range(6):
        assert await guess("127.0.0.1", f"203.0.113.{number}") == 403, "behind the proxy each for themselves"
    forged = [await guess("198.51.100.1", f"203.0.113.{number}") for number in range(100, 106)]
    assert forged == [403, 403, 403, 429, 429, 429], "a stranger's own word counts for nothing"
    appended = [await guess("127.0.0.1", f"203.0.113.{each}, 198.51.100.2") for each in range(6)]
    assert appended == [403, 403, 403, 429, 429, 429], "nor what they told the proxy"
    neighbours = [await guess(f"2001:db8::{number}", "") for number in range(6)]
    assert neighbours == [403, 403, 403, 429, 429, 429]


FOREIGN = ["http://evil.example", "http://127.0.0.1:9999", "null", "http://127.0.0.1:8080.evil.example"]


@first(2)
@pytest.mark.parametrize("origin", [None, *FOREIGN])
async def test_a_write_comes_from_a_page_of_ours(doors: Doors, origin: str | None):
    browser = await doors.opened(YA, "admin")
    del browser.headers["Origin"]
    headers = {} if origin is None else {"Origin": origin}
    answer = await browser.put(f"/api/groups/{GROUP}/settings", json={"persona": "x"}, headers=headers)
    assert answer.status_code == 403
    assert (await browser.post(f"{PATH}/leave", headers=headers)).status_code == 403
    assert (await browser.get("/api/groups")).status_code == 200


@first(1)
@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_does_not_read_either(doors: Doors, origin: str):
    browser = await doors.opened()
    assert (await browser.get("/api/groups", headers={"Origin": origin})).status_code == 403
    told = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}
    del browser.headers["Origin"]
    assert (await browser.get("/api/groups", headers=told)).status_code == 403


async def test_without_a_session_there_is_the_owners_login(doors: Doors):
    doors.app = doors.make("right")
    async with doors.client(Origin=HERE) as browser:
        shown = await browser.get(PATH)
        assert shown.status_code == 401
        assert 'type="password"' in shown.text
        assert "/秘书 网页" in shown.text
        wrong = await browser.post(f"{PATH}/login", data={"token": "wrong"})
        assert wrong.status_code == 403
        assert "令牌不对" in wrong.text
        assert (await browser.post(f"{PATH}/login", data={"token": "right"})).status_code == 303
        assert (await browser.get(PATH)).text == f"{PATH}/_console owner None None"
        assert (await browser.get("/api/groups")).status_code == 200
        doors.app = doors.make("another")
        assert await doors.sessions.actor(browser.cookies[COOKIE]) is None, "another token ends them"


async def test_the_login_is_posted_from_our_own_page(doors: Doors):
    doors.app = doors.make("right")
    async with doors.client(Origin="http://evil.example") as browser:
        assert (await browser.post(f"{PATH}/login", data={"token": "right"})).status_code == 403


async def test_this_machine_without_a_token_is_the_owner_and_others_are_not(doors: Doors):
    async with doors.client() as here, doors.client("203.0.113.9") as there:
        assert (await here.get(PATH)).text == f"{PATH}/_console owner None None"
        shown = await there.get(PATH)
        assert shown.status_code == 401
        assert 'type="password"' not in shown.text, "there is no token to ask for"
        assert (await there.get("/api/groups")).status_code == 403
        code = await doors.code()
        assert (await there.get(f"{PATH}/enter", params={"code": code})).status_code == 303
        assert (await there.get("/api/groups")).status_code == 200


async def test_a_page_elsewhere_that_leads_here_is_led_on_by_a_page_of_ours(doors: Doors):
    browser = await doors.opened()
    cookie = browser.cookies[COOKIE]
    async with doors.client() as led:
        told = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        answer = await led.get(f"{PATH}/ledger?group=1", headers=told)
        assert f'content="0;url={PATH}/ledger?group=1"' in answer.text
        assert "owner" not in answer.text
        answer = await led.get(PATH, headers={**told, "Cookie": f"{COOKIE}={cookie}"})
        assert answer.text.startswith(f"{PATH}/_console member")


async def test_an_unknown_page_is_not_handed_on(doors: Doors):
    async with doors.client() as browser:
        for path in ("/x", "/_console", "/calendar/x", "/%2e%2e/playground", "//calendar"):
            assert (await browser.get(PATH + path)).status_code == 404


PROXIED = {"X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/bot", "X-Forwarded-For": "203.0.113.9"}


async def test_a_trusted_proxys_path_and_tls_are_believed(doors: Doors):
    doors.app = doors.make(trusted=["loopback"])
    code = await doors.code()
    async with doors.client() as browser:
        answer = await browser.get(f"{PATH}/enter", params={"code": code}, headers=PROXIED)
        assert answer.headers["location"] == f"/bot{PATH}"
        assert "Secure" in answer.headers["set-cookie"]
        assert "Path=/bot/" in answer.headers["set-cookie"]


@first(1)
@pytest.mark.parametrize(
    ("client", "trusted"),
    [("203.0.113.5", ["loopback"]), ("127.0.0.1", ["10.0.0.0/8"]), ("127.0.0.1", [])],
)
async def test_nobody_elses_is(doors: Doors, client: str, trusted: list[str]):
    doors.app = doors.make(trusted=trusted)
    code = await doors.code()
    async with doors.client(client) as browser:
        answer = await browser.get(f"{PATH}/enter", params={"code": code}, headers=PROXIED)
        assert answer.headers["location"] == PATH
        assert "Secure" not in answer.headers["set-cookie"]


async def test_forwarded_hosts_are_no_origins_of_ours_unless_a_named_proxy_tells(doors: Doors):
    told = {"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"}
    for trusted, status in (([], 403), (["10.0.0.0/8"], 403), (["loopback"], 200)):
        doors.app = doors.make(trusted=trusted)
        browser = await doors.opened(YA, "admin")
        change = {"persona": "x"}
        answer = await browser.put(f"/api/groups/{GROUP}/settings", json=change, headers=told)
        assert answer.status_code == status, trusted


@first(1)
@pytest.mark.parametrize("rewritten", [("198.51.100.{}", 0), ("198.51.100.{}", 1234)])
async def test_a_server_that_believes_the_header_does_not_make_guesses_free(
    doors: Doors, rewritten: tuple[str, int]
):
    """uvicorn puts what X-Forwarded-For says in the place of the connection, its port included."""
    doors.app = doors.make("right-token-7f3a")
    answers: list[int] = []
    for number in range(12):
        address, port = rewritten[0].format(number), rewritten[1]
        transport = httpx.ASGITransport(doors.app, client=(address, port))
        told = f"{address}:{port}" if port else address
        headers = {"Origin": HERE, "X-Forwarded-For": told}
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers) as browser:
            answer = await browser.post(f"{PATH}/login", data={"token": "guess"})
            answers.append(answer.status_code)
    assert answers == [403] * 3 + [429] * 9


@first(2)
@pytest.mark.parametrize("prefix", ['/bot"><script>', "//evil.example", "/a/../b?", "bot", "/é"])
async def test_an_odd_prefix_is_none(doors: Doors, prefix: str):
    doors.app = doors.make(trusted=["loopback"])
    code = await doors.code()
    headers = [(b"X-Forwarded-Prefix", prefix.encode())]
    async with doors.client() as browser:
        answer = await browser.get(f"{PATH}/enter", params={"code": code}, headers=headers)
        assert answer.headers["location"] == PATH


async def test_a_public_address_is_an_origin_of_ours(doors: Doors):
    doors.app = doors.make(public_url="https://bot.example")
    browser = await doors.opened(YA, "admin")
    headers = {"Origin": "https://bot.example"}
    answer = await browser.put(f"/api/groups/{GROUP}/settings", json={"persona": "x"}, headers=headers)
    assert answer.status_code == 200
    async with doors.client(base="http://bot.example") as behind:
        answer = await behind.get(f"{PATH}/enter", params={"code": await doors.code()})
        assert "Secure" in answer.headers["set-cookie"]


def test_an_owner_is_nobody_in_particular():
    assert Actor("owner") == OWNER


async def test_a_session_that_is_over_leads_to_the_door_which_says_so(doors: Doors):
    doors.app = doors.make("a token that is long enough")
    browser = await doors.opened()
    assert (await browser.get(f"{PATH}/calendar")).status_code == 200
    await doors.sessions.leave_all(MING)
    closed = await browser.get(f"{PATH}/calendar?over=1")
    assert closed.status_code == 401
    assert "会话结束了" in closed.text
    assert f'action="{PATH}/login?to=calendar"' in closed.text
    assert COOKIE not in browser.cookies
    again = await browser.get(f"{PATH}/calendar?over=1")
    assert "会话结束了" in again.text, "also without the cookie"
    assert "会话结束了" not in (await browser.get(f"{PATH}/calendar")).text
    token = {"token": "a token that is long enough"}
    wrong = await browser.post(f"{PATH}/login?to=calendar", data={"token": "a wrong one"})
    assert f'action="{PATH}/login?to=calendar"' in wrong.text, "the page is still known"
    assert "MISHU__" not in wrong.text
    inside = await browser.post(f"{PATH}/login?to=calendar", data=token)
    assert (inside.status_code, inside.headers["location"]) == (303, f"{PATH}/calendar")
    outside = await browser.post(f"{PATH}/login?to=https://evil.example", data=token)
    assert outside.headers["location"] == PATH


async def test_on_this_machine_a_session_that_is_over_is_not_quietly_the_owners(doors: Doors):
    browser = await doors.opened()
    await doors.sessions.leave_all(MING)
    closed = await browser.get(f"{PATH}/ledger?over=1")
    assert closed.status_code == 401
    assert "会话结束了" in closed.text
    assert f'href="{PATH}/ledger"' in closed.text, "and the owner goes on from there"
    assert "owner" in (await browser.get(f"{PATH}/ledger")).text
