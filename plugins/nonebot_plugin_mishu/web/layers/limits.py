"""No request body over 1 MiB, whatever its headers say, is read into memory or handed on.

A body is read here, whole and bounded, before the route runs: a route that ignores its body would
otherwise never notice that it is too long, and one sent in chunks has no length to look at.
"""

from __future__ import annotations

import asyncio

from .guard import Application, Message, Receive, Refusal, Scope, Send, refuse

MAX_BODY = 1 << 20
"""Bytes."""
READ_TIMEOUT = 30.0
"""Seconds for a whole body to arrive."""

_TOO_LARGE = Refusal(413, "too_large", "请求体超过 1 MiB")
_TOO_SLOW = Refusal(408, "timeout", "请求体太久没有发完")


class BodyLimit:
    """ASGI middleware: 413 for a body over `limit` bytes, with or without Content-Length."""

    def __init__(self, app: Application, *, limit: int = MAX_BODY, timeout: float = READ_TIMEOUT) -> None:
        self._app = app
        self._limit = limit
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (length := self._content_length(scope)):
            await self._app(scope, receive, send)
            return
        if length > self._limit:
            await refuse(_TOO_LARGE, scope, send)
            return
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._read_body(receive)
        except TimeoutError:
            await refuse(_TOO_SLOW, scope, send)
            return
        if body is None:
            await refuse(_TOO_LARGE, scope, send)
            return
        await self._app(scope, _replay(body, receive), send)

    @staticmethod
    def _content_length(scope: Scope) -> int:
        """Bytes announced; 1 for a body of unknown length, 0 for none."""
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        for name, value in headers:
            if name.lower() == b"content-length" and value.isdigit():
                return int(value)
        return int(any(name.lower() == b"transfer-encoding" for name, _ in headers))

    async def _read_body(self, receive: Receive) -> bytes | None:
        """The whole body, or none if it is too long. A client that left early leaves what there is."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self._limit:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once and then what the server says."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return next_message
