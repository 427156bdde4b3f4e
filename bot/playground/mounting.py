"""Hangs the playground on the bot's FastAPI application, and starts it when somebody first comes.

NiceGUI costs about half a second and 20 MB to import. A bot that nobody plays with pays neither: it is
started at the first request, together with the console's pages, which live in the same application below
another path. The guard stands before all that.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import tzinfo
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from nonebot_plugin_mishu.web.console.shell.host import HOST, rewrite_scope, split_mount
from nonebot_plugin_mishu.web.console.shell.site import ROOMS
from nonebot_plugin_mishu.web.layers.forwarded import Proxies
from nonebot_plugin_mishu.web.layers.guard import Receive, Scope, Send
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import RedirectResponse

from .entrance import Entrance
from .group import BOT_NAME
from .settings import Settings

if TYPE_CHECKING:
    from nonebot_plugin_mishu.llm import ModelSimulator
    from nonebot_plugin_mishu.services.access.sessions import Sessions

    from .session import Session

MOUNT_PATH = "/playground"
INSIDE = "/console/playground"
"""Where it stands in the console."""
INNER = "/_playground"
"""Below which path the page stands inside NiceGUI."""


class LazyPage:
    """ASGI application: has NiceGUI started at the first request and hands the page's own requests to it."""

    def __init__(
        self,
        settings: Settings,
        *,
        data_dir: Path | None,
        practice: ModelSimulator | None,
        wall: Callable[[], float],
        proxies: Proxies,
    ) -> None:
        self._settings = settings
        self._practice = practice
        self._wall = wall
        self._proxies = proxies
        self._data_dir = data_dir
        self._session: Session | None = None
        self._led = False
        HOST.register(self._declare)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        root, path = split_mount(scope, MOUNT_PATH)
        if self._led and path == "/" and scope["type"] == "http" and not root.endswith(INSIDE):
            await _redirect(f"..{INSIDE}", scope, receive, send)
            return
        if path != "/" and not path.startswith("/_nicegui"):
            path = f"{INNER}/lost"
        server: tuple[str, int | None] | None = scope.get("server")
        if not self._settings.port and server is not None and server[1]:
            self._settings = replace(self._settings, port=server[1])
        application = await HOST.application(self._data_dir)
        believed = self._proxies.believed(scope)
        await application(
            rewrite_scope(believed, root, f"{INNER}{path}" if path == "/" else path), receive, send
        )

    def lead(self) -> None:
        """There is a console in which the page stands: the address of its own leads there."""
        self._led = True

    def _declare(self) -> None:
        from .page import declare
        from .session import Session

        self._session = Session(self._settings, practice=self._practice, wall=self._wall)
        declare(self._session, f"{INNER}/")

    async def close(self) -> None:
        """End the pages, the connection to the bot and NiceGUI."""
        if self._session is not None:
            await self._session.close()
        await HOST.close()


def reachable(host: str) -> str:
    """The address under which a server listening on `host` is reached from this machine."""
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


async def _redirect(where: str, scope: Scope, receive: Receive, send: Send) -> None:
    await RedirectResponse(where, status_code=302)(scope, receive, send)


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
    practice: ModelSimulator | None = None,
    wall: Callable[[], float] = time.time,
    proxies: Proxies | None = None,
    sessions: Callable[[], Sessions | None] = lambda: None,
    in_console: bool = False,
) -> bool:
    """Mount the playground at `/playground`; false, and nothing done, where NiceGUI is not installed.

    To be called when `nonebot_plugin_mishu` is loaded and before the server starts. `host` and `port` are
    what the bot listens on (port 0: taken from the first request), `access_token` is ONEBOT_ACCESS_TOKEN,
    `bot_name` the bot's name in the groups, `web_token` MISHU__WEB__TOKEN, `zone` the zone of
    the times shown, `proxies` whose word on a request counts, `sessions` who knows the owner's cookies,
    `data_dir` the only place below which NiceGUI
    may write (it has nothing to write), `practice` the switch by which the page may disturb the model
    (`entry.practice`), `wall` the bot's clock. `in_console`: a console stands on the same application, and
    the page's own address leads into it, unless it has a token to ask for.
    """
    if find_spec("nicegui") is None:
        return False
    token = web_token.get_secret_value() if web_token is not None else None
    settings = Settings(
        host=reachable(host),
        port=port,
        access_token=access_token or None,
        web_token=token or None,
        bot_name=bot_name,
        zone=zone,
        data_dir=data_dir,
    )
    known = proxies or Proxies()
    page = LazyPage(settings, data_dir=data_dir, practice=practice, wall=wall, proxies=known)
    app.add_route("/", _lead, methods=["GET", "HEAD"], include_in_schema=False)
    ROOMS["playground"] = page
    if in_console and token is None:
        page.lead()
    app.mount(
        MOUNT_PATH, Entrance(page, token=web_token if token else None, sessions=sessions, proxies=known)
    )

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
