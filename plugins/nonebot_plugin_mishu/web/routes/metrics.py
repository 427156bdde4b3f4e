"""`GET /metrics`: the numbers in Prometheus' text format, for the owner (`scale.md`, Operations).

At the root, where such programs look, and behind the same guard as the API: with `MISHU__WEB__TOKEN` whoever
brings it as a bearer token, else this machine alone. Needs the extra `metrics` (prometheus-client), which is
imported when somebody asks.
"""

from __future__ import annotations

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..layers.guard import LocalOrToken, Receive, Scope, Send
from .measures import Measured

PATH = "/metrics"


def mount(app: object, source: Measured, version: str, *, token: SecretStr | None) -> bool:
    """Add the route to the driver's application; True if that is a FastAPI one."""
    if not isinstance(app, FastAPI):
        return False

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            response = Response(status_code=405, headers={"Allow": "GET, HEAD"})
        else:
            from .metrics_page import CONTENT_TYPE, render_metrics

            body = render_metrics(await source.measures(), version)
            response = Response(body, headers={"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"})
        await response(scope, receive, send)

    app.router.routes.append(Route(PATH, LocalOrToken(answer, token=token), include_in_schema=False))
    return True
