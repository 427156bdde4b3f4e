"""Mishu 秘书: a secretary that sits in a QQ group.

Loading the plugin reads its configuration and registers one event preprocessor and one `on_message`;
everything else (database, HTTP API, model client) begins when the bot starts and ends when it stops.
"""

from __future__ import annotations

import os

from nonebot import get_driver, get_plugin_config, logger, require
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.drivers import ASGIMixin
from nonebot.plugin import PluginMetadata

require("nonebot_plugin_apscheduler")
require("nonebot_plugin_localstore")

from .config import Config  # noqa: E402
from .config import loading as _settings  # noqa: E402 - what is required comes first
from .config.token_strength import refused, warned  # noqa: E402
from .config.warnings import local, misspelt, nobody  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="Mishu 秘书",
    description="坐在 QQ 群前台的秘书：听着全群的话，该说时说，该静时静",
    usage="@ 机器人或叫它的名字和它说话；「闭嘴」「张嘴」管它说不说；「/秘书 帮助」看全部命令",
    type="application",
    homepage="https://github.com/mishu-bot/nonebot-plugin-mishu",
    config=Config,
    supported_adapters={"~onebot.v11", "~qq", "~milky"},
)

__all__ = ["Config", "__plugin_meta__"]


def _load() -> None:
    driver = get_driver()
    given = driver.config.model_dump()
    try:
        config = _settings.read(given, os.environ)
        tokens = _tokens(config)
        if isinstance(driver, ASGIMixin) and not local(str(driver.config.host)) and refused(tokens):
            raise _settings.ConfigurationError(refused(tokens))
    except _settings.ConfigurationError as error:
        for line in error.lines:
            logger.error(line)
        raise

    from .app.plugin import install

    said = misspelt(given, os.environ) + nobody(config)
    if isinstance(driver, ASGIMixin):
        said += warned(tokens)
    for line in said:
        logger.warning(line)

    install(driver, config)


def _tokens(config: Config) -> dict[str, str | None]:
    """Access tokens, by configuration key."""
    web = config.web.token
    return {
        "MISHU__WEB__TOKEN": web.get_secret_value() if web is not None else None,
        "ONEBOT_ACCESS_TOKEN": get_plugin_config(OneBotConfig).onebot_access_token,
    }


_load()
