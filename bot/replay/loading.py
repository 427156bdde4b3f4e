"""Loading the plugin for commands that play conversations: without a web server, quiet."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from .. import own_keys
from ..sink import Refusal, log_to

AGENTS_OF: Final[dict[str, frozenset[str]]] = {}
"""Codes of the agents that each named plugin registered: samples that do not name it are played without."""


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
    if nonebot.load_plugin("nonebot_plugin_mishu") is None:
        return refusal.lines or ["插件 nonebot_plugin_mishu 没有装上"]
    from nonebot_plugin_mishu.agents.api.registry import REGISTRY

    for name in plugins:
        before = {spec.code for spec in REGISTRY}
        if nonebot.load_plugin(name) is None:
            return refusal.lines or [f"插件 {name} 没有装上"]
        AGENTS_OF[name] = frozenset(spec.code for spec in REGISTRY) - before
    return []
