"""Requests take turns: a storm of them waits here, in order, and not before the database.

Whoever asks the database gets an answer within seconds or an error; waiting for a free connection is part of
those seconds. So hundreds of requests at one moment would be answered 503 though each is a matter of
milliseconds. Only as many are let in at once as keep the database busy.
"""

from __future__ import annotations

import asyncio
from typing import Final

from .guard import Application, Denial, Receive, Scope, Send, refuse

AT_ONCE: Final = 16
LONGEST: Final = 30.0
"""Seconds that a request waits for its turn."""
_FREE: Final = ("/events", "/ai/chat", "/record", "/llm/correct-transaction")
"""Paths of long requests without the database: live streams, and model calls."""
_TOO_MANY: Final = Denial(503, "unavailable", "现在的请求太多，请稍后再试")


class InTurn:
    """ASGI middleware, behind the body limit: that has read the body, so nobody holds a turn by sending
    slowly."""

    def __init__(self, app: Application, *, at_once: int = AT_ONCE, longest: float = LONGEST) -> None:
        self._app = app
        self._turns = asyncio.Semaphore(at_once)
        self._longest = longest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or str(scope["path"]).endswith(_FREE):
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._longest):
                await self._turns.acquire()
        except TimeoutError:
            await refuse(_TOO_MANY, scope, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._turns.release()
