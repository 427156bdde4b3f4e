"""Slips in a configuration that nobody refuses: keys that mean nothing, an address open to everybody.

Pure: what is written in, one line for each slip out, in Chinese, which names the key and what to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from ipaddress import ip_address
from typing import Any

from ..patterns import Pattern
from . import loading
from .keys import Config

_OURS = Pattern("MISHU[_.-]")
_SLIP = 2
"""Characters by which a key with a slip may be longer or shorter than the one that was meant."""
_ALIKE = 0.88
"""From 0 to 1: how alike a key must be to one that was meant. One wrong letter in ten is."""


def misspelt(nonebot_config: Mapping[str, Any], environ: Mapping[str, str]) -> list[str]:
    """A line for each key that looks like one of ours and is none. Arguments as of `loading.read`.

    What starts with `MISHU__` can be nobody else's; with a single underscore only what resembles a key.
    """
    known = [entry[0] for entry in loading.keys()]  # noqa: SIM118 - a function of ours
    unknown = loading.unknown_keys(nonebot_config, environ)
    written = {**nonebot_config, **environ}
    ours = {key.upper(): value for key, value in written.items() if _OURS.match(key.upper()) and value}
    other = {key for name, value in ours.items() for key in loading.flat(name, value)}
    lines = [_line(key, meant(key, known)) for key in unknown]
    for key in sorted(other - set(unknown)):
        if not key.startswith(loading.PREFIX) and (found := meant(key, known)) is not None:
            lines.append(_line(key, found))
    return lines


def meant(key: str, known: Iterable[str]) -> str | None:
    """The known key that was most likely meant; None where none is near."""
    written = _plain(key)
    tails: list[str] = []
    best, how_alike = None, _ALIKE
    for name in known:
        plain = _plain(name)
        if plain == written:
            return name
        if _plain(name.rsplit("__", 1)[-1]) == written.removeprefix("MISHU"):
            tails.append(name)
        alike = SequenceMatcher(None, written, plain, autojunk=False).ratio()
        if abs(len(plain) - len(written)) <= _SLIP and alike > how_alike:
            best, how_alike = name, alike
    return best or (tails[0] if len(tails) == 1 else None)


def exposed(host: str, *, onebot: bool, web: bool) -> list[str]:
    """A line for each token that is missing where other machines reach `host`."""
    if local(host):
        return []
    lines: list[str] = []
    if not onebot:
        lines.append(
            f"HOST = {host}，别的机器也连得上，却没有设 ONEBOT_ACCESS_TOKEN：谁都能冒充 QQ 连进来。"
            "请写 ONEBOT_ACCESS_TOKEN=一串别人猜不到的字，OneBot 实现里填同样的；"
            "只在本机用就写 HOST=127.0.0.1"
        )
    if not web:
        lines.append(
            f"HOST = {host}，却没有设 MISHU__WEB__TOKEN：网页和 HTTP 接口只答本机，从别的机器打不开。"
            "要从别处打开，请写 MISHU__WEB__TOKEN=一串别人猜不到的字"
        )
    return lines


def nobody(config: Config) -> list[str]:
    """A line where the groups are chosen so that there is none."""
    if config.groups.mode == "allow" and not config.groups.ids:
        return [
            "MISHU__GROUPS__MODE = allow，却没有写 MISHU__GROUPS__IDS：哪个群都不启用。"
            '请写 MISHU__GROUPS__IDS=["群号"]，或去掉 MISHU__GROUPS__MODE'
        ]
    return []


def _line(key: str, found: str | None) -> str:
    if found is None:
        return f"不认识的配置项 {key}，没有作用；全部的键见 .env.example"
    why = "（节与键之间是两个下划线）" if _plain(key) == _plain(found) else ""
    return f"不认识的配置项 {key}，没有作用；应该是 {found} 吧{why}"


def _plain(key: str) -> str:
    """A key's letters: separators are where slips are made."""
    return re.sub("[^A-Z0-9]", "", key.upper())


def local(host: str) -> bool:
    """True if only this machine reaches an address that is listened on."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
