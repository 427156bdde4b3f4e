"""Hangs `/mcp` on the driver's application; the SDK is imported and its manager run at the first request.

Where the extra `mcp` is not installed nothing of it is imported and the address is not there. Imports
FastAPI, as `web.mounting` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.routing import Route

from ...report import Report
from ...services.office import Office
from ..backend import Backend
from ..layers.forwarded import Proxies
from ..layers.gate import ApiGate, SessionReader, TokenReader
from ..layers.guard import Application, Denial, Receive, Scope, Send, refuse
from ..layers.limits import BodyLimit
from ..layers.turns import InTurn

if TYPE_CHECKING:
    from .server import McpServer

PATH: Final = "/mcp"
AT_ONCE: Final = 32
"""Calls under way; more wait, since one may ask a model."""
_ONLY_POST: Final = Denial(405, "method_not_allowed", "这里只接受 POST：没有会话，也没有推送")
_ENDED: Final = Denial(503, "unavailable", "机器人正在停下")
Build = Callable[[], "McpServer"]


class McpDoor:
    """ASGI application behind the gate: builds the server at the first request, ends it with the bot."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._building = asyncio.Lock()
        self._server: McpServer | None = None
        self._ended = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await refuse(_ONLY_POST, scope, send)
            return
        server = await self._started()
        if server is None:
            await refuse(_ENDED, scope, send)
            return
        await server(scope, receive, send)

    async def close(self) -> None:
        """End the server, if it was built."""
        async with self._building:
            self._ended = True
            if self._server is not None:
                await self._server.close()

    async def _started(self) -> McpServer | None:
        async with self._building:
            if self._server is None and not self._ended:
                # In a thread: importing the SDK takes a second, and conversations go on meanwhile.
                server = await asyncio.to_thread(self._build)
                await server.start()
                self._server = server
        return None if self._ended else self._server


def installed() -> bool:
    """True if the extra `mcp` is installed."""
    return find_spec("mcp") is not None and find_spec("mcp_types") is not None


def mount(
    app: object,
    backend: Backend,
    office: Office,
    *,
    token: SecretStr | None,
    sessions: SessionReader | None,
    tokens: TokenReader | None,
    proxies: Proxies | None,
    version: str,
    report: Report,
) -> McpDoor | None:
    """Mount `/mcp` on a FastAPI application; None where it is none, or the extra is missing."""
    if not isinstance(app, FastAPI) or not installed():
        return None

    def build() -> McpServer:
        from .server import McpServer
        from .tools import Tools

        return McpServer(Tools(office, backend).all(), version, report)

    door = McpDoor(build)
    inside: Application = BodyLimit(InTurn(door, at_once=AT_ONCE))
    gate = ApiGate(inside, token=token, sessions=sessions, proxies=proxies, tokens=tokens)
    app.router.routes.append(Route(PATH, gate, include_in_schema=False))
    return door
