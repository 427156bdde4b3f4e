"""Where the plugin meets NoneBot: start, stop, connections, the scheduled clean-up, the HTTP API."""

from __future__ import annotations

import gc
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonebot import logger
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.onebot.v11 import Bot, MessageEvent
from nonebot.drivers import ASGIMixin, Driver
from nonebot_plugin_apscheduler import scheduler as _scheduler
from nonebot_plugin_localstore import get_plugin_data_dir
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from .adapter.onebot_v11 import OneBotPlatform, Wiring, wire
from .clock import Clock
from .config import Config
from .llm import Practice
from .reminders import SchedulerAlarm
from .runtime import Runtime
from .storage import StorageError, default_url

if TYPE_CHECKING:
    from .console import Console
    from .reminders.calendars import CalendarDesk

scheduler: Any = _scheduler
"""APScheduler carries no types."""
_PRUNE_JOB = "mishu_prune"
_PRUNE_MINUTES = 10
_FULL_COLLECTIONS = 100
"""Collections of the middle generation before a full one; Python's own value is 10."""
_installed: Runtime | None = None
_wiring: Wiring | None = None


def configuration() -> Config:
    """The configuration the plugin was loaded with. Raises `RuntimeError` before that."""
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    return _installed.config


def practice() -> Practice:
    """The switch of the practice model, for the playground. Raises `RuntimeError` before loading."""
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    return _installed.practice


def take(bot: Bot, event: MessageEvent) -> None:
    """Handle a message without NoneBot's dispatcher: only where nobody but this plugin handles events."""
    if _wiring is not None:
        _wiring.take(bot, event)


def data_dir() -> Path:
    """Where the plugin's files lie (`nonebot-plugin-localstore`)."""
    return get_plugin_data_dir()


def database_url(config: Config) -> str:
    """The configured database, else the SQLite file in the data directory."""
    return config.database_url or default_url(data_dir())


def not_started(config: Config, error: StorageError) -> str:
    """Why the secretary did not start and with which database, in one line without a password."""
    try:
        url = make_url(database_url(config))
    except ArgumentError:
        return f"秘书没有启动：{error}"
    server = f"{url.host or ''}{f':{url.port}' if url.port else ''}/{url.database or ''}"
    place = url.database if url.get_backend_name() == "sqlite" else server
    return f"秘书没有启动：{error}（数据库：{place}）"


def install(driver: Driver, config: Config) -> None:
    """Register everything with NoneBot; nothing is opened or mounted before the bot starts."""
    clock = Clock(config.zone)
    platform = OneBotPlatform(config.qq.fold_length)
    global _installed, _wiring
    runtime = _installed = Runtime(config, sorted(driver.config.nickname), platform, clock)
    _wiring = wire(clock, platform, lambda: runtime.desk, config.frontdesk.priority)

    @driver.on_startup
    async def _start() -> None:
        try:
            await runtime.start(database_url(config), lambda ring: SchedulerAlarm(scheduler, ring))
        except StorageError as error:
            logger.error(not_started(config, error))
            return
        if runtime.console is not None:
            _mount(driver, config, runtime.console, runtime.calendars)
        scheduler.add_job(
            _prune,
            "interval",
            minutes=_PRUNE_MINUTES,
            id=_PRUNE_JOB,
            replace_existing=True,
            misfire_grace_time=None,
        )
        _settle()

    @driver.on_shutdown
    async def _stop() -> None:
        if scheduler.get_job(_PRUNE_JOB) is not None:
            scheduler.remove_job(_PRUNE_JOB)
        await runtime.stop()

    @driver.on_bot_connect
    async def _connected(bot: BaseBot) -> None:
        if isinstance(bot, Bot):
            platform.connected(bot.self_id)
            if runtime.desk is not None:
                await runtime.desk.resume(bot.self_id)
            runtime.look_for_reminders()

    @driver.on_bot_disconnect
    async def _disconnected(bot: BaseBot) -> None:
        if isinstance(bot, Bot):
            platform.disconnected(bot.self_id)

    async def _prune() -> None:
        if runtime.desk is not None:
            await runtime.desk.prune()


def _settle() -> None:
    """What is loaded by now stays until the end: the collector need not look at it again and again.

    Every message of an instance with many matchers makes thousands of objects, and each round of the
    collector walked through all that our libraries brought along: half of what a message cost. A full
    collection waits until a quarter more objects are there than it left; since it now leaves hardly any, the
    count that it waits for besides is raised, or full ones would come more often than without us.
    """
    gc.collect()
    gc.freeze()
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, max(old, _FULL_COLLECTIONS))


def _mount(driver: Driver, config: Config, console: Console, calendars: CalendarDesk | None) -> None:
    """Mount the HTTP API, where the driver's application is FastAPI's; the room needs FastAPI to import."""
    if isinstance(driver, ASGIMixin) and find_spec("fastapi") is not None:
        from .web import calendar_routes
        from .web.app import mount

        mount(driver.asgi, console, token=config.web.token)
        if calendars is not None:
            calendar_routes.mount(driver.asgi, calendars)
