"""Hangs the playground on the bot's FastAPI application, and starts it when somebody first comes.

NiceGUI costs about half a second and 20 MB to import. A bot that nobody plays with pays neither: it is
imported, in a thread, at the first request, with a small application of its own whose life begins and
ends here. The guard stands before all that.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import tzinfo
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import RedirectResponse

from .entrance import Application, Entrance, Receive, Scope, Send
from .group import BOT_NAME
from .settings import Settings

if TYPE_CHECKING:
    from asyncio import Task

    from nonebot_plugin_mishu.llm import Practice

    from .session import Session

MOUNT_PATH = "/playground"
STOP_TIMEOUT = 10.0


class LazyPage:
    """ASGI application: builds the NiceGUI application at the first request and hands everything to it."""

    def __init__(
        self,
        settings: Settings,
        *,
        data_dir: Path | None,
        practice: Practice | None,
        wall: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._practice = practice
        self._wall = wall
        self._data_dir = data_dir
        self._lock = asyncio.Lock()
        self._application: Application | None = None
        self._session: Session | None = None
        self._living: Task[None] | None = None
        self._stop = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        application = self._application
        if application is None:
            async with self._lock:
                application = self._application or await self._start(scope)
        await application(scope, receive, send)

    async def _start(self, scope: Scope) -> Application:
        settings = self._settings
        server: tuple[str, int | None] | None = scope.get("server")
        if not settings.port and server is not None and server[1]:
            settings = replace(settings, port=server[1])
        await asyncio.to_thread(self._import)
        from .page import build_application
        from .session import Session

        self._session = Session(settings, practice=self._practice, wall=self._wall)
        shell = build_application(self._session)
        begun = asyncio.Event()
        self._living = asyncio.create_task(self._live(shell, begun))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait({self._living, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._living.done():
            self._living.result()
        self._application = shell
        return shell

    def _import(self) -> None:
        """The slow part. NiceGUI reads where it may write when it is imported."""
        if self._data_dir is not None:
            os.environ.setdefault("NICEGUI_STORAGE_PATH", str(self._data_dir / "nicegui"))
        import_module(".page", __package__)

    async def _live(self, shell: FastAPI, begun: asyncio.Event) -> None:
        async with shell.router.lifespan_context(shell):
            begun.set()
            await self._stop.wait()

    async def close(self) -> None:
        """End the pages, the connection to the bot and NiceGUI."""
        self._stop.set()
        if self._session is not None:
            await self._session.close()
        if self._living is not None:
            async with asyncio.timeout(STOP_TIMEOUT):
                await self._living


def reachable(host: str) -> str:
    """The address under which a server listening on `host` is reached from this machine."""
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


async def _lead(request: Request) -> RedirectResponse:
    """From the bare address to the page; relative, so that it holds below a proxy's path as well."""
    return RedirectResponse(f"{MOUNT_PATH[1:]}/", status_code=302)


def mount(
    app: FastAPI,
    *,
    host: str,
    port: int,
    access_token: str | None = None,
    bot_name: str = BOT_NAME,
    web_token: SecretStr | None = None,
    zone: tzinfo | None = None,
    data_dir: Path | None = None,
    practice: Practice | None = None,
    wall: Callable[[], float] = time.time,
) -> bool:
    """Mount the playground at `/playground`; false, and nothing done, where NiceGUI is not installed.

    To be called when `nonebot_plugin_mishu` is loaded and before the server starts. `host` and `port` are
    what the bot listens on (port 0: taken from the first request), `access_token` is ONEBOT_ACCESS_TOKEN,
    `bot_name` the bot's name in the groups, `web_token` MISHU__WEB__TOKEN, `zone` the zone of
    the times shown, `data_dir` the only place below which NiceGUI may write (it has nothing to write),
    `practice` the switch by which the page may disturb the model (`entry.practice`), `wall` the bot's clock.
    """
    if find_spec("nicegui") is None:
        return False
    from nonebot_plugin_mishu.web import LocalOrToken

    token = web_token.get_secret_value() if web_token is not None else None
    settings = Settings(
        host=reachable(host),
        port=port,
        access_token=access_token or None,
        web_token=token or None,
        bot_name=bot_name,
        zone=zone,
    )
    page = LazyPage(settings, data_dir=data_dir, practice=practice, wall=wall)
    app.add_route("/", _lead, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount(MOUNT_PATH, Entrance(LocalOrToken(page, token=web_token), token=token))

    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[Mapping[str, Any]]:
        async with inner(application) as state:
            try:
                yield state or {}
            finally:
                await page.close()

    app.router.lifespan_context = lifespan
    return True
