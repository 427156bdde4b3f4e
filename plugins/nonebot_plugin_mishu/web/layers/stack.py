"""The layers around the API's applications: CORS, the gate, bodies, ETags, turns, repeated writes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.middleware.cors import CORSMiddleware

from ...services.office import Office
from .etags import ETags
from .forwarded import Proxies
from .gate import ApiGate, SessionReader, TokenReader
from .idempotency import Idempotency
from .limits import BodyLimit
from .turns import InTurn

ALLOWED_HEADERS: Final = [
    *("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID")
]
EXPOSED_HEADERS: Final = ["ETag", "Idempotency-Replayed", "X-Next-Cursor"]


def surround(
    app: FastAPI,
    *,
    token: SecretStr | None,
    office: Office | None,
    sessions: SessionReader | None,
    proxies: Proxies | None,
    origins: Sequence[str],
    tokens: TokenReader | None = None,
) -> None:
    """Put the layers around an application; the last one added is the first a request meets."""
    answers = None if office is None else office.storage.answers
    app.add_middleware(Idempotency, answers=answers, wall=time.time if office is None else office.clock.wall)
    app.add_middleware(InTurn)
    app.add_middleware(ETags)
    app.add_middleware(BodyLimit)
    app.add_middleware(ApiGate, token=token, sessions=sessions, proxies=proxies, tokens=tokens)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
            max_age=600,
        )
