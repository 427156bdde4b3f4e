"""`deploy/nginx.conf` in a real nginx before a real bot: below a path, with WebSockets."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
import pytest_asyncio
from e2e.harness import BotProcess, OneBotClient, bot_clock, summon
from e2e.harness.bot_process import ROOT, free_port

BLOCK = ROOT / "deploy" / "nginx.conf"
TOKEN = "t0ken-of-the-web"
ONEBOT_TOKEN = "t0ken-of-onebot"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
MAP = "map $http_upgrade $mishu_connection { default upgrade; '' ''; }"


def test_what_the_comment_says_of_the_map_is_what_is_tried_here():
    commented = "".join(
        line.lstrip("# ") for line in BLOCK.read_text("utf-8").split("\n#\n")[-1].splitlines()
    )
    assert re.sub(r"\s", "", commented) == re.sub(r"\s", "", MAP)


def test_the_recipe_names_the_keys_it_needs_and_passes_the_socket_alone():
    """Read, too, where no nginx is there to try it."""
    block = BLOCK.read_text("utf-8")
    for key in ("MISHU__WEB__TOKEN=", "MISHU__WEB__PUBLIC_URL=", 'MISHU__WEB__TRUSTED_PROXIES=["loopback"]'):
        assert key in block
    assert re.search(r"location /mishu/onebot \{ return 404; \}", block)
    [passed] = re.findall(r"location = (\S+) \{", block)
    assert passed == "/mishu/onebot/v11/ws"


@pytest_asyncio.fixture
async def site(tmp_path: Path) -> AsyncIterator[str]:
    """The address below which nginx serves a bot."""
    async with served(tmp_path, free_port()) as bot_and_address:
        yield bot_and_address[1]


@asynccontextmanager
async def served(
    tmp_path: Path, port: int, tls: str = "", **settings: str
) -> AsyncIterator[tuple[BotProcess, str]]:
    """A bot, and the address below which nginx serves it; `tls` is what a server needs beside `ssl`."""
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    bot = BotProcess(
        tmp_path / "bot",
        {
            "MISHU__WEB__TOKEN": TOKEN,
            "ONEBOT_ACCESS_TOKEN": ONEBOT_TOKEN,
            "MISHU__WEB__TRUSTED_PROXIES": ["loopback"],
            **settings,
        },
        ready="/playground/",
    )
    block = BLOCK.read_text("utf-8").replace("127.0.0.1:8080", f"127.0.0.1:{bot.port}")
    temporary = " ".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/nginx.pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off; {temporary}\n{MAP}\n"
        f"server {{ listen 127.0.0.1:{port}{' ssl' if tls else ''};\n{tls}\n{block}\n}} }}\n",
        "utf-8",
    )
    command = [nginx, "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    checked = await asyncio.to_thread(
        lambda: subprocess.run([*command, "-t"], capture_output=True, text=True, timeout=30, check=False)
    )
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
    bot_clock._by_port[port] = bot.clock  # messages through nginx carry the bot's time too
    await bot.start()
    serving = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        async with asyncio.timeout(20):
            while not await _listens(port):  # noqa: ASYNC110 - a socket has no event
                await asyncio.sleep(0.02)
        yield bot, f"{'https' if tls else 'http'}://127.0.0.1:{port}/mishu/"
    finally:
        serving.terminate()
        await serving.wait()
        await bot.close()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def test_api_metrics_page_and_sockets_work_below_a_path(site: str):
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        for path in ("api/health", "metrics"):
            assert (await http.get(site + path)).status_code == 401
            assert (await http.get(site + path, headers=AUTHORIZED)).status_code == 200
        led = await http.get(site, headers={"Accept": "text/html"})
        page = urljoin(site, led.headers["location"])
        assert page == f"{site}playground/"

        asked = await http.get(page, headers={"Accept": "text/html"})
        assert asked.status_code == 401
        (action,) = re.findall(r'action="([^"]*)"', asked.text)
        login = urljoin(page, action)
        assert (await http.post(login, data={"token": TOKEN})).status_code == 403, "from no page"
        ours = {"Origin": site.removesuffix("/mishu/")}
        entered = await http.post(login, data={"token": TOKEN}, headers=ours)
        assert entered.status_code == 303
        assert urljoin(urljoin(page, action), entered.headers["location"]) == page
        assert "Path=/mishu/;" in entered.headers["set-cookie"]
        shown = await http.get(page, headers={"Accept": "text/html"})
        assert shown.status_code == 200
        parts = re.findall(r'(?:src|href)="(/[^"]*\.(?:js|css))"', shown.text)
        assert parts
        for part in parts[:5]:
            assert part.startswith("/mishu/playground/")
            assert (await http.get(urljoin(page, part))).status_code == 200

    sockets = site.replace("http", "ws", 1) + "onebot/v11/ws"
    async with OneBotClient(sockets, 10_061, token=ONEBOT_TOKEN) as account:
        room = account.room()
        await summon(room, room.member("阿明"), "在吗")
    async with httpx.AsyncClient(trust_env=False) as http:
        for path in (
            "onebot/v11/",
            "onebot/v11/http",
            "onebot/v11/http/",
            "onebot//v11/http",
            "%6fnebot/v11/",
        ):
            answer = await http.post(f"{site}{path}", json={}, headers={"X-Self-ID": "10061"})
            assert answer.status_code == 404, path
        assert (await http.post(f"{site}onebot/v11/ws", json={})).status_code == 403
