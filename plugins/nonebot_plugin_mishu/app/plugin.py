"""NoneBot hooks of the plugin: start, stop, connections, the scheduled clean-up, the HTTP API."""

from __future__ import annotations

import asyncio
import gc
from datetime import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonebot import get_plugin_config, logger
from nonebot.adapters import Bot, Event
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.drivers import ASGIMixin, Driver
from nonebot_plugin_apscheduler import scheduler as _scheduler
from nonebot_plugin_localstore import get_plugin_data_dir
from sqlalchemy.exc import ArgumentError

from ..adapter.onebot_v11.posts import watch_posts
from ..adapter.platforms import PlatformNeeds
from ..adapter.registered import first_platform, join_registered
from ..adapter.wiring import Wiring, plain_ids, wire
from ..clock import Clock
from ..config import Config
from ..config.warnings import exposed
from ..error_log import log_error
from ..frontdesk.duty.duties import Duties
from ..llm import ModelSimulator
from ..reminders import SchedulerAlarm
from ..storage import StorageError, default_url, parse_address
from ..storage.copies import DailyPlan
from ..storage.records import Conversation
from ..web.layers.forwarded import Proxies
from .backups_page import caretaker
from .days_off import load_days_off
from .runtime import Runtime, plugin_version

if TYPE_CHECKING:
    from ..reminders.calendars.calendars import CalendarDesk
    from ..services.access.sessions import Sessions
    from ..services.access.tokens import MemberTokens
    from ..web.backend import Caretaker
    from ..web.console.shell.mounting import Console as Pages
    from ..web.mcp.mounting import McpDoor
    from .api_backend import ApiBackend
    from .metrics import Measuring

scheduler: Any = _scheduler
"""APScheduler carries no types."""
_installed: Runtime | None = None
_wiring: Wiring | None = None


def configuration() -> Config:
    """The configuration the plugin was loaded with. Raises `RuntimeError` before that."""
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    return _installed.config


def clock() -> Clock:
    """The clock everything here goes by. Raises `RuntimeError` before loading."""
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    return _installed.clock


def onebot_token() -> str | None:
    """ONEBOT_ACCESS_TOKEN as the adapter reads and enforces it, from `.env` or the process's environment."""
    return get_plugin_config(OneBotConfig).onebot_access_token or None


def simulate_account(self_id: str, name: str) -> None:
    """Declare the account of a simulated platform: it listens to a name, and no metric counts it.

    Raises `RuntimeError` before loading.
    """
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    _installed.simulate_account(self_id, name)


def practice() -> ModelSimulator:
    """The switch of the practice model, for the playground. Raises `RuntimeError` before loading."""
    if _installed is None:
        raise RuntimeError("the plugin is not loaded")
    return _installed.practice


def sessions() -> Sessions | None:
    """Web session store; None while the secretary does not run."""
    return None if _installed is None else _installed.sessions


def take(bot: Bot, event: Event) -> None:
    """Handle a message without NoneBot's dispatcher: only where nobody but this plugin handles events."""
    if _wiring is not None:
        _wiring.handle_message(bot, event)


def data_dir() -> Path:
    """Data directory of the plugin (`nonebot-plugin-localstore`)."""
    return get_plugin_data_dir()


def database_url(config: Config) -> str:
    """The configured database, else the SQLite file in the data directory."""
    return config.database_url or default_url(data_dir())


def daily_backup(config: Config) -> DailyPlan | None:
    """When the database is backed up and where to; None where it is not."""
    backup = config.backup
    if backup.daily is None:
        return None
    return DailyPlan(time.fromisoformat(backup.daily), backup_folder(config), backup.keep)


def backup_folder(config: Config) -> Path:
    """Backup directory."""
    folder = config.backup.dir
    return Path(folder).expanduser() if folder is not None else data_dir()


def not_started(config: Config, error: StorageError) -> str:
    """Why the secretary did not start and with which database, in one line without a password."""
    place = database_place(config)
    return f"秘书没有启动：{error}（数据库：{place}）" if place else f"秘书没有启动：{error}"


def database_place(config: Config) -> str:
    """Database location for people: a file or a server, without password; empty if unreadable."""
    try:
        url = parse_address(database_url(config))
    except ArgumentError:
        return ""
    server = f"{url.host or ''}{f':{url.port}' if url.port else ''}/{url.database or ''}"
    return (url.database or "") if url.get_backend_name() == "sqlite" else server


def install(driver: Driver, config: Config) -> None:
    """Register everything with NoneBot; nothing is opened or mounted before the bot starts."""
    clock = Clock(config.zone)
    needs = PlatformNeeds(Duties(), clock, config.qq.fold_length, _chance)
    platforms = first_platform(needs)
    join_registered(platforms, needs, driver)
    global _installed, _wiring
    runtime = _installed = Runtime(
        config,
        sorted(driver.config.nickname),
        platforms,
        clock,
        driver.config.command_start,
        _freeze_loaded_objects,
    )
    runtime.superusers = plain_ids(driver.config.superusers)
    _wiring = wire(clock, platforms, lambda: runtime.desk, config.frontdesk.priority)

    pages: Pages | None = None
    mcp: McpDoor | None = None
    care: Caretaker | None = None

    @driver.on_startup
    async def _start() -> None:
        nonlocal pages, mcp, care
        join_registered(platforms, needs, driver)
        care = caretaker(clock, database_url(config), backup_folder(config))
        for line in [*watch_posts(driver), *_exposed(driver, config)]:
            logger.warning(line)
        if config.backup.incomplete is not None:
            logger.warning(config.backup.incomplete)
        _, wrong = await asyncio.to_thread(load_days_off, data_dir())
        for line in wrong:
            logger.warning(line)
        try:
            await runtime.start(
                database_url(config),
                lambda ring: SchedulerAlarm(scheduler, clock, ring),
                daily_backup(config),
                data_dir(),
            )
        except StorageError as error:
            logger.error(not_started(config, error))
            return
        if runtime.console is not None and _mount(
            driver,
            config,
            runtime.console,
            runtime.calendars,
            runtime.measuring,
            runtime.sessions,
            runtime.tokens,
        ):
            runtime.site = config.web.public_url or _listening(str(driver.config.host), driver.config.port)
        pages = _mount_pages(driver, config, runtime, care)
        mcp = _mount_mcp(driver, config, runtime)

    @driver.on_shutdown
    async def _stop() -> None:
        if mcp is not None:
            await mcp.close()
        if pages is not None:
            await pages.close()
        await runtime.stop()

    @driver.on_bot_connect
    async def _connected(bot: Bot) -> None:
        if platforms.connected(bot):
            if runtime.desk is not None:
                await runtime.desk.resume(bot.self_id)
            runtime.look_for_reminders()
            if runtime.duty is not None:
                await runtime.duty.connected(bot.self_id)

    @driver.on_bot_disconnect
    async def _disconnected(bot: Bot) -> None:
        platforms.disconnected(bot)


def _chance(where: Conversation) -> None:
    if _installed is not None:
        _installed.chance(where)


def _exposed(driver: Driver, config: Config) -> list[str]:
    if not isinstance(driver, ASGIMixin):
        return []
    return exposed(
        str(driver.config.host), onebot=onebot_token() is not None, web=config.web.token is not None
    )


def _listening(host: str, port: int) -> str:
    from ..web.routes.calendars import listening

    return listening(host, port)


def proxies(config: Config) -> Proxies:
    """Whose word on a request counts."""
    return Proxies((str(each) for each in config.web.trusted_proxies), config.web.public_url)


def _mount_pages(driver: Driver, config: Config, runtime: Runtime, care: Caretaker | None) -> Pages | None:
    """Mount the console, where there is a FastAPI application and NiceGUI to draw with; else say so once."""
    console, sessions = runtime.console, runtime.sessions
    if not isinstance(driver, ASGIMixin) or find_spec("fastapi") is None:
        logger.info("网页：没有，驱动器不带 FastAPI")
        return None
    from fastapi import FastAPI

    from ..web.console.shell.host import installed
    from ..web.console.shell.mounting import mount

    app: object = driver.asgi
    if not isinstance(app, FastAPI) or console is None or console.office is None or sessions is None:
        logger.info("网页：没有，驱动器不带 FastAPI")
        return None
    if not installed():
        logger.info("网页：没有，因为没有装 nicegui；要用请装 nonebot-plugin-mishu[console]")
        return None
    pages = mount(
        app,
        console,
        console.office,
        sessions,
        token=config.web.token,
        proxies=proxies(config),
        data_dir=data_dir(),
        caretaker=care,
    )
    runtime.pages = config.web.public_url or _listening(str(driver.config.host), driver.config.port)
    way = "用令牌 MISHU__WEB__TOKEN 登录" if config.web.token is not None else "只有本机打得开"
    logger.info(f"网页：{runtime.pages.rstrip('/')}/console （{way}）")
    return pages


def _mount_mcp(driver: Driver, config: Config, runtime: Runtime) -> McpDoor | None:
    """Mount `/mcp`, where there is a FastAPI application and the extra `mcp` is installed."""
    console = runtime.console
    if not isinstance(driver, ASGIMixin) or find_spec("fastapi") is None or find_spec("mcp") is None:
        return None
    if console is None or console.office is None:
        return None
    from ..web.mcp.mounting import mount

    door = mount(
        driver.asgi,
        console,
        console.office,
        token=config.web.token,
        sessions=runtime.sessions,
        tokens=runtime.tokens,
        proxies=proxies(config),
        version=plugin_version(),
        report=log_error,
    )
    if door is not None:
        logger.info("MCP：/mcp，用网页的令牌，或成员在网页「设置」里建的访问令牌")
    return door


def metrics_installed() -> bool:
    """True if the extra `metrics` is installed, which `/metrics` needs."""
    return find_spec("prometheus_client") is not None


def _freeze_loaded_objects() -> None:
    """Take what is loaded by now out of the collector's walks: it stays until the end.

    Every message of an instance with many matchers makes thousands of objects, and full collections in
    between walk through all that was loaded: beside sixty matchers nearly half of what a message costs.
    Thresholds are the host's, and stay as they are.
    """
    gc.freeze()


def _mount(
    driver: Driver,
    config: Config,
    console: ApiBackend,
    calendars: CalendarDesk | None,
    measuring: Measuring | None,
    sessions: Sessions | None,
    tokens: MemberTokens | None,
) -> bool:
    """Mount the HTTP API, where the driver's application is FastAPI's; the room needs FastAPI to import.

    Whether the calendars can be subscribed to.
    """
    if not isinstance(driver, ASGIMixin) or find_spec("fastapi") is None:
        return False
    from ..web.mounting import mount
    from ..web.routes import calendars as calendar_routes

    mount(
        driver.asgi,
        console,
        token=config.web.token,
        office=console.office,
        sessions=sessions,
        proxies=proxies(config),
        origins=config.web.origins,
        tokens=tokens,
    )
    if measuring is not None and metrics_installed():
        from ..web.routes import metrics as metrics_route

        metrics_route.mount(driver.asgi, measuring, plugin_version(), token=config.web.token)
    return calendars is not None and calendar_routes.mount(driver.asgi, calendars)
