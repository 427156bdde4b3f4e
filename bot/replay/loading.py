"""Loading the plugin for commands that play conversations: without a web server, quiet."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .. import own_keys
from ..sink import Refusal, log_to


def load_plugins(plugins: Sequence[str]) -> list[str]:
    """Load the plugin and those named; what went wrong, in words."""
    import nonebot

    given: dict[str, str] = {}
    refusal = Refusal()
    log_to(sys.stderr, "WARNING", refusal)
    try:
        given = own_keys.written()
        nonebot.init(driver="~none")
    except ValueError as error:
        return own_keys.wrong_keys(error, given)
    nonebot.logger.configure(extra={"nonebot_log_level": "WARNING"})
    for name in ("nonebot_plugin_mishu", *plugins):
        if nonebot.load_plugin(name) is None:
            return refusal.lines or [f"插件 {name} 没有装上"]
    return []
