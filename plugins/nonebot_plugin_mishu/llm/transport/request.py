"""One request through the `openai` package: opened late, quiet in the logs, errors as values.

The package is imported in a thread on first use (it takes a second or more). Its own retries are off, and
the body comes back as bytes: its loose parsing would take a web page for an answer.

What it reads from the environment: proxies (`HTTPS_PROXY` and so on) for public endpoints, as everything
else on the machine does; none for loopback and private addresses. Redirects are not followed, so the key
goes to the configured address only.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..failures import NO_ANSWER, REFUSED, TIMED_OUT, TOO_LARGE, UNREACHABLE, Failure, failure_of
from ..vendors import host_of
from .completion import Completion, completion_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI

CONNECT = 5.0
"""Seconds a connection may take; also bounded by the deadline."""
HEADER = "X-Mishu-Call"
LARGEST = 2**20
"""Bytes of an answer's body, unpacked: more is no answer, and nothing more is read (`bounded_body`)."""


@dataclass(frozen=True, slots=True)
class Route:
    """Path of a kind of request below the base address, and the decoder of its answer."""

    path: str
    decode: Callable[[bytes], Completion | Failure]
    largest: int = LARGEST
    """Bytes of its body that are read."""


CHAT = Route("/chat/completions", completion_of)

_ours: ContextVar[bool] = ContextVar("mishu_model_call", default=False)
_largest: ContextVar[int] = ContextVar("mishu_model_body", default=LARGEST)
_LOGGERS = (
    "openai",
    "openai._base_client",
    "httpx2",
    "httpx",
    "httpcore2.connection",
    "httpcore2.http11",
    "httpcore2.http2",
    "httpcore2.proxy",
    "httpcore2.socks",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)


class _Quiet(logging.Filter):
    """Drops what the client library logs during our own requests: addresses, headers, provider texts.

    Other plugins that use the same libraries keep their logs.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return not _ours.get()


_quiet = _Quiet()


class Transport:
    """Connections to one base address with one key. Belongs to one event loop at a time."""

    def __init__(
        self, base_url: str, key: str, *, connections: int, wall: Callable[[], float] = time.time
    ) -> None:
        self.base_url = base_url
        self._key = key
        self._connections = connections
        self._wall = wall
        self._opening: asyncio.Task[AsyncOpenAI | None] | None = None

    async def open(self) -> AsyncOpenAI | None:
        """The client, made once in a thread; None where it cannot be made (a malformed address or proxy)."""
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(self._make_client))
        return await asyncio.shield(self._opening)

    async def close(self) -> None:
        """Close every connection. The next request opens anew."""
        opening, self._opening = self._opening, None
        if opening is None:
            return
        client = await opening
        if client is not None:
            token = _ours.set(True)
            try:
                await client.close()
            finally:
                _ours.reset(token)

    async def send(
        self,
        name: str,
        body: Mapping[str, Any],
        seconds: float,
        route: Route = CHAT,
        file: tuple[str, bytes] | None = None,
    ) -> Completion | Failure:
        """One attempt at a request. Raises nothing but cancellation, which closes the connection."""
        client = await self.open()
        if client is None:
            return REFUSED
        token, limit = _ours.set(True), _largest.set(route.largest)
        try:
            return await self._post(client, name, body, seconds, route, file)
        finally:
            _largest.reset(limit)
            _ours.reset(token)

    async def check_path(self, path: str, seconds: float) -> Failure | None:
        """A GET below the base address, whose body nobody reads; None where it answered with 200. Raises
        nothing but cancellation."""
        client = await self.open()
        if client is None:
            return REFUSED
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        from .http_library import http

        token = _ours.set(True)
        try:
            timeout = http.Timeout(seconds, connect=min(CONNECT, seconds))
            await client.get(path, cast_to=http.Response, options={"timeout": timeout, "max_retries": 0})
        except APITimeoutError:
            return TIMED_OUT
        except APIConnectionError:
            return UNREACHABLE
        except APIStatusError as error:
            answer = error.response
            return failure_of(answer.status_code, answer.headers, answer.text, self._wall())
        except (OpenAIError, http.InvalidURL, ValueError):
            return REFUSED
        except (OSError, RuntimeError, ExceptionGroup):
            return UNREACHABLE
        finally:
            _ours.reset(token)
        return None

    async def _post(
        self,
        client: AsyncOpenAI,
        name: str,
        body: Mapping[str, Any],
        seconds: float,
        route: Route,
        file: tuple[str, bytes] | None,
    ) -> Completion | Failure:
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        from .bounded_body import BodyRefused
        from .http_library import http

        timeout = http.Timeout(seconds, connect=min(CONNECT, seconds))
        headers = {HEADER: name}
        if file is not None:
            headers["Content-Type"] = "multipart/form-data"
        try:
            response = await client.post(
                route.path,
                cast_to=http.Response,
                body=dict(body),
                files=None if file is None else [("file", file)],
                options={"headers": headers, "timeout": timeout, "max_retries": 0},
            )
        except APITimeoutError as error:
            connecting = isinstance(error.__cause__, http.ConnectTimeout | http.PoolTimeout)
            return UNREACHABLE if connecting else TIMED_OUT
        except APIConnectionError as error:
            return TOO_LARGE if isinstance(error.__cause__, BodyRefused) else UNREACHABLE
        except BodyRefused:
            return TOO_LARGE
        except APIStatusError as error:
            answer = error.response
            return failure_of(answer.status_code, answer.headers, answer.text, self._wall())
        except (OpenAIError, http.InvalidURL, ValueError):
            return REFUSED  # an address or a key that cannot be put into a request
        except (OSError, RuntimeError, ExceptionGroup):
            return UNREACHABLE  # closed under our hands, or an error of the network layer's own
        return route.decode(response.content) if response.status_code == 200 else NO_ANSWER

    def _make_client(self) -> AsyncOpenAI | None:
        """In a thread: the client, and the silence of its loggers."""
        try:
            from openai import AsyncOpenAI

            from .bounded_body import ENCODINGS, bound
            from .http_library import http
        except ImportError:
            return None
        for logger in _LOGGERS:
            logging.getLogger(logger).addFilter(_quiet)

        async def bounded(response: http.Response) -> None:
            bound(response, _largest.get())

        try:
            urlsplit(self.base_url).port  # noqa: B018 (raises where it is none)
            sender = http.AsyncClient(
                follow_redirects=False,
                headers={"Accept-Encoding": ENCODINGS},
                event_hooks={"response": [bounded]},  # before the body is read; a transport of our own
                # would lose the proxies of the environment
                trust_env=not is_local(self.base_url),
                limits=http.Limits(max_connections=None, max_keepalive_connections=self._connections),
            )
            return AsyncOpenAI(base_url=self.base_url, api_key=self._key, max_retries=0, http_client=sender)
        except (http.InvalidURL, ImportError, OSError, ValueError):
            return None


def is_local(base_url: str) -> bool:
    """True if an address is on this machine or in a private network."""
    host = host_of(base_url)
    if host.endswith((".localhost", ".local", ".lan", ".internal")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host  # localhost, or a bare name as container networks have
