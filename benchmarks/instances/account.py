"""One QQ account: reports messages over a WebSocket and answers what the instance asks for."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterable
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from .chatter import SELF_ID, called, sentinel

WINDOW = 500
"""Messages sent before the next sentinel; two windows are on their way at most."""
_SENTINEL_GROUPS = range(90_000, 91_000)


class Account:
    """Connected while it is entered. `sends` counts what the instance said, by group."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[float]] = {}
        self._message_ids = count(50_000_000)
        self._places = iter(())
        self.sends = 0

    async def __aenter__(self) -> Account:
        headers = {"X-Self-ID": str(SELF_ID), "X-Client-Role": "Universal"}
        self._socket = await connect(
            self._url,
            additional_headers=headers,
            max_size=None,
            ping_interval=None,
            proxy=None,
            compression=None,
        )
        self._reader = asyncio.create_task(self._answer_calls(self._socket))
        connected = {"post_type": "meta_event", "meta_event_type": "lifecycle", "sub_type": "connect"}
        await self.send(json.dumps({"time": int(time.time()), "self_id": SELF_ID, **connected}))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader

    async def send(self, frame: str) -> None:
        """Report one event."""
        assert self._socket is not None
        await self._socket.send(frame)

    async def send_all(self, frames: Iterable[str], window: int = WINDOW) -> None:
        """Report messages in windows; returns when the instance has handled all of them."""
        waiting: list[asyncio.Future[float]] = []
        number = 0
        frame = ""
        for number, frame in enumerate(frames, 1):
            await self.send(frame)
            if number % window == 0:
                waiting.append(await self._sentinel(frame))
                if len(waiting) > 1:
                    await asyncio.wait_for(waiting.pop(0), 120)
        waiting.append(await self._sentinel(frame))
        for answer in waiting:
            await asyncio.wait_for(answer, 120)

    async def ask(self, group: int, user: int, words: str, timeout: float = 120) -> float:
        """Call the bot in a group; seconds until its answer, which quotes the call, is sent."""
        message_id, frame = called(group, user, words)
        began = time.monotonic()
        answer = self._expect(message_id)
        await self.send(frame)
        return await asyncio.wait_for(answer, timeout) - began

    async def wait_handled(self) -> None:
        """Return once everything sent so far is handled."""
        await asyncio.wait_for(await self._sentinel(), 120)

    async def _sentinel(self, behind: str = "") -> asyncio.Future[float]:
        """A sentinel in the group of the message it has to stand `behind`: an instance may well handle
        another group's first, and one that speaks for the first time before all others."""
        group = json.loads(behind)["group_id"] if behind else next(self._places, None)
        if group is None:
            self._places = iter(_SENTINEL_GROUPS)
            group = next(self._places)
        message_id, frame = sentinel(group)
        answer = self._expect(message_id)
        await self.send(frame)
        return answer

    def _expect(self, message_id: str) -> asyncio.Future[float]:
        answer: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._answers[message_id] = answer
        return answer

    async def _answer_calls(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in socket:
                call = json.loads(frame)
                self._note(call)
                data: Any = {"message_id": next(self._message_ids)}
                answer = {"status": "ok", "retcode": 0, "data": data, "echo": call.get("echo")}
                await socket.send(json.dumps(answer))

    def _note(self, call: dict[str, Any]) -> None:
        now = time.monotonic()
        if not call["action"].startswith("send_"):
            return
        self.sends += 1
        for part in call["params"].get("message", []):
            if part["type"] == "reply":
                answer = self._answers.pop(str(part["data"]["id"]), None)
                if answer is not None and not answer.done():
                    answer.set_result(now)
