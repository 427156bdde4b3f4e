"""Hangs the HTTP API on the driver's application at `/api`; most of it is built at the first request.

A hundred routes and their schemas cost a fifth of a second and 12 MB, which a bot of which nobody asks
anything over HTTP does not pay. `/api/health`, which containers ask every half minute, stands by itself.
This module imports FastAPI, as `web.app` does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from ..services.office import Office
from .backend import Backend
from .layers import handlers
from .layers.forwarded import Proxies
from .layers.gate import TokenReader
from .layers.stack import surround
from .routes import health as health_route

if TYPE_CHECKING:
    from .app import StreamSessions

MOUNT_PATH: Final = "/api"


class LazyApi:
    """ASGI application: answers for health itself, and has the whole API built for anything else."""

    def __init__(self, health: ASGIApp, build: Callable[[], ASGIApp]) -> None:
        self._health = health
        self._build = build
        self._building = asyncio.Lock()
        self._whole: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", "")).removeprefix(str(scope.get("root_path", "")))
        if path == health_route.PATH:
            await self._health(scope, receive, send)
            return
        whole = self._whole
        if whole is None:
            async with self._building:
                if self._whole is None:
                    # In a thread: conversations go on meanwhile.
                    self._whole = await asyncio.to_thread(self._build)
                whole = self._whole
        await whole(scope, receive, send)


def mount(
    app: object,
    backend: Backend,
    *,
    token: SecretStr | None,
    office: Office | None = None,
    sessions: StreamSessions | None = None,
    proxies: Proxies | None = None,
    origins: Sequence[str] = (),
    tokens: TokenReader | None = None,
) -> bool:
    """Mount the API on the driver's application; True if that is a FastAPI one."""
    if not isinstance(app, FastAPI):
        return False
    health = FastAPI(openapi_url=None, redirect_slashes=False)
    handlers.install(health)
    health.include_router(health_route.routes(backend))
    surround(
        health, token=token, office=office, sessions=sessions, proxies=proxies, origins=origins, tokens=tokens
    )

    def build() -> ASGIApp:
        from .app import create_app

        return create_app(
            backend,
            token=token,
            office=office,
            sessions=sessions,
            proxies=proxies,
            origins=origins,
            tokens=tokens,
        )

    app.mount(MOUNT_PATH, LazyApi(health, build))
    return True
