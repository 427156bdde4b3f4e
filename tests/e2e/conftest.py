"""Fixtures of the end-to-end tests.

Modules with the same settings share one bot process, since starting one costs seconds; each test gets a
group of its own, so that they do not disturb each other. A module says how its bot is set up:

* `BOT = {...}`: settings over `harness.SETTINGS` (a value of None leaves a key out);
* `OFFLINE = True`: no model is configured;
* `CLOCK = "2026-11-18T10:00"`: when its clock starts, in Shanghai. Whatever the machine's clock says, it
  is another one, and the messages carry it.

After every test its group must come to rest with nothing held; at the end the bots' logs must be free
of keys, of lost task errors and of coroutines nobody awaited.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from model_server import PROVIDER_TEXTS, ModelServer

from .harness import CLOCK, Api, BotProcess, Chat, OneBotClient
from .harness.bot_process import API_KEY

HERE = Path(__file__).resolve().parent
BROWSERS = HERE.parent / "web" / "console"
SELF_ID = 10_001

LOST = (
    "Task exception was never retrieved",
    "was never awaited",
    "Task was destroyed but it is pending",
    "Future exception was never retrieved",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These first, since they wait the longest; modules whose bots are set up alike one after the other. Then
    the browsers': a long file at the end would have one of two processes wait for the other."""

    def place(item: pytest.Item) -> tuple[int, str]:
        if HERE in item.path.parents:
            return 0, set_up(item.module)  # type: ignore[attr-defined]
        return (1 if BROWSERS in item.path.parents else 2), ""

    items.sort(key=place)


def set_up(module: Any) -> str:
    """How a module's bot is set up: which bots are one."""
    wanted = [getattr(module, name, None) for name in ("OFFLINE", "BOT", "CLOCK")]
    return json.dumps(wanted, sort_keys=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Show the end of the bot's log with a failure."""
    report = yield
    if report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, BotProcess):
                report.sections.append((f"log of {name}", value.tail(40)))
    return report


def assert_clean(bot: BotProcess) -> None:
    """Assert what no log may ever hold."""
    log = bot.log
    assert API_KEY not in log, "the model's key is in the log"
    kept = [bot.database, *bot.home.glob("data/**/*.db")]
    assert not any(API_KEY.encode() in file.read_bytes() for file in kept if file.is_file())
    for words in LOST:
        assert words not in log, f"{words!r} in the log:\n{_around(log, words)}"
    for words in PROVIDER_TEXTS:
        if words.startswith("sk-"):
            assert words not in log, f"a provider's secret is in the log:\n{_around(log, words)}"


def _around(log: str, words: str) -> str:
    at = log.index(words)
    return log[max(0, at - 1500) : at + 3000]


def bot_settings(module: Any, model: ModelServer) -> dict[str, object | None]:
    """The settings a module asks for."""
    online = {
        "MISHU__LLM__BASE_URL": model.url,
        "MISHU__LLM__API_KEY": API_KEY,
        "MISHU__LLM__MODEL": "test-model",
    }
    return {**({} if getattr(module, "OFFLINE", False) else online), **getattr(module, "BOT", {})}


broken: dict[str, str] = {}
"""Settings whose bot did not come up, and why: the other tests need not wait for it again."""


@dataclass
class Site:
    """A running bot and what talks to it."""

    bot: BotProcess
    api: Api
    client: OneBotClient


@pytest_asyncio.fixture(scope="session")
async def model_of_session() -> AsyncIterator[ModelServer]:
    async with ModelServer() as server:
        yield server


@pytest.fixture
def model(model_of_session: ModelServer) -> Iterator[ModelServer]:
    """The scripted model; every test starts with the defaults."""
    model_of_session.reset()
    yield model_of_session
    model_of_session.reset()


@pytest_asyncio.fixture(scope="session")
async def sites() -> AsyncIterator[dict[str, Site]]:
    """The bots that modules share, by their settings."""
    running: dict[str, Site] = {}
    yield running
    for site in running.values():
        await site.client.disconnect()
        await site.api.close()
    await asyncio.gather(*(site.bot.stop() for site in running.values()))
    for site in running.values():
        assert_clean(site.bot)


@pytest_asyncio.fixture(scope="module")
async def site(
    request: pytest.FixtureRequest,
    sites: dict[str, Site],
    tmp_path_factory: pytest.TempPathFactory,
    model_of_session: ModelServer,
) -> Site:
    """The module's bot, started where no module with the same settings started one."""
    settings = bot_settings(request.module, model_of_session)
    clock = getattr(request.module, "CLOCK", CLOCK)
    key = json.dumps([settings, clock], sort_keys=True)
    if key in broken:
        pytest.fail(f"the bot of these settings did not come up before: {broken[key]}")
    if key not in sites:
        bot = BotProcess(tmp_path_factory.mktemp("bot"), settings, clock=clock)
        try:
            await bot.start()
            api = Api(bot.url)
            client = OneBotClient(bot.onebot_url, SELF_ID)
            await client.connect()
            await api.poll(api.health, lambda seen: client.self_id in map(str, seen["bots"]), "connected")
            # The first call of all imports the model library: not what a test with short limits is about.
            friend = client.friend()
            await friend.say(None, "你好")
            await friend.expect(lambda sent: sent.text not in ("让我想想…", "还在想…"), within=30)
        except (AssertionError, OSError) as error:
            broken[key] = str(error).splitlines()[0]
            await bot.close()
            raise
        sites[key] = Site(bot, api, client)
    site = sites[key]
    await site.client.wake()
    await site.api.poll(
        site.api.health, lambda seen: site.client.self_id in map(str, seen["bots"]), "connected"
    )
    return site


@pytest.fixture
def bot(site: Site) -> BotProcess:
    """The module's bot process."""
    return site.bot


@pytest.fixture
def api(site: Site) -> Api:
    """The module's bot over HTTP."""
    return site.api


@pytest.fixture
def client(site: Site) -> OneBotClient:
    """The module's QQ account."""
    return site.client


@pytest_asyncio.fixture
async def room(client: OneBotClient, api: Api, model: ModelServer) -> AsyncIterator[Chat]:
    """A group of this test's own. At its end nothing is held and nobody works.

    The groups a test used are silenced after it: what a cooldown would still analyse there is not the next
    test's concern.
    """
    client.rooms.clear()
    group = client.room()
    yield group
    client.platform.faults.clear()
    model.reset()
    for used in client.rooms:
        await api.until_free(used)
        if await api.state(used) != "absent":
            await used.say(used.member("管理员", role="admin"), "/秘书 闭嘴")
            await api.until_state(used, "absent")


@pytest_asyncio.fixture
async def start_bot(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> AsyncIterator[Any]:
    """Make bots of a test's own: `bot = start_bot(SETTING=…)`, then `await bot.start()`."""
    made: list[BotProcess] = []

    def make(*, offline: bool = False, clock: str = CLOCK, **settings: object) -> BotProcess:
        online = bot_settings(object(), model)
        whole = {**({} if offline else online), **settings}
        process = BotProcess(tmp_path_factory.mktemp("bot"), whole, clock=clock)
        made.append(process)
        return process

    yield make
    for process in made:
        await process.close()
        assert_clean(process)


StartBot = Callable[..., BotProcess]
