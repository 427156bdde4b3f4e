"""Who may speak to the HTTP API and to the playground: whoever has the token, or this machine alone.

With `MISHU__WEB__TOKEN` every request brings it (`Authorization: Bearer …`), wherever it comes from.
Without one only this machine is answered, and a web page from elsewhere that a browser on this machine has
open must not reach us through that browser. So all of these hold at once:

* the client's address is a loopback address;
* no header tells of a proxy: behind a reverse proxy on this machine every stranger has a loopback address,
  and what `X-Forwarded-For` claims is the stranger's own word;
* `Host` is a local name: a name elsewhere that resolves to 127.0.0.1 (DNS rebinding) is not;
* `Origin`, where sent, is local, and where not sent, the browser does not call the request cross-site.

Plain ASGI, of no framework: the same class stands before the API and before the playground with its
WebSocket (product section 11, `contracts.md` on `MISHU__WEB__TOKEN`).
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from ...patterns import Pattern
from ...services.access.actor import OWNER
from .errors import error_body

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY_VIOLATION = 1008
ACTOR = "mishu.actor"
"""Where in the ASGI scope the guard leaves the `Actor` of a request that may pass."""

_AUTHORITY = Pattern(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(?::(\d{1,5}))?\Z")
_ORIGIN = Pattern(r"https?://([^/?#]+)\Z", re.IGNORECASE)
_PROXY_HEADERS = frozenset({b"via", b"cdn-loop", b"cf-ray", b"x-original-host", b"x-host", b"x-original-url"})
_PROXY_WORDS = re.compile(
    rb"forwarded|proxy|(?:client|real|remote|user|source|src|originating|connecting|cluster|external)-?(?:ip|addr(?:ess)?)\b"
)
"""In the names of headers by which proxies tell of whom they speak for; no browser or program sends such."""


@dataclass(frozen=True, slots=True)
class Denial:
    """Answer to a request that is refused: status, code, and a message that may be shown."""

    status: int
    code: str
    message: str
    field: str | None = None
    """Of a 422: what of the request cannot be."""


_NO_TOKEN = Denial(401, "unauthorized", "需要令牌：请带上 Authorization: Bearer <MISHU__WEB__TOKEN>")
_WRONG_TOKEN = Denial(403, "forbidden", "令牌不对")
_NOT_LOCAL = Denial(403, "forbidden", "没有设置 MISHU__WEB__TOKEN，只回答本机的请求")
_PROXIED = Denial(403, "forbidden", "请求经过了代理：要在代理之后使用，请设置 MISHU__WEB__TOKEN")
_FOREIGN_HOST = Denial(403, "forbidden", "没有设置 MISHU__WEB__TOKEN，Host 必须是 localhost 或 127.0.0.1")
_FOREIGN_PAGE = Denial(403, "forbidden", "没有设置 MISHU__WEB__TOKEN，不回答其他网站的页面发来的请求")


class SecretHidden(logging.Filter):
    """Log filter: hides what a pattern finds in the server's log of requests."""

    def __init__(self, secret: Pattern) -> None:
        super().__init__()
        self._secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace it by …; keep every record."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                self._secret.sub("…", one) if isinstance(one, str) else one for one in record.args
            )
        return True


def is_loopback(address: str | None) -> bool:
    """True for a loopback address, IPv4, IPv6 or IPv4 in IPv6; False for anything else, and for none."""
    if address is None:
        return False
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped.is_loopback
    return parsed.is_loopback


def is_local_authority(authority: str) -> bool:
    """True if `name[:port]` names this machine: localhost, 127.x.x.x or [::1], with any port or none."""
    match = _AUTHORITY.match(authority.strip())
    if match is None:
        return False
    name = match[1].lower()
    return name == "localhost" or is_loopback(name.strip("[]"))


def is_local_origin(origin: str) -> bool:
    """True if an `Origin` header names a page of this machine; `null` and other schemes do not."""
    match = _ORIGIN.match(origin.strip())
    return match is not None and is_local_authority(match[1])


def header_values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[str]:
    """Values of a header, which may come several times."""
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]


def bearer_of(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The one bearer token of a request; None for none, or for several."""
    credentials = header_values(headers, b"authorization")
    if len(credentials) != 1:
        return None
    scheme, _, given = credentials[0].strip().partition(" ")
    return given.strip() or None if scheme.lower() == "bearer" else None


def judge_token(headers: Iterable[tuple[bytes, bytes]], token: str) -> Denial | None:
    """Denial unless the request brings the token. The comparison takes the same time wherever they
    differ."""
    given = bearer_of(headers)
    if given is None:
        return _NO_TOKEN
    if not hmac.compare_digest(given.encode("latin-1"), token.encode()):
        return _WRONG_TOKEN
    return None


def judge_local(headers: Iterable[tuple[bytes, bytes]], client: str | None) -> Denial | None:
    """Denial unless the request comes from this machine and from no page of another place."""
    listed = list(headers)
    if not is_loopback(client):
        return _NOT_LOCAL
    if any(_PROXY_WORDS.search(name.lower()) or name.lower() in _PROXY_HEADERS for name, _ in listed):
        return _PROXIED
    hosts = header_values(listed, b"host")
    if len(hosts) != 1 or not is_local_authority(hosts[0]):
        return _FOREIGN_HOST
    origins = header_values(listed, b"origin")
    if not all(is_local_origin(origin) for origin in origins):
        return _FOREIGN_PAGE
    if not origins and "cross-site" in header_values(listed, b"sec-fetch-site"):
        return _FOREIGN_PAGE
    return None


async def refuse(refusal: Denial, scope: Scope, send: Send) -> None:
    """Answer with the pinned error shape; a WebSocket is closed before it is accepted (an HTTP 403)."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": refusal.code})
        return
    body = error_body(refusal.code, refusal.message, refusal.field)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class LocalOrToken:
    """ASGI middleware: lets pass whoever may, and answers the rest itself, before anything is read."""

    def __init__(self, app: Application, *, token: SecretStr | None) -> None:
        self._app = app
        self._token = token.get_secret_value() if token is not None else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        if self._token:
            refusal = judge_token(headers, self._token)
        else:
            client: tuple[str, int] | None = scope.get("client")
            refusal = judge_local(headers, client[0] if client else None)
        if refusal is not None:
            await refuse(refusal, scope, send)
            return
        scope[ACTOR] = OWNER
        await self._app(scope, receive, send)
