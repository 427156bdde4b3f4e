"""The running plugin: builds every part once, starts them in order and stops them in the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from .adapter.onebot_v11 import OneBotPlatform
from .agents.chat import ChatAgent
from .clock import Clock
from .config import Config
from .console import Console
from .core import ChatOnly, Core, LocalGate, NoQuestions
from .feed import Feed
from .frontdesk import FrontDesk
from .llm import ModelClient, Practice
from .reporting import report, warn
from .secretary import Analyst, Desk, Secretary
from .storage import Storage, StorageError
from .storage.records import Conversation


class Runtime:
    """Owns everything that has to be opened and closed."""

    def __init__(
        self, config: Config, nicknames: Sequence[str], platform: OneBotPlatform, clock: Clock
    ) -> None:
        self.config = config
        self._nicknames = tuple(nicknames)
        self._platform = platform
        self._clock = clock
        self.practice = Practice(configured=config.llm.online)
        self._storage: Storage | None = None
        self._model: ModelClient | None = None
        self._warming: asyncio.Task[None] | None = None
        self._feed = Feed()
        self.desk: FrontDesk | None = None
        self.console: Console | None = None

    async def start(self, database_url: str) -> None:
        """Open the database, build the rest, start hearing. Raises `StorageError`."""
        storage = await Storage.open(database_url, on_trouble=warn, now=self._clock.wall)
        self._storage = storage

        async def spent(conversation: Conversation | None) -> int:
            try:
                return (await storage.usage.today(self._clock.today_began(), conversation)).tokens
            except StorageError as error:
                report("今天的用量读不出来，不作限制", error)
                return 0

        config = self.config
        model = ModelClient(
            config.llm,
            record=storage.usage.record,
            spent=spent,
            warn=warn,
            clock=self._clock.monotonic,
            wall=self._clock.wall,
            practice=self.practice,
        )
        self._model = model
        names = self._nicknames or ("秘书",)
        core = Core(LocalGate(), ChatOnly(), NoQuestions(), [ChatAgent(model, names[0])])
        console = Console(self._clock, storage, self._feed, model, self._platform, plugin_version())

        def secretary(desk: Desk) -> Secretary:
            analyst = Analyst(model, self._clock.zone, names)
            return Secretary(config, self._clock, desk, core, model, analyst, names, report)

        self.desk = FrontDesk(
            config,
            self._clock,
            storage,
            core,
            self._platform,
            console,
            self._nicknames,
            secretary,
            model.status,
            report,
        )
        console.desk = self.desk
        self.console = console
        if config.llm.online:
            # The client library takes a second or two to import; nobody should wait for it.
            self._warming = asyncio.create_task(model.warm(), name="mishu warm")

    async def stop(self) -> None:
        """Stop hearing, end all work, write what is queued, close."""
        desk, self.desk = self.desk, None
        if desk is not None:
            await desk.close()
        self._feed.close()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])
        if self._model is not None:
            await self._model.aclose()
        if self._storage is not None:
            await self._storage.close()


def plugin_version() -> str:
    """The installed version."""
    try:
        return version("nonebot-plugin-mishu")
    except PackageNotFoundError:
        return "0"
