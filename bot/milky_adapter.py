"""Milky for the standalone bot: calm redials, and neither chat nor the token in the log.

Milky wants the token in the address from which events come (in a header for calls), and NoneBot's adapter
writes that address to the log with every failed dial; it dials again at once where a connection ends; and it
logs an event that it cannot read, words and all. It dials again by itself, every three seconds: only a pause
of another length each time is added, so that many bots do not come back in one moment, and an implementation
that hangs up at once is not dialled without end.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from nonebot.adapters.milky import Adapter
from nonebot.adapters.milky.config import ClientInfo
from nonebot.adapters.milky.event import (
    EVENT_CLASSES,
    Event,
    FriendMessageEvent,
    GroupMessageEvent,
    MessageEvent,
    TempMessageEvent,
)
from nonebot.adapters.milky.message import TYPE_MAPPING
from nonebot.compat import type_validate_python
from nonebot.drivers import Driver, Request, WebSocket
from nonebot.exception import NoLogException
from nonebot.log import logger
from yarl import URL

PAUSE = (0.5, 2.5)
"""Seconds before an address is dialled again: the least and the most."""
_MESSAGE = "message_receive"
_SCENES: dict[object, type[MessageEvent]] = {
    "group": GroupMessageEvent,
    "friend": FriendMessageEvent,
    "temp": TempMessageEvent,
}
_UNREAD = "收到读不懂的 Milky 事件（{kind}，{error}），已跳过；以后不再提醒。请看 Milky 实现的版本"


def _unlogged(self: object) -> str:
    raise NoLogException("chat is not logged")


_QUIET: dict[object, type[MessageEvent]] = {
    scene: cast(
        "type[MessageEvent]",
        type(f"Quiet{told.__name__}", (told,), {"get_log_string": _unlogged, "__module__": __name__}),
    )
    for scene, told in _SCENES.items()
}


class UntoldToken(ClientInfo):
    """A client whose address, as it is told to the log, holds no token."""

    def ws_url(self) -> URL:
        """Where events come from."""
        return URL(super().ws_url()).with_query(None)


class CalmAdapter(Adapter):
    """Milky, as the standalone bot uses it."""

    def __init__(self, driver: Driver, **kwargs: Any) -> None:
        super().__init__(driver, **kwargs)
        config = self.milky_config
        config.milky_clients = [UntoldToken.model_validate(one.model_dump()) for one in config.milky_clients]
        self._tokens = {str(one.ws_url()): one.access_token for one in config.milky_clients}
        self._dialled: set[str] = set()
        level = self.config.log_level
        number = level if isinstance(level, int) else logger.level(level).no
        self._events = _QUIET if number > logger.level("DEBUG").no else _SCENES
        self._told_unread = False

    @asynccontextmanager
    async def websocket(self, setup: Request) -> AsyncGenerator[WebSocket, None]:
        """Dial, with the token; a second time after a pause."""
        address = str(setup.url)
        if address in self._dialled:
            await asyncio.sleep(random.uniform(*PAUSE))
        self._dialled.add(address)
        if token := self._tokens.get(address):
            whole = URL(address).with_query({"access_token": token})
            header = {"Authorization": f"Bearer {token}"}
            setup = Request(setup.method, str(whole), headers=header, timeout=setup.timeout)
        async with super().websocket(setup) as socket:
            yield socket

    def json_to_event(self, json_data: Any) -> Event | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """An event; None for what is none, and what is of a protocol that is newer than the adapter."""
        if not isinstance(json_data, dict):
            return None
        given = cast("dict[str, Any]", json_data)
        kind, data = given.get("event_type"), given.get("data")
        wanted = EVENT_CLASSES.get(str(kind))
        if wanted is None or not isinstance(data, dict):
            return None
        told = cast("dict[str, Any]", data)
        if kind == _MESSAGE:
            wanted = self._events.get(told.get("message_scene"))
            told = {**told, "segments": known_segments(told.get("segments"))}
        if wanted is None:
            return None
        values = {"time": given.get("time"), "self_id": given.get("self_id"), "data": told}
        try:
            return type_validate_python(wanted, values)
        except Exception as error:  # noqa: BLE001 - told without what it said; the next event is read again
            if not self._told_unread:
                self._told_unread = True
                logger.warning(_UNREAD.format(kind=kind, error=type(error).__name__))
            return None


def known_segments(given: object) -> list[dict[str, Any]]:
    """Segments that the adapter knows; one of another kind becomes an empty one: its message is heard."""
    found: list[dict[str, Any]] = []
    for part in cast("list[object]", given) if isinstance(given, list) else []:
        whole = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
        kind, data = whole.get("type"), whole.get("data")
        if kind not in TYPE_MAPPING or not isinstance(data, dict):
            found.append({"type": "markdown", "data": {"content": ""}})
            continue
        inner = cast("dict[str, Any]", data)
        if "segments" in inner:
            inner = {**inner, "segments": known_segments(inner["segments"])}
        found.append({"type": kind, "data": inner})
    return found
