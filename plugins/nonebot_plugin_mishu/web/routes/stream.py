"""Server-sent events of one group: bounded, with heartbeats, and over when the server stops.

uvicorn ends the application's life only after the last response ended, so a stream that waited for the
plugin's own shutdown would keep the server from stopping: it looks for the server's wish to stop instead.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...events import BotEvent
from ...services.access.actor import Actor
from ..layers.gate import AGAIN, judge_again
from ..layers.handlers import ApiError
from .stream_places import StreamPlaces, TooMany

HEARTBEAT = 15.0
"""Seconds without an event after which a comment is sent, so that nothing between takes it for dead."""
SEND_TIMEOUT = 30.0
"""Seconds a reader may take for what was sent before it is given up."""
MAX_STREAMS = 512
_LOOK_AROUND = 0.5
"""Seconds between two looks at whether the server wants to stop."""


def server_is_stopping() -> bool:
    """True if the server that runs us was told to stop: uvicorn's signal handler belongs to its server."""
    owner = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return getattr(owner, "should_exit", False) is True


def frame(kind: str, data: Mapping[str, Any], event_id: str | None = None) -> bytes:
    """One event as bytes. JSON has no bare line breaks, so one `data` line always does."""
    numbered = "" if event_id is None else f"id: {event_id}\n"
    return f"{numbered}event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


class Stopping:
    """Watch of the server's wish to stop, one for all open streams."""

    def __init__(self) -> None:
        self._streams = 0
        self._told: asyncio.Future[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def awaited(self) -> Generator[asyncio.Future[None]]:
        """Future that is done once the server wants to stop; watched while somebody waits."""
        told = self._told if self._streams else None
        if told is None:
            told = self._told = asyncio.get_running_loop().create_future()
            self._looking = asyncio.create_task(self._look(told), name="mishu streams stopping")
        self._streams += 1
        try:
            yield told
        finally:
            self._streams -= 1
            if not self._streams and self._looking is not None:
                self._looking.cancel()

    async def _look(self, told: asyncio.Future[None]) -> None:
        while not server_is_stopping():  # noqa: ASYNC110 - the server has a flag and no event
            await asyncio.sleep(_LOOK_AROUND)
        told.set_result(None)


class StreamListener:
    """Reads news with a deadline that does not end the reading, as `asyncio.wait_for(anext(…))` would."""

    def __init__(self, news: AsyncIterator[BotEvent]) -> None:
        self._news = news
        self._next: asyncio.Task[BotEvent] | None = None
        self.ended = False

    async def start(self) -> None:
        """Begin to listen: what happens from here on is not missed."""
        self._next = asyncio.create_task(self._step())
        await asyncio.sleep(0)

    async def _step(self) -> BotEvent:
        return await anext(self._news)

    async def next(self, timeout: float) -> BotEvent | None:
        """The next news; none after `timeout` seconds, or if it ended."""
        if self.ended:
            return None
        task = self._next or asyncio.create_task(self._step())
        self._next = task
        await asyncio.wait({task}, timeout=timeout)
        if not task.done():
            return None
        self._next = None
        try:
            return task.result()
        except StopAsyncIteration:
            self.ended = True
            return None

    async def close(self) -> None:
        """Stop listening and leave nothing running."""
        self.ended = True
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next})
            self._next = None
        close = getattr(self._news, "aclose", None)
        if close is not None:
            await close()


class LiveStreams:
    """Shared state of live streams: places, limits, the server's wish to stop."""

    def __init__(self, heartbeat: float) -> None:
        self.places = StreamPlaces()
        self.stopping = Stopping()
        self.most = MAX_STREAMS
        self.heartbeat = heartbeat

    async def open(
        self,
        request: Request,
        actor: Actor,
        listen: Callable[[], AsyncIterator[BotEvent]],
        begin: Callable[[], Awaitable[tuple[bytes, Callable[[BotEvent], bool]]]],
        shape: Callable[[BotEvent], bytes],
    ) -> EventStream:
        """The stream of a request. `begin` is called once nothing is missed any more; it returns what is sent
        first, and which news are. Raises `ApiError` (429) without a place left."""
        doubted = asyncio.Event()
        try:
            give_back = self.places.take_place(actor, self.most, doubted.set)
        except TooMany as why:
            raise ApiError(429, str(why)) from None
        listener = StreamListener(listen())
        try:
            await listener.start()
            opening, wanted = await begin()
        except BaseException:
            give_back()  # first: closing may be cut off in its turn
            await listener.close()
            raise

        async def allowed() -> bool:
            found = await judge_again(request.scope)
            return isinstance(found, Actor) and found.group_id == actor.group_id

        return EventStream(
            listener,
            wanted,
            b"retry: 2000\n\n" + opening,
            shape,
            stopping=self.stopping,
            heartbeat=self.heartbeat,
            allowed=allowed if AGAIN in request.scope else None,
            doubted=doubted,
            on_end=give_back,
        )


class EventStream(Response):
    """The response: `opening` at once, then whatever news `wanted` lets pass."""

    media_type = "text/event-stream"

    def __init__(
        self,
        listener: StreamListener,
        wanted: Callable[[BotEvent], bool],
        opening: bytes,
        shape: Callable[[BotEvent], bytes],
        *,
        stopping: Stopping,
        heartbeat: float = HEARTBEAT,
        allowed: Callable[[], Awaitable[bool]] | None = None,
        doubted: asyncio.Event | None = None,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        """`allowed` is asked again every `heartbeat` seconds, and at once when `doubted` is set: a stream
        stays open longer than rights do."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._listener = listener
        self._wanted = wanted
        self._opening = opening
        self._heartbeat = heartbeat
        self._stopping = stopping
        self._allowed = allowed
        self._on_end = on_end
        self._shape = shape
        self._doubted = doubted or asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        telling = asyncio.create_task(self._tell(send))
        leaving = asyncio.create_task(_left(receive))
        losing = asyncio.create_task(self._rights_lost())
        tasks = {telling, leaving, losing}
        try:
            with self._stopping.awaited() as stopping:
                await asyncio.wait({stopping, *tasks}, return_when=asyncio.FIRST_COMPLETED)
                over = (stopping.done() or losing.done()) and not telling.done() and not leaving.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await self._listener.close()
            self._on_end()
        if over:
            await self._write(send, _chunk(b"", more=False))
        if not losing.cancelled() and (failed := losing.exception()) is not None:
            raise failed
        if telling.cancelled() or (error := telling.exception()) is None:
            return
        if not isinstance(error, TimeoutError):  # a reader that does not read is no failure of ours
            raise error

    async def _tell(self, send: Send) -> None:
        await self._write(
            send, {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        await self._write(send, _chunk(self._opening))
        loop = asyncio.get_running_loop()
        quiet_since = loop.time()
        while not self._listener.ended:
            news = await self._listener.next(max(0.0, quiet_since + self._heartbeat - loop.time()))
            if news is not None and self._wanted(news):
                await self._write(send, _chunk(self._shape(news)))
                quiet_since = loop.time()
            elif loop.time() - quiet_since >= self._heartbeat:
                await self._write(send, _chunk(b": heartbeat\n\n"))
                quiet_since = loop.time()
        await self._write(send, _chunk(b"", more=False))

    async def _rights_lost(self) -> None:
        """Wait until the listener has no right any more."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._heartbeat):
                    await self._doubted.wait()
            self._doubted.clear()
            if self._allowed is not None and not await self._allowed():
                return

    async def _write(self, send: Send, message: dict[str, Any]) -> None:
        async with asyncio.timeout(SEND_TIMEOUT):
            await send(message)


def _chunk(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def _left(receive: Receive) -> None:
    """Wait until the reader is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
