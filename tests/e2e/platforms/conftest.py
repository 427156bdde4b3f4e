"""One bot for each platform, and a fresh group on each for every scenario."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from ..harness import Api, BotProcess, OneBotClient
from .chat import Chat
from .milky_fake import MilkyFake
from .onebot_chat import OneBotChat
from .qq_fake import QqChat, QqFake

CLOCK = "2026-11-18T10:00"
PLATFORMS = (
    pytest.param("onebot", marks=pytest.mark.exhaustive),
    "qq",
    pytest.param("milky", marks=pytest.mark.exhaustive),
)
"""Platforms of the scenarios. Milky is QQ as OneBot is; what else is tried end to end is tried on OneBot."""


@pytest_asyncio.fixture(scope="package")
async def onebot_here(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[BotProcess, OneBotClient]]:
    """A bot with an account over OneBot."""
    bot = BotProcess(tmp_path_factory.mktemp("bot"), clock=CLOCK)
    await bot.start()
    async with OneBotClient(bot.onebot_url, 10_001) as client:
        yield bot, client
    await bot.stop()


@pytest_asyncio.fixture(scope="package")
async def qq_here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[BotProcess, QqFake]]:
    """A bot that is one of QQ's official bots, and its QQ."""
    async with QqFake() as fake:
        bot = BotProcess(tmp_path_factory.mktemp("bot"), fake.settings, clock=CLOCK)
        fake.now = bot.clock.now
        await bot.start()
        await fake.until(lambda: fake.connected, 20, "the bot at the gateway")
        yield bot, fake
        await bot.stop()


@pytest_asyncio.fixture(scope="package")
async def milky_here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[BotProcess, MilkyFake]]:
    """A bot with an account over Milky alone."""
    async with MilkyFake(10_777) as fake:
        settings = {"MISHU__BOT__ADAPTERS": ["milky"], "MILKY_CLIENTS": [fake.settings]}
        bot = BotProcess(tmp_path_factory.mktemp("bot"), settings, clock=CLOCK)
        fake.url = bot.url
        await bot.start()
        await fake.connect()
        yield bot, fake
        await bot.stop()


@pytest.fixture(params=PLATFORMS)
def platform(request: pytest.FixtureRequest) -> str:
    """The platform of a scenario."""
    return request.param


@pytest.fixture
def here(platform: str, request: pytest.FixtureRequest) -> tuple[BotProcess, Chat]:
    """The platform's bot, and a group of this test's own."""
    if platform == "onebot":
        bot, client = request.getfixturevalue("onebot_here")
        return bot, OneBotChat(client)
    if platform == "milky":
        bot, account = request.getfixturevalue("milky_here")
        return bot, OneBotChat(account)
    bot, fake = request.getfixturevalue("qq_here")
    fake.active_refused.clear()
    fake.all_active_refused, fake.keyboards = False, True
    return bot, QqChat(fake)


@pytest.fixture
def chat(here: tuple[BotProcess, Chat]) -> Chat:
    """A group."""
    return here[1]


@pytest.fixture
def bot(here: tuple[BotProcess, Chat]) -> BotProcess:
    """The bot in it."""
    return here[0]


@pytest_asyncio.fixture
async def api(bot: BotProcess) -> AsyncIterator[Api]:
    """Its HTTP API."""
    found = Api(bot.url)
    yield found
    await found.close()
