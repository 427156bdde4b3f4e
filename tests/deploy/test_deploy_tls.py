"""A link opened over TLS below a path: pages, API, live events, sockets, calendars."""

from __future__ import annotations

import asyncio
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

import httpx
import pytest
import pytest_asyncio
from e2e.harness import Chat, OneBotClient, summon
from e2e.harness.bot_process import BotProcess, free_port
from e2e.harness.room import Member
from test_deploy_nginx import AUTHORIZED, ONEBOT_TOKEN, served
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

pytestmark = pytest.mark.exhaustive
PAGES = ("", "/calendar", "/ledger", "/decisions", "/record", "/memory", "/settings", "/usage")
ODD = "<script>alert(7)</script>'); DROP TABLE mishu_schedule; --"


@dataclass
class Site:
    """The bot behind nginx, an account in a group, and what browsers need to trust nginx."""

    bot: BotProcess
    address: str
    trusted: ssl.SSLContext
    room: Chat
    other: Chat
    ming: Member

    @property
    def origin(self) -> str:
        return self.address.removesuffix("/mishu/")

    def browser(self, **headers: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(verify=self.trusted, trust_env=False, timeout=30, headers=headers)

    async def link(self) -> str:
        """What the bot tells a member privately."""
        before = len(self.room.client.sends)
        await self.room.say(self.ming, "/秘书 网页")
        sends = await self.room.client.until(
            lambda: len(self.room.client.sends) >= before + 2 and self.room.client.sends[before:],
            20,
            "the link, and a line in the group",
        )
        assert sum("console/enter" in each.text for each in sends) == 1
        given = next(each for each in sends if "console/enter" in each.text)
        assert given.user_id is not None, "privately"
        return re.findall(r"https://\S+", given.text)[0]


@pytest_asyncio.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    openssl = shutil.which("openssl")
    if openssl is None or shutil.which("nginx") is None:
        pytest.skip("nginx or openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = f"{openssl} req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += f" -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    await asyncio.to_thread(
        lambda: subprocess.run(command.split(), check=True, capture_output=True, timeout=30)
    )
    port = free_port()
    public = f"https://127.0.0.1:{port}/mishu"
    tls = f"ssl_certificate {certificate}; ssl_certificate_key {key};"
    async with (
        served(tmp_path, port, tls, MISHU__WEB__PUBLIC_URL=public) as (bot, address),
        OneBotClient(bot.onebot_url, 10_062, token=ONEBOT_TOKEN) as account,
    ):
        room, other = account.room(), account.room()
        ming = room.member("阿明")
        await summon(room, ming, "在吗")
        await summon(other, other.member("别人"), "在吗")
        trusted = ssl.create_default_context(cafile=str(certificate))
        yield Site(bot, address, trusted, room, other, ming)


async def test_a_member_enters_by_the_link_and_finds_everything_below_the_path(site: Site) -> None:
    link = await site.link()
    assert link.startswith(f"{site.address}console/enter?code=")
    async with site.browser() as browser:
        entered = await browser.get(link)
        assert (entered.status_code, entered.headers["location"]) == (303, "/mishu/console")
        cookie = entered.headers["set-cookie"]
        for word in ("Secure", "HttpOnly", "SameSite=strict", "Path=/mishu/;"):
            assert word in f"{cookie};"
        assert (await site.browser().get(link)).status_code == 403, "once"

        for page in PAGES:
            shown = await browser.get(f"{site.address}console{page}", params={"group": site.other.id})
            assert shown.status_code == 200, page
            assert str(site.other.id) not in shown.text.replace(f"group={site.other.id}", ""), "not theirs"
            for address in re.findall(r'(?:src|href)="(/[^"]*)"', shown.text):
                assert address.startswith("/mishu/console"), f"{page}: {address}"
        parts = re.findall(r'(?:src|href)="(/[^"]*\.(?:js|css))"', shown.text)
        assert parts
        for part in parts[:4]:
            assert (await browser.get(urljoin(site.address, part))).status_code == 200

        groups = f"{site.address}api/groups"
        assert [each["id"] for each in (await browser.get(groups)).json()] == [str(site.room.id)]
        assert (await browser.get(f"{groups}/{site.other.id}/members")).status_code == 403
        today = f"{datetime.fromtimestamp(site.room.now(), ZoneInfo('Asia/Shanghai')):%Y-%m-%d}"
        task = {"title": ODD, "dueDate": today}
        mine = f"{site.address}api/users/{site.ming.user_id}/tasks"
        assert (await browser.post(mine, json=task)).status_code == 403, "from no page"
        foreign = {"Origin": "https://evil.example"}
        assert (await browser.post(mine, json=task, headers=foreign)).status_code == 403
        made = await browser.post(mine, json=task, headers={"Origin": site.origin})
        assert (made.status_code, made.json()["title"]) == (201, ODD)
        shown = await browser.get(f"{site.address}console")
        assert "alert(7)" in shown.text, "it is shown"
        assert "<script>alert(7)" not in shown.text, "as text"

        document = await browser.get(f"{site.address}api/openapi.json")
        server = urljoin(str(document.url), document.json()["servers"][0]["url"])
        assert server == f"{site.address}api"
        docs = await browser.get(f"{site.address}api/docs")
        assert 'href="openapi.json"' in docs.text

        async with browser.stream("GET", f"{groups}/{site.room.id}/events") as events:
            lines = events.aiter_lines()
            async with asyncio.timeout(20):
                while not (await anext(lines)).startswith("event: presence"):
                    pass

        left = await browser.post(f"{site.address}console/leave", headers={"Origin": site.origin})
        assert (left.status_code, left.headers["location"]) == (303, "/mishu/console")
        assert (await browser.get(groups)).status_code == 401


async def test_the_pages_socket_is_opened_by_our_own_pages_only(site: Site) -> None:
    async with site.browser() as browser:
        await browser.get(await site.link())
        cookie = f"mishu_session={browser.cookies['mishu_session']}"
    socket = site.address.replace("https", "wss", 1) + "console/_nicegui_ws/socket.io/"
    socket += "?EIO=4&transport=websocket"

    async def tried(origin: str | None, headers: dict[str, str]) -> int:
        try:
            async with connect(
                socket, ssl=site.trusted, origin=origin, additional_headers=headers, proxy=None
            ) as open_socket:
                async with asyncio.timeout(10):
                    assert str(await open_socket.recv()).startswith("0{"), "it talks"
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    assert await tried(site.origin, {"Cookie": cookie}) == 101
    assert await tried(site.origin, {}) == 403
    assert await tried("https://evil.example", {"Cookie": cookie}) == 403
    assert await tried(None, {"Cookie": cookie}) == 403
    assert await tried(site.origin, {"Cookie": "mishu_session=stolen"}) == 403


async def test_what_a_stranger_says_of_the_way_here_is_not_believed(site: Site) -> None:
    odd = {"X-Forwarded-Prefix": "/evil", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
    async with site.browser(**odd) as browser:
        entered = await browser.get(await site.link())
        assert entered.headers["location"] == "/mishu/console", "nginx says it, over what the stranger said"
        assert "Secure" in entered.headers["set-cookie"]


async def test_the_owners_login_calendars_and_the_playground_below_the_path(site: Site) -> None:
    async with site.browser() as browser:
        shown = await browser.get(f"{site.address}console")
        assert shown.status_code == 401
        (action,) = re.findall(r'action="([^"]*)"', shown.text)
        token = {"token": AUTHORIZED["Authorization"].removeprefix("Bearer ")}
        wrong = await browser.post(urljoin(site.address, action), data=token)
        assert wrong.status_code == 403, "not from a page of ours"
        entered = await browser.post(
            urljoin(site.address, action), data=token, headers={"Origin": site.origin}
        )
        assert (entered.status_code, entered.headers["location"]) == (303, "/mishu/console")
        assert (await browser.get(f"{site.address}console/bot")).status_code == 200

        page = f"{site.address}playground/"
        entered = await browser.post(f"{page}login", data=token, headers={"Origin": site.origin})
        assert "Secure" in entered.headers["set-cookie"]
        assert "Path=/mishu/;" in entered.headers["set-cookie"]
        assert (await browser.get(page, headers={"Accept": "text/html"})).status_code == 200

        before = len(site.room.client.sends)
        await site.room.call(site.ming, "订阅日历")
        sends = await site.room.client.until(lambda: site.room.client.sends[before:], 20, "an answer")
        for address in re.findall(r"https?://\S+\.ics", "\n".join(each.text for each in sends)):
            assert address.startswith(f"{site.address}calendar/")
            assert (await browser.get(address)).status_code == 200
