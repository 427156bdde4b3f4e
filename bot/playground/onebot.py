"""The connection to the bot: a OneBot v11 implementation over a real reverse WebSocket.

What is tried in the playground goes the way everything goes: through the adapter's socket, as events, and
back as API calls. The connection comes back by itself when the bot drops it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Literal, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from . import events
from .actions import Actions
from .group import SELF_ID, World

Status = Literal["down", "connecting", "connected"]

OPEN_TIMEOUT = 10.0
SEND_TIMEOUT = 5.0
HEARTBEAT = 30.0
RETRY_DELAYS = (0.5, 1.0, 2.0, 5.0)
"""Seconds before each further attempt; the last one again and again."""
MAX_FRAME = 16 << 20
"""Bytes of one frame of the bot's; pictures come inside."""


class Link:
    """One connection and its state. `run` keeps it up until cancelled; whoever runs it owns the task."""

    def __init__(
        self,
        world: World,
        url: str,
        *,
        access_token: str | None = None,
        on_status: Callable[[], None] = lambda: None,
        retry_delays: tuple[float, ...] = RETRY_DELAYS,
    ) -> None:
        self._world = world
        self._url = url
        self._headers = {"X-Self-ID": str(SELF_ID), "X-Client-Role": "Universal"}
        if access_token:
            self._headers["Authorization"] = f"Bearer {access_token}"
        self._actions = Actions(world)
        self._on_status = on_status
        self._retry_delays = retry_delays
        self._socket: ClientConnection | None = None
        self._sending = asyncio.Lock()
        self.status: Status = "down"
        self.trouble = ""
        """Why it is down, in Chinese; empty while nothing went wrong."""

    async def run(self) -> None:
        """Connect, serve the bot's calls, and connect again whenever it ends."""
        attempt = 0
        try:
            while True:
                self._set("connecting", self.trouble)
                trouble = await self._once()
                attempt = 0 if self.status == "connected" else attempt + 1
                self._set("down", trouble)
                await asyncio.sleep(self._retry_delays[min(attempt, len(self._retry_delays) - 1)])
        finally:
            self._set("down", "")

    async def emit(self, event: events.Event) -> bool:
        """Tell the bot an event; whether it was sent."""
        return await self._send(event)

    def _set(self, status: Status, trouble: str) -> None:
        self.status, self.trouble = status, trouble
        self._on_status()

    async def _once(self) -> str:
        """One connection from its opening to its end; why it ended."""
        try:
            async with connect(
                self._url,
                additional_headers=self._headers,
                open_timeout=OPEN_TIMEOUT,
                close_timeout=2,
                max_size=MAX_FRAME,
                proxy=None,
            ) as socket:
                self._socket = socket
                try:
                    await self._send(events.lifecycle(self._world))
                    self._set("connected", "")
                    await self._serve(socket)
                finally:
                    self._socket = None
        except InvalidStatus as error:
            if error.response.status_code in (401, 403):
                return "机器人拒绝了连接：ONEBOT_ACCESS_TOKEN 不对，或试用台已在别处连接"
            return f"机器人拒绝了连接（{error.response.status_code}）"
        except ConnectionClosed:
            return "机器人断开了连接"
        except TimeoutError:
            return "连接机器人超时"
        except UnicodeError:
            return "ONEBOT_ACCESS_TOKEN 含有请求头里不能用的字符"
        except (OSError, WebSocketException):
            return "连不上机器人"
        return "机器人断开了连接"

    async def _serve(self, socket: ClientConnection) -> None:
        beating = asyncio.create_task(self._beat())
        try:
            async for frame in socket:
                await self._handle(frame)
        finally:
            beating.cancel()
            await asyncio.wait({beating})

    async def _handle(self, frame: str | bytes) -> None:
        try:
            call: Any = json.loads(frame)
        except ValueError:
            return
        if not isinstance(call, dict):
            return
        answer, caused = self._actions.answer(cast("dict[str, Any]", call))
        await self._send(answer)
        for event in caused:
            await self._send(event)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            await self._send(events.heartbeat(self._world, HEARTBEAT))

    async def _send(self, frame: dict[str, Any]) -> bool:
        socket = self._socket
        if socket is None:
            return False
        try:
            async with asyncio.timeout(SEND_TIMEOUT), self._sending:
                await socket.send(json.dumps(frame, ensure_ascii=False))
        except (ConnectionClosed, TimeoutError):
            return False
        return True
