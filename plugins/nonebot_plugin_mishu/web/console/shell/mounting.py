"""Hangs the console on the driver's application: the site at `/console`, and what its pages are drawn from.

This module imports FastAPI, as `web.app` does.
"""

from __future__ import annotations

import logging
from pathlib import Path

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.routing import Mount, Route

from ....services.access.sessions import Sessions
from ....services.office import Office
from ...backend import Backend, Caretaker
from ...layers.forwarded import Proxies
from ..elements.live import Live
from .host import HOST
from .site import CODES_HIDDEN, PATH, ConsoleSite


class Console:
    """The mounted console. `close` ends its pages."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def close(self) -> None:
        """End the pages, and NiceGUI with them."""
        await self._live.close()
        await HOST.close()


def mount(
    app: FastAPI,
    backend: Backend,
    office: Office,
    sessions: Sessions,
    *,
    token: SecretStr | None,
    proxies: Proxies,
    data_dir: Path | None,
    caretaker: Caretaker | None = None,
) -> Console:
    """Mount the console. NiceGUI is installed (`host.installed`), and imported at the first visit."""
    live = Live(backend.listen)

    def declare() -> None:
        from .pages import declare as pages

        pages(office, backend, sessions, live, caretaker)

    HOST.register(declare)
    site = ConsoleSite(
        sessions, HOST, token=token, proxies=proxies, data_dir=data_dir, command=office.command
    )
    logging.getLogger("uvicorn.access").addFilter(CODES_HIDDEN)
    app.router.routes.append(Route(PATH, site, include_in_schema=False))
    app.router.routes.append(Mount(PATH, site))
    return Console(live)
