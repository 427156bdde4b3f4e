"""`GET /calendar/{token}.ics`: a calendar for programs that subscribe, which can bring no bearer token.

The address itself is the key: a token nobody guesses, one for each calendar. So this path, and no other, is
mounted beside the guarded API. Every address that opens nothing gets the same 404.
"""

from __future__ import annotations

import logging
import socket
from typing import Final, Protocol

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from ...patterns import Pattern
from ...storage import StorageError
from ..layers.errors import error_body
from ..layers.etags import has_it, tag_of
from ..layers.guard import SecretHidden

PATH = "/calendar/{token}.ics"
_TOKEN: Final = Pattern(r"[A-Za-z0-9_-]{1,64}")


_HIDDEN: Final = SecretHidden(Pattern(r"(?<=/calendar/)[^/\s?]+(?=\.ics)"))


class CalendarBackend(Protocol):
    """Reader of calendars."""

    async def calendar(self, token: str) -> bytes | None:
        """The file a token opens, None for none. Raises `StorageError`."""
        ...


def routes(backend: CalendarBackend) -> APIRouter:
    """The route over a running plugin, for the top level of the driver's application."""
    router = APIRouter()

    async def calendar(request: Request) -> Response:
        token: str = request.path_params["token"]
        try:
            content = await backend.calendar(token) if _TOKEN.fullmatch(token) else None
        except StorageError as error:
            return _error(503, "unavailable", str(error))
        if content is None:
            return _error(404, "not_found", "没有这个日历")
        # When the file was made (DTSTAMP) changes with each asking; it is the same calendar all the same.
        lasting = b"\n".join(line for line in content.splitlines() if not line.startswith(b"DTSTAMP:"))
        tag = tag_of(lasting)
        headers = {
            "Cache-Control": "private, no-cache",
            "X-Content-Type-Options": "nosniff",
            "ETag": tag.decode(),
        }
        if has_it(request.scope, tag):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)

    router.add_route(PATH, calendar, methods=["GET", "HEAD"], include_in_schema=False)
    return router


def mount(app: object, backend: CalendarBackend) -> bool:
    """Add the route to the driver's application; True if that is a FastAPI one."""
    if not isinstance(app, FastAPI):
        return False
    logging.getLogger("uvicorn.access").addFilter(_HIDDEN)  # once: the same filter is not added again
    app.include_router(routes(backend))
    return True


EVERYWHERE: Final = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}
"""Hosts that stand for every address of the machine, which nobody can open."""
_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Documentation addresses: a datagram socket that is pointed at one sends nothing and tells our own."""


def listening(host: str, port: int) -> str:
    """Address under which a server that listens on `host` is opened."""
    if host in EVERYWHERE:
        host = _own_address(EVERYWHERE[host])
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _own_address(family: socket.AddressFamily) -> str:
    with socket.socket(family, socket.SOCK_DGRAM) as pointed:
        try:
            pointed.connect((_ELSEWHERE[family], 9))
            return str(pointed.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _error(status: int, code: str, message: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(error_body(code, message), status, media_type="application/json", headers=headers)
