"""A real browser before nginx, over TLS and below a path: pages, socket, stream, playground."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_deploy_nginx import AUTHORIZED
from test_deploy_tls import PAGES, Site, site
from web.console.pages import Pages

from bot.pictures.browser import NoBrowser, opened

pytestmark = pytest.mark.exhaustive
__all__ = ["site"]
HEARD = """const done = arguments[arguments.length - 1], stream = new EventSource(arguments[0]);
stream.addEventListener('presence', () => { stream.close(); done('presence'); });
stream.onerror = () => { stream.close(); done('refused'); };"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    try:
        driver = opened(tmp_path / "browser", any_certificate=True)
    except NoBrowser as why:
        pytest.skip(str(why))
    yield driver
    driver.quit()


@pytest.fixture
def pages(browser: Any, site: Site) -> Pages:
    world: Any = SimpleNamespace(bot=site.bot)
    pages = Pages(browser, world)
    pages.address = f"{site.address}console"
    return pages


async def away(work: Callable[..., Any], *given: Any) -> Any:
    """Do it in a thread: the account goes on answering the bot meanwhile."""
    return await asyncio.to_thread(work, *given)


def cookies(browser: Any, site: Site) -> dict[str, Any]:
    found = browser.execute_cdp_cmd("Network.getCookies", {"urls": [f"{site.address}console", site.address]})
    return {each["name"]: each for each in found["cookies"]}


def elsewhere(pages: Pages, site: Site) -> list[str]:
    """What was asked for outside the console and the API of this address."""
    mine = tuple(f"{kind}{site.address.removeprefix('https')}" for kind in ("https", "wss"))
    asked = [each for each in pages.requests() if not each.startswith(("data:", "blob:", "about:", "chrome"))]
    assert asked
    return [each for each in asked if not each.startswith(mine) and "favicon" not in each]


async def test_a_member_uses_every_page_on_a_phone(site: Site, pages: Pages) -> None:
    pages.width(390)
    pages.requests()
    pages.browser.get(await site.link())
    await away(pages.ready)
    assert pages.browser.current_url == f"{site.address}console"
    session = cookies(pages.browser, site)["mishu_session"]
    assert (session["secure"], session["httpOnly"], session["sameSite"]) == (True, True, "Strict")
    assert session["path"] == "/mishu/"

    for page in PAGES:
        await away(pages.go, page.removeprefix("/"))
        assert pages.faults() == [], page
    await away(pages.go)
    await away(pages.keep, "明天下午三点在会议室开会")
    await away(pages.sees, "记下了")
    await away(pages.click, "a.mi-way", "日历")
    await away(pages.ready)
    assert pages.browser.current_url == f"{site.address}console/calendar"
    await away(pages.press, "列表")
    await away(pages.sees, "会议室")

    await site.room.call(site.ming, "后天上午九点开评审会")
    await away(pages.sees, "评审会")  # by the socket: nobody asked for the page again

    stream = f"{site.address}api/groups/{site.room.id}/events"
    assert await away(pages.browser.execute_async_script, HEARD, stream) == "presence"
    foreign = f"{site.address}api/groups/{site.other.id}/events"
    assert await away(pages.browser.execute_async_script, HEARD, foreign) == "refused"
    assert elsewhere(pages, site) == []

    await away(pages.go, "settings")
    await away(pages.press, "退出")
    await away(pages.until, lambda: pages.all("input[name=token]"), "not out")
    assert "mishu_session" not in cookies(pages.browser, site)


async def test_the_owner_logs_in_and_plays_there(site: Site, pages: Pages) -> None:
    pages.width(1440)
    pages.requests()
    pages.browser.get(f"{site.address}console")
    await away(pages.type, "input[name=token]", AUTHORIZED["Authorization"].removeprefix("Bearer "))
    await away(pages.click, "button", "")
    await away(pages.ready)
    await away(pages.go, "bot")
    await away(pages.press, "现在备份")
    await away(pages.sees, "备份好了")
    pages.browser.get(f"{site.address}console/playground")
    await away(pages.until, lambda: pages.js("return window.did_handshake === true"), "no page")
    await away(pages.click, "button.pg-example", "记账")
    answered = lambda: [each for each in pages.all(".pg-row.bot") if "35" in each.text]  # noqa: E731
    await away(pages.until, answered, "not answered")
    assert elsewhere(pages, site) == []
