"""Fixtures of the end-to-end tests.

A module's tests share one bot process, since starting one costs seconds; each test gets a group of its
own, so that they do not disturb each other. A module says how its bot is set up:

* `BOT = {...}`: settings over `harness.SETTINGS` (a value of None leaves a key out);
* `OFFLINE = True`: no model is configured.

After every test its group must come to rest with nothing held; at a module's end the bot's log must be
free of keys, of lost task errors and of coroutines nobody awaited.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from model_server import PROVIDER_TEXTS, ModelServer

from .harness import Api, BotProcess, Chat, OneBotClient
from .harness.bot_process import API_KEY

SELF_ID = 10_001

LOST = (
    "Task exception was never retrieved",
    "was never awaited",
    "Task was destroyed but it is pending",
    "Future exception was never retrieved",
)


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


@pytest_asyncio.fixture(scope="module")
async def model_of_module() -> AsyncIterator[ModelServer]:
    async with ModelServer() as server:
        yield server


@pytest.fixture
def model(model_of_module: ModelServer) -> Iterator[ModelServer]:
    """The scripted model; every test starts with the defaults."""
    model_of_module.reset()
    yield model_of_module
    model_of_module.reset()


@pytest_asyncio.fixture(scope="module")
async def bot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, model_of_module: ModelServer
) -> AsyncIterator[BotProcess]:
    """The module's bot process."""
    process = BotProcess(tmp_path_factory.mktemp("bot"), bot_settings(request.module, model_of_module))
    try:
        await process.start()
        yield process
        await process.stop()
        assert_clean(process)
    finally:
        await process.close()


@pytest_asyncio.fixture(scope="module")
async def api(bot: BotProcess, request: pytest.FixtureRequest) -> AsyncIterator[Api]:
    """The module's bot over HTTP."""
    found = Api(bot.url, getattr(request.module, "BOT", {}).get("MISHU__WEB__TOKEN"))
    yield found
    await found.close()


@pytest_asyncio.fixture(scope="module")
async def client(bot: BotProcess, api: Api) -> AsyncIterator[OneBotClient]:
    """The module's QQ account."""
    async with OneBotClient(bot.onebot_url, SELF_ID) as account:
        await api.poll(api.health, lambda seen: account.self_id in map(str, seen["bots"]), "connected")
        yield account


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

    def make(*, offline: bool = False, **settings: object) -> BotProcess:
        online = bot_settings(object(), model)
        process = BotProcess(tmp_path_factory.mktemp("bot"), {**({} if offline else online), **settings})
        made.append(process)
        return process

    yield make
    for process in made:
        await process.close()
        assert_clean(process)


StartBot = Callable[..., BotProcess]
