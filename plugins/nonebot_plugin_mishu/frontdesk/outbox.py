"""The outbox: the one way to send. One per conversation, in order, with a minimum gap between sends."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count

from ..secretary import SendFailed, Speech

Transmit = Callable[[Speech], Awaitable[str]]


GRACE = 0.5
"""Seconds until a send without a caller is given up: most often the platform's answer is just coming."""


@dataclass(order=True, slots=True)
class _Parcel:
    rank: int
    number: int
    speech: Speech = field(compare=False)
    done: asyncio.Future[str] = field(compare=False)
    sending: bool = field(compare=False, default=False)


class Outbox:
    """Sends one speech after the other, urgent ones first, at least `gap` seconds apart.

    `transmit` speaks to the platform and raises `SendFailed`; whatever else it raises goes to the speech's
    caller too and stops nobody who waits behind. The worker task lives while something waits; `close` ends
    it for good.
    """

    def __init__(self, gap: float, transmit: Transmit) -> None:
        self._gap = gap
        self._transmit = transmit
        self._waiting: list[_Parcel] = []
        self._numbers = count()
        self._worker: asyncio.Task[None] | None = None
        self._last_sent = float("-inf")
        self._closed = False
        self._next_done = asyncio.Event()
        """Set, and made anew, whenever a speech was sent or will not be."""

    async def say(self, speech: Speech, timeout: float) -> str:
        """Send a speech in its turn; the platform's message id.

        Raises `SendFailed`: refused, dropped, or not sent within `timeout` seconds. A caller that is
        cancelled before its turn sends nothing.
        """
        if self._closed:
            raise SendFailed("正在关闭")
        loop = asyncio.get_running_loop()
        parcel = _Parcel(0 if speech.urgent else 1, next(self._numbers), speech, loop.create_future())
        heapq.heappush(self._waiting, parcel)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._run(), name="mishu outbox")
        try:
            async with asyncio.timeout(timeout):
                return await parcel.done
        except TimeoutError:
            raise SendFailed("发送超时", perhaps=parcel.sending) from None

    def drop(self, reason: str) -> None:
        """Remove every waiting speech; its caller gets `SendFailed` with this reason."""
        waiting, self._waiting = self._waiting, []
        for parcel in waiting:
            if not parcel.done.done():
                parcel.done.set_exception(SendFailed(reason))
        self._wake_waiters()

    async def wait_for_next(self) -> None:
        """Wait until the next speech was sent or dropped; return at once if the outbox is idle."""
        if not self.idle:
            await self._next_done.wait()

    def _wake_waiters(self) -> None:
        self._next_done.set()
        self._next_done = asyncio.Event()

    @property
    def idle(self) -> bool:
        """True if nothing waits or is being sent."""
        return not self._waiting and (self._worker is None or self._worker.done())

    def __len__(self) -> int:
        return len(self._waiting)

    async def close(self) -> None:
        """Drop every waiting speech and end the worker."""
        self._closed = True
        self.drop("正在关闭")
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.wait([self._worker])
            self._worker = None

    async def _run(self) -> None:
        try:
            await self._send_all()
        finally:
            self._wake_waiters()  # by then this task is over, and the outbox idle

    async def _send_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            pause = self._last_sent + self._gap - loop.time()
            if pause > 0:
                await asyncio.sleep(pause)
                continue  # something urgent may have come, or all may have been dropped
            parcel = heapq.heappop(self._waiting)
            if parcel.done.done():
                continue
            try:
                await self._deliver(parcel)
            finally:
                self._last_sent = loop.time()
                if not parcel.done.done():
                    parcel.done.set_exception(SendFailed("正在关闭", perhaps=True))
                self._wake_waiters()

    async def _deliver(self, parcel: _Parcel) -> None:
        """Send one parcel. Once its caller has left (time-out, eviction) the send is given up after `GRACE`
        seconds, so that a platform that never answers holds up no later speech."""
        parcel.sending = True
        sending = asyncio.ensure_future(self._transmit(parcel.speech))
        try:
            await asyncio.wait([sending, parcel.done], return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                await asyncio.wait([sending], timeout=GRACE)
        finally:
            sending.cancel()
            await asyncio.wait([sending])
        if sending.cancelled():
            return
        error = sending.exception()
        if parcel.done.done():
            return
        if error is not None:
            parcel.done.set_exception(error)
        else:
            parcel.done.set_result(sending.result())
