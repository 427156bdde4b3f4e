"""NoneBot's own keys that matter here: what they are, and one line in words for each that is wrong."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values
from nonebot import logger
from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the configuration. `default` is as it would be written in `.env`, empty where unset."""

    name: str
    default: str
    meaning: str
    allowed: str


_LEVELS = ("TRACE", "DEBUG", "INFO", "SUCCESS", "WARNING", "ERROR", "CRITICAL")
KEYS = (
    Key(
        "HOST", "127.0.0.1", "监听的地址；OneBot 实现在别的机器或容器里时用 0.0.0.0", "IP 地址，如 127.0.0.1"
    ),
    Key("PORT", "8080", "监听的端口", "1 到 65535 的整数"),
    Key("SUPERUSERS", "[]", "超级用户的 QQ 号，可在任何群下管理命令", 'QQ 号的 JSON 列表，如 ["12345"]'),
    Key("NICKNAME", "[]", "机器人的名字，说到它就是叫机器人", '名字的 JSON 列表，如 ["小秘"]'),
    Key(
        "ONEBOT_ACCESS_TOKEN",
        "",
        "OneBot 连接的令牌，与 OneBot 实现里填的一致；空则不查",
        "一个令牌，别的机器连得上时不能太好猜",
    ),
    Key(
        "LOG_LEVEL",
        "INFO",
        "日志级别；DEBUG 和 TRACE 会写出聊天内容",
        f"{'、'.join(_LEVELS[:-1])} 或 {_LEVELS[-1]}",
    ),
)
"""With NoneBot's meaning, in the order of `.env.example`."""

_ALSO: dict[str, str] = {"ACCESS_TOKEN": "ONEBOT_ACCESS_TOKEN", "ONEBOT_TOKEN": "ONEBOT_ACCESS_TOKEN"}
"""Other names of the token."""
_ALLOWED = {key.name: key.allowed for key in KEYS}
_SECRET = re.compile(r"TOKEN|SECRET|KEY|PASSWORD")
_UNREADABLE = re.compile(r'env var "(?P<name>[^"]+)"')


def written() -> dict[str, str]:
    """Every key as it is written in the files NoneBot reads and in the environment, names in capitals.

    Raises `ValueError` with a sentence where a file cannot be read.
    """
    return {**_of_files(), **{key.upper(): value for key, value in os.environ.items()}}


def _of_files() -> dict[str, str]:
    found = _file(".env")
    name = os.environ.get("ENVIRONMENT") or found.get("ENVIRONMENT") or "prod"
    return {**found, **_file(f".env.{name}")}


def misspelt() -> list[str]:
    """One line for each key in NoneBot's files that is probably a slip for one of `KEYS`.

    Only of the files: the environment is everybody's. After the plugin is loaded.
    """
    from nonebot_plugin_mishu.config.warnings import meant

    names = [key.name for key in KEYS]
    found: list[str] = []
    for key in sorted(_of_files()):
        name = _ALSO.get(key) or (meant(key, names) if key not in names else None)
        if name is not None:
            found.append(f"不认识的配置项 {key}，没有作用；应该是 {name} 吧")
    return found


def wrong_keys(error: Exception, given: Mapping[str, str]) -> list[str]:
    """One line for each key that NoneBot or an adapter could not take; `given` as from `written`."""
    if isinstance(error, ValidationError):
        names = [str(problem["loc"][0]).upper() for problem in error.errors() if problem["loc"]]
        return [_line(name, given) for name in dict.fromkeys(names)] or [f"配置错误：{error.title}"]
    unreadable = _UNREADABLE.search(str(error))
    if unreadable is not None:
        return [_line(unreadable["name"].upper(), given)]
    if isinstance(error, ImportError | AttributeError | TypeError):
        return [f"{_line('DRIVER', given)}（{error}）"]
    return [f"配置错误：{error}"]


def wrong_level(given: Mapping[str, str]) -> list[str]:
    """A line where LOG_LEVEL names no level. NoneBot would find out at its first line of log."""
    level = given.get("LOG_LEVEL")
    if level is None or level.isdecimal():
        return []
    try:
        logger.level(level)
    except ValueError:
        return [_line("LOG_LEVEL", given)]
    return []


def _line(name: str, given: Mapping[str, str]) -> str:
    shown = (
        "（已隐去）"
        if _SECRET.search(name)
        else json.dumps(given.get(name, given.get(name.replace("_V11", ""))), ensure_ascii=False)[:200]
    )
    allowed = _ALLOWED.get(
        name, "NoneBot 的驱动器，如 ~fastapi" if name == "DRIVER" else "NoneBot 读得懂的值，见它的文档"
    )
    return f"配置错误：{name} = {shown}，应为：{allowed}"


def _file(name: str) -> dict[str, str]:
    if not Path(name).is_file():
        return {}
    try:
        values = dotenv_values(name, encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{name} 不是 UTF-8 编码，请另存为 UTF-8") from None
    return {key.upper(): value or "" for key, value in values.items()}
