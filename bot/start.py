"""Starting the bot: check configuration and database, load everything, run."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
from typing import Any

import nonebot
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.drivers import ASGIMixin, Driver

from . import chosen_adapters, own_keys, quiet_qq, socket_protocol
from .opening import Opening, lines
from .quiet import keep_chat_out_of_the_log
from .sink import Refusal, log_to
from .sockets import SocketAdapter

BAD_CONFIGURATION = 2
NO_DATABASE = 3
NO_ADDRESS = 4
_GC_THRESHOLD = 50_000
"""Objects between two collections of the youngest generation: a chat bot makes many messages, few cycles."""
_SWITCH = 0.0001
"""Seconds a thread waits for a busy event loop. The database's threads wait once for each row; at Python's
own 5 ms an operation of a few rows takes a tenth of a second in a flood."""


def main() -> int:
    """Run until stopped. 2: a wrong configuration; 3: no usable database; 4: the address is taken."""
    try:
        given = own_keys.written()
    except ValueError as error:
        return _refuse([f"配置错误：{error}"], BAD_CONFIGURATION)
    wrong = own_keys.wrong_level(given)
    if wrong:
        return _refuse(wrong, BAD_CONFIGURATION)
    adapters = chosen_adapters.chosen(given)
    if absent := chosen_adapters.missing(adapters):
        return _refuse(absent, BAD_CONFIGURATION)
    refusal = Refusal()
    # Not the real level yet: at DEBUG NoneBot's first line is the whole configuration, keys included.
    log_to(sys.stdout, "INFO", refusal)
    try:
        wanted = chosen_adapters.driver(given, adapters)
        nonebot.init(**({} if wanted is None else {"driver": wanted}))
        driver = nonebot.get_driver()
        chosen_adapters.register(driver, adapters, SocketAdapter)
    except (ValueError, ImportError, AttributeError, TypeError, RuntimeError) as error:
        return _refuse(own_keys.wrong_keys(error, given), BAD_CONFIGURATION)
    log_to(sys.stdout, driver.config.log_level, refusal)
    keep_chat_out_of_the_log(driver.config.log_level)
    if "qq" in adapters:
        quiet_qq.keep_chat_out_of_the_log(driver.config.log_level)
    if nonebot.load_plugin("nonebot_plugin_mishu") is None:
        return _refuse(refusal.lines or ["秘书插件没有装上，见上面的日志"], BAD_CONFIGURATION)

    from nonebot_plugin_mishu.app import plugin as entry
    from nonebot_plugin_mishu.storage import Storage, StorageError, occupy

    config = entry.configuration()
    for line in own_keys.misspelt():
        nonebot.logger.warning(line)
    for name in config.bot.plugins:
        if nonebot.load_plugin(name) is None:
            return _refuse([f"MISHU__BOT__PLUGINS 里的插件 {name} 没有装上，见上面的日志"], BAD_CONFIGURATION)

    async def try_database() -> None:
        storage = await Storage.open(entry.database_url(config), on_trouble=nonebot.logger.warning)
        occupy(entry.database_url(config))  # until the end: nobody else may get in before we open it again
        await storage.close()

    try:
        asyncio.run(try_database())
    except StorageError as error:
        return _refuse([entry.not_started(config, error)], NO_DATABASE)
    taken = _address_taken(driver)
    if taken is not None:
        return _refuse([taken], NO_ADDRESS)
    page = chosen_adapters.ONEBOT in adapters and _mount_playground(driver, config)
    driver.on_startup(_freeze_loaded_objects)
    if isinstance(driver, ASGIMixin):
        _tell(driver, config, adapters, page=page)
    # A proxy's word counts where it is named (MISHU__WEB__TRUSTED_PROXIES); the server would believe every
    # program on this machine.
    nonebot.run(proxy_headers=False, **socket_protocol.options(driver))
    return 0


def _refuse(lines: list[str], code: int) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return code


def _address_taken(driver: Driver) -> str | None:
    """Why we cannot listen, in words, where we cannot: the web server would say it in its own way."""
    if not isinstance(driver, ASGIMixin):
        return None
    host, port = str(driver.config.host), driver.config.port
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return f"监听不了 {host} 的 {port} 端口（{error.strerror}）：换 HOST、PORT，或先停掉占用它的程序"
    return None


async def _freeze_loaded_objects() -> None:
    """Freeze loaded objects out of garbage collection; give threads turns.

    Not collected first: of two hundred thousand objects a start leaves two thousand in circles, and looking
    for them takes a tenth of the start.
    """
    sys.setswitchinterval(_SWITCH)
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)
    gc.enable()


def _mount_playground(driver: Any, config: Any) -> bool:
    if not isinstance(driver, ASGIMixin):
        return False
    own = nonebot.get_driver().config
    from nonebot_plugin_mishu.app import plugin as entry

    from .playground import ACCOUNT, BOT_NAME, mount

    name = next(iter(sorted(own.nickname)), BOT_NAME)
    entry.simulate_account(ACCOUNT, name)
    return mount(
        driver.asgi,
        host=str(own.host),
        port=own.port,
        access_token=entry.onebot_token(),
        bot_name=name,
        web_token=config.web.token,
        zone=config.zone,
        data_dir=entry.data_dir(),
        practice=entry.practice(),
        wall=entry.clock().wall,
        proxies=entry.proxies(config),
        sessions=entry.sessions,
        in_console=True,
    )


def _tell(driver: Driver, config: Any, adapters: tuple[str, ...], *, page: bool) -> None:
    """Say in a few lines where everything is, once the rest has started."""
    from nonebot_plugin_mishu.app import plugin as entry

    from .playground import MOUNT_PATH, reachable

    host = reachable(str(driver.config.host))
    opening = Opening(
        authority=f"[{host}]:{driver.config.port}" if ":" in host else f"{host}:{driver.config.port}",
        everywhere=host != str(driver.config.host),
        token=entry.onebot_token() is not None,
        dials=len(nonebot.get_plugin_config(OneBotConfig).onebot_ws_urls),
        database=entry.database_place(config),
        page=MOUNT_PATH if page else None,
        names=tuple(sorted(driver.config.nickname)),
        metrics=entry.metrics_installed(),
        adapters=adapters,
    )

    @driver.on_startup
    async def _say() -> None:
        for line in lines(opening, config):
            nonebot.logger.info(line)
