"""Frames are taken from the socket at the pace at which events are handled.

NoneBot's adapter takes every frame that is there and starts a task for each. In a flood a thousand tasks
advance in turns, one step each, and an answer that needs a hundred steps waits a hundred times for all of
them. Here the others go on for a while before the next frame is taken where many are under way already: the
rest waits in the socket, and whoever is being answered is not kept waiting by those who only talk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sized
from typing import Any, cast

from nonebot.adapters.onebot.v11 import Adapter
from nonebot.drivers import WebSocket

UNDER_WAY = 100
"""Events handled at once before the socket has to wait."""
ROUNDS = 20
"""Rounds of the event loop that a frame waits at the most: an event whose handler hangs stops nobody."""


class PacedAdapter(Adapter):
    """OneBot v11 whose sockets are read at a pace."""

    async def _handle_ws(self, websocket: WebSocket) -> None:
        await super()._handle_ws(cast("WebSocket", _Paced(websocket, self.tasks)))


class _Paced:
    """A WebSocket that lets what is under way go on before it gives the next frame."""

    def __init__(self, socket: WebSocket, under_way: Sized) -> None:
        self._socket = socket
        self._under_way = under_way

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    async def receive(self) -> str | bytes:
        """The next frame."""
        for _ in range(ROUNDS):
            if len(self._under_way) < UNDER_WAY:
                break
            await asyncio.sleep(0)
        return await self._socket.receive()
