"""No request body over 1 MiB, whatever its headers say, is read into memory or handed on; of a file, 5 MB.

A body is read here, whole and bounded, before the route runs: a route that ignores its body would
otherwise never notice that it is too long, and one sent in chunks has no length to look at.
"""

from __future__ import annotations

import asyncio

from .guard import Application, Denial, Receive, Scope, Send, refuse
from .request_body import read_body, replay_body

MAX_BODY = 1 << 20
"""Bytes."""
MAX_FILE = (5 << 20) + 1
"""Bytes of a file that is uploaded: one more than may be, so that it is told which limit it breaks."""
FILES = ("/v1/calendars/file", "/v1/bills/file")
"""Ends of the paths to which files are uploaded."""
READ_TIMEOUT = 30.0
"""Seconds for a whole body to arrive."""

_TOO_LARGE = Denial(413, "too_large", "请求体超过 1 MiB")
_TOO_SLOW = Denial(408, "timeout", "请求体太久没有发完")


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
        limit = max(self._limit, MAX_FILE) if str(scope.get("path", "")).endswith(FILES) else self._limit
        if length > limit:
            await refuse(_TOO_LARGE, scope, send)
            return
        try:
            async with asyncio.timeout(self._timeout):
                body = await read_body(receive, limit)
        except TimeoutError:
            await refuse(_TOO_SLOW, scope, send)
            return
        if body is None:
            await refuse(_TOO_LARGE, scope, send)
            return
        await self._app(scope, replay_body(body, receive), send)

    @staticmethod
    def _content_length(scope: Scope) -> int:
        """Bytes announced; 1 for a body of unknown length, 0 for none."""
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        for name, value in headers:
            if name.lower() == b"content-length" and value.isdigit():
                return int(value)
        return int(any(name.lower() == b"transfer-encoding" for name, _ in headers))
