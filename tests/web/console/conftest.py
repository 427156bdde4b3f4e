"""One bot with a month behind it, an account in its group, and a real browser before its pages."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from e2e.harness import BotProcess, OneBotClient
from e2e.harness.room import Chat, Member
from nonebot_plugin_mishu.storage import Storage
from ready_database import ready_url

from bot.pictures.browser import NoBrowser, opened
from bot.pictures.example import ACCOUNT, GROUP, ME, OTHER, PEOPLE, fill

T = TypeVar("T")
WITHIN = 60.0


class World:
    """The running bot and its group. What is asynchronous runs in a thread, the browser in the test's."""

    def __init__(self, home: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="console world")
        self._thread.start()
        self.bot = BotProcess(home, {"MISHU__FRONTDESK__WAKE_WORDS": ["小秘"]})
        self.people = {user: Member(int(user), name, role=role) for user, (name, role) in PEOPLE.items()}
        self.client: OneBotClient
        self.room: Chat

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it there, and wait."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WITHIN)

    async def _open(self) -> None:
        storage = await Storage.open(await ready_url(self.bot.home), on_trouble=print)
        await fill(storage, self.bot.clock.local())
        await storage.close()
        await self.bot.start()
        self.client = OneBotClient(self.bot.onebot_url, int(ACCOUNT))
        self.room = self.client.room(int(GROUP))
        self.set_roles()
        await self.client.connect()
        await self._connected()

    async def _connected(self) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=10) as http, asyncio.timeout(20):
            while ACCOUNT not in (await http.get(f"{self.bot.url}/api/health")).json()["bots"]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    def set_roles(self, **changed: str) -> None:
        """What the platform says of the members: as in the example, but for `changed` (u1002="member")."""
        self.client.platform.groups = {GROUP: "产品小组", OTHER.peer: "周末爬山群"}
        for each in self.people.values():
            self.client.platform.members[GROUP, str(each.user_id)] = {
                "group_id": int(GROUP),
                "user_id": each.user_id,
                "nickname": each.nickname,
                "card": "",
                "role": changed.get(f"u{each.user_id}", each.role),
            }

    def open(self) -> None:
        """Start it."""
        self.run(self._open())

    def close(self) -> None:
        """End it."""

        async def end() -> None:
            await self.client.disconnect()
            await self.bot.stop()

        try:
            self.run(end())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def say(self, user: str, words: str) -> None:
        """A member says something in the group."""
        self.run(self.room.say(self.people[user], words))

    def link(self, user: str = ME) -> str:
        """What the bot tells a member privately when asked for the pages."""

        async def asked() -> str:
            before = len(self.client.sends)
            await self.room.say(self.people[user], "/秘书 网页")
            given = await self.client.until(
                lambda: next((e for e in self.client.sends[before:] if "console/enter" in e.text), None),
                20,
                "the link",
            )
            return re.findall(r"https?://\S+", given.text)[0]

        return self.run(asked())

    def api(self, method: str, path: str, **more: Any) -> Any:
        """Ask the API as the owner."""
        with httpx.Client(trust_env=False, timeout=20) as http:
            answer = http.request(method, f"{self.bot.url}/api/{path}", **more)
        assert answer.status_code < 400, answer.text
        return answer.json() if answer.content else None


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The one bot of this package."""
    running = World(tmp_path_factory.mktemp("console"))
    running.open()
    yield running
    running.close()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium; the test is skipped where there is none."""
    try:
        driver = opened(tmp_path_factory.mktemp("chromium"))
    except NoBrowser as why:
        pytest.skip(str(why))
    yield driver
    driver.quit()
