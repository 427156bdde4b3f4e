"""The API as `create_app` makes it, with routes that are built once for all tests of a process.

Two hundred routes cost half a second; a test has a running plugin of its own, and asks a few of them. So the
routes are built over pointers, which every application that is made here turns to its own plugin: those of
one test share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from fastapi import FastAPI
from nonebot_plugin_mishu.services.office import Office
from nonebot_plugin_mishu.web import app as web_app
from nonebot_plugin_mishu.web.app import StreamSessions
from nonebot_plugin_mishu.web.backend import Backend
from nonebot_plugin_mishu.web.layers.forwarded import Proxies
from nonebot_plugin_mishu.web.layers.gate import TokenReader
from nonebot_plugin_mishu.web.layers.stack import surround
from nonebot_plugin_mishu.web.routes.stream import HEARTBEAT, LiveStreams
from pydantic import SecretStr


class Pointer:
    """Stands for what it is turned to."""

    _at: Any = None

    def turn(self, at: Any) -> None:
        """From now on it is this."""
        object.__setattr__(self, "_at", at)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._at, name, value)


BACKEND, OFFICE = Pointer(), Pointer()


@cache
def _built(*, office: bool) -> FastAPI:
    """The routes over the pointers, which point already."""
    theirs = cast("Office", OFFICE) if office else None
    return web_app.create_app(cast("Backend", BACKEND), token=None, office=theirs)


def share_app(
    backend: Backend,
    *,
    token: SecretStr | None,
    heartbeat: float = HEARTBEAT,
    office: Office | None = None,
    sessions: StreamSessions | None = None,
    proxies: Proxies | None = None,
    origins: Sequence[str] = (),
    tokens: TokenReader | None = None,
) -> FastAPI:
    """As `create_app`. All of a test's have the plugin, and the beat of streams, of the last one made."""
    BACKEND.turn(backend)
    OFFICE.turn(office)
    built = _built(office=office is not None)
    streams: LiveStreams = built.state.streams
    streams.heartbeat = heartbeat
    if sessions is not None:
        sessions.on_doubt(streams.places.doubt)
    app = FastAPI(title=built.title, description=built.description, version=built.version, docs_url=None)
    app.router, app.exception_handlers = built.router, built.exception_handlers
    app.servers, app.root_path_in_servers = built.servers, False
    app.openapi = built.openapi
    surround(
        app, token=token, office=office, sessions=sessions, proxies=proxies, origins=origins, tokens=tokens
    )
    return app
