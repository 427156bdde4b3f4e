"""Events are handed to NoneBot at the pace at which they are handled, and from each conversation in its turn.

NoneBot's adapter takes every frame that is there and starts a task for each. In a flood a thousand tasks
advance in turns, one step each, and an answer that needs a hundred steps waits a hundred times for all of
them; and whoever speaks behind the flood waits for the whole of it. Here frames are taken from the socket as
they come, read (`frames`: a broken one is skipped), and wait in a `Backlog`. The next one is handed over when
few events are under way, or when a round of the event loop is short: then those under way wait for something
else than the loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sized
from contextlib import asynccontextmanager

from nonebot.adapters import Bot
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.drivers import Request, WebSocket, WebSocketServerSetup
from nonebot.log import logger

from .backlog import Backlog
from .direct import direct
from .frames import BrokenFrame, Skipped, examine

UNDER_WAY = 8
"""Events handled at once before the next may have to wait. A round of the event loop takes a step of each,
and an answer that is being made, or an operation of the database, needs dozens of rounds."""
SHORT = 0.001
"""Seconds of a round in which little was to do: an event whose handler hangs stops nobody."""
LONGEST = 0.1
"""Seconds that a frame waits at the most, however long the rounds are."""
AT_ONCE = 50
"""Frames taken from the socket before everybody else has a turn."""


class PacedAdapter(Adapter):
    """OneBot v11 whose events arrive at a pace, over sockets opened by either side."""

    def setup_websocket_server(self, setup: WebSocketServerSetup) -> None:
        """As the adapter does it, with a paced socket for its handler."""

        async def handle(websocket: WebSocket) -> None:
            async with paced(websocket, self.tasks) as socket:
                await setup.handle_func(socket)

        super().setup_websocket_server(WebSocketServerSetup(setup.path, setup.name, handle))

    def bot_connect(self, bot: Bot) -> None:
        """As the adapter does it, with the short way for messages where nobody else handles them."""
        direct(bot)
        super().bot_connect(bot)

    @asynccontextmanager
    async def websocket(self, setup: Request) -> AsyncGenerator[WebSocket, None]:
        """As the adapter does it, with a paced socket."""
        async with super().websocket(setup) as websocket, paced(websocket, self.tasks) as socket:
            yield socket


@asynccontextmanager
async def paced(socket: WebSocket, under_way: Sized) -> AsyncGenerator[WebSocket, None]:
    """The socket, read at a pace, whose reader ends with the block. `under_way`: events being handled."""
    reading = _Paced(socket, under_way)
    try:
        yield reading
    finally:
        await reading.end()


class _Paced(WebSocket):
    """A WebSocket whose frames wait in a backlog. Everything else is the socket's own."""

    def __init__(self, socket: WebSocket, under_way: Sized) -> None:
        super().__init__(request=socket.request)
        self._socket = socket
        self._under_way = under_way
        self._backlog = Backlog()
        self._skipped = Skipped(logger.warning)
        self._changed = asyncio.Event()
        """Something arrived, was taken, or the socket has ended."""
        self._reader: asyncio.Task[None] | None = None

    @property
    def closed(self) -> bool:
        return self._socket.closed

    async def accept(self) -> None:
        await self._socket.accept()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self._socket.close(code, reason)

    async def send_text(self, data: str) -> None:
        await self._socket.send_text(data)

    async def send_bytes(self, data: bytes) -> None:
        await self._socket.send_bytes(data)

    async def receive_text(self) -> str:
        frame = await self.receive()
        return frame if isinstance(frame, str) else frame.decode()

    async def receive_bytes(self) -> bytes:
        frame = await self.receive()
        return frame if isinstance(frame, bytes) else frame.encode()

    async def receive(self) -> str | bytes:
        """The next frame. Raises what the socket raised, once everything it gave before is taken."""
        if self._reader is None:
            self._reader = asyncio.create_task(self._read_frames(), name="onebot frames")
        while not self._backlog:
            if self._reader.done():
                await self._reader
            self._changed.clear()
            await self._changed.wait()
        await self._pause()
        frame = self._backlog.take()
        self._changed.set()
        return frame

    async def _pause(self) -> None:
        """Let those under way go on, as long as they have something to do."""
        until = time.monotonic() + LONGEST
        while not self._backlog.answered and len(self._under_way) >= UNDER_WAY:
            began = time.monotonic()
            await asyncio.sleep(0)
            now = time.monotonic()
            if now - began < SHORT or now > until:
                return

    async def end(self) -> None:
        """Stop reading. What was not taken is dropped: nobody is there any more to be handed it."""
        if self._reader is None:
            return
        self._reader.cancel()
        await asyncio.wait([self._reader])
        if not self._reader.cancelled():
            self._reader.exception()  # it was raised by `receive`, or nobody asked any more

    async def _read_frames(self) -> None:
        """Take frames from the socket until it ends, as long as the backlog has room."""
        try:
            number = 0
            while True:
                while self._backlog.full:
                    self._changed.clear()
                    await self._changed.wait()
                content = await self._socket.receive()
                try:
                    self._backlog.put(examine(content))
                except BrokenFrame as broken:
                    self._skipped.note(broken, len(content))
                else:
                    self._changed.set()
                number += 1
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)
        finally:
            self._changed.set()
