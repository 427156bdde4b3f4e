"""Which database the bot here is configured with, read as the bot reads it and without starting it."""

from __future__ import annotations

import sys

import nonebot

from .. import own_keys
from ..sink import Refusal, log_to


class Unconfigured(Exception):
    """The configuration is wrong; `lines` says how, a line for each key."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def database() -> str:
    """The address of the configured database. Raises `Unconfigured`."""
    try:
        given = own_keys.written()
    except ValueError as error:
        raise Unconfigured([f"配置错误：{error}"]) from None
    wrong = own_keys.wrong_level(given)
    if wrong:
        raise Unconfigured(wrong)
    refusal = Refusal()
    log_to(sys.stderr, "ERROR", refusal)
    try:
        nonebot.init()
    except (ValueError, ImportError, AttributeError, TypeError) as error:
        raise Unconfigured(own_keys.wrong_keys(error, given)) from None
    log_to(sys.stderr, "ERROR", refusal)
    if nonebot.load_plugin("nonebot_plugin_mishu") is None:
        raise Unconfigured(refusal.lines or ["秘书插件没有装上，见上面的日志"])
    from nonebot_plugin_mishu.app import plugin as entry

    return entry.database_url(entry.configuration())
