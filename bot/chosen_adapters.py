"""NoneBot adapters of the standalone bot (MISHU__BOT__ADAPTERS), registered before the plugin is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from nonebot.adapters import Adapter
from nonebot.drivers import Driver

KEY = "MISHU__BOT__ADAPTERS"
ONEBOT = "onebot_v11"
DEFAULT = (ONEBOT,)
_MODULES = {"qq": "nonebot.adapters.qq", "milky": "nonebot.adapters.milky"}
"""Modules of the extras, by the name of the extra, which is the platform's in the key too."""
_DRIVER = "~fastapi"
"""NoneBot's own default."""


def chosen(given: Mapping[str, str]) -> tuple[str, ...]:
    """The platforms that the key names; the default where it is not written, or cannot be read: the plugin
    says so, with every other wrong key."""
    try:
        found: object = json.loads(given.get(KEY) or "null")
    except ValueError:
        return DEFAULT
    if not isinstance(found, list):
        return DEFAULT
    names = [name for name in cast("list[object]", found) if isinstance(name, str)]
    return tuple(name for name in dict.fromkeys(names) if name == ONEBOT or name in _MODULES) or DEFAULT


def missing(names: Sequence[str]) -> list[str]:
    """A line for each platform whose extra is not installed, with the command that installs it."""
    return [
        f'{KEY} 里的 {name} 没有装，请运行 pip install "nonebot-plugin-mishu[{name}]"'
        for name in names
        if name in _MODULES and find_spec(_MODULES[name]) is None
    ]


def driver(given: Mapping[str, str], names: Sequence[str]) -> str | None:
    """The driver with the HTTP and WebSocket clients that these platforms need; None where the configured one
    does: OneBot alone needs a server only."""
    written = given.get("DRIVER") or _DRIVER
    if not set(names) - {ONEBOT} or "aiohttp" in written:
        return None
    return "+".join([written, *(part for part in ("~httpx", "~websockets") if part[1:] not in written)])


def register(where: Driver, names: Sequence[str], onebot: type[Adapter]) -> None:
    """Register the adapters. Raises what an adapter raises at wrong keys of its own."""
    for name in names:
        where.register_adapter(onebot if name == ONEBOT else _adapter(name))


def _adapter(name: str) -> type[Adapter]:
    if name == "milky":
        from .milky_adapter import CalmAdapter

        return CalmAdapter
    return import_module(_MODULES[name]).Adapter
