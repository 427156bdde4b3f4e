"""The gate before the API and the console: a session's cookie, the owner's token, or this machine.

A cookie is looked at first where it comes without a token: what it opens is its member's, or nothing.
A browser sends it by itself, so what writes must come from a page of ours (`Origin`), and what only reads
must not come from a page of another.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Final, Protocol

from pydantic import SecretStr

from ...services.access.actor import Actor
from ...services.refusals import Refused
from ...storage import StorageError
from .errors import CODES
from .forwarded import Headers, Proxies, same_origin
from .guard import ACTOR, Application, LocalOrToken, Receive, Refusal, Scope, Send, refuse

COOKIE: Final = "mishu_session"
SESSION: Final = "mishu.session"
"""Where in the ASGI scope the gate leaves the cookie's value, for pages that stay open."""
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OVER: Final = Refusal(401, "unauthorized", "登录过期了，或者已经退出：在群里再要一次网页的链接")
_FOREIGN: Final = Refusal(403, "forbidden", "请求不是从自己的网页发来的")


class SessionReader(Protocol):
    """Reader of sessions (`services.access.sessions.Sessions`)."""

    async def actor(self, token: str) -> Actor | None:
        """Actor of a session; None for an invalid one. May raise `Refused` and `StorageError`."""
        ...


class ApiGate:
    """ASGI middleware: leaves the `Actor` in the scope, or answers itself."""

    def __init__(
        self,
        app: Application,
        *,
        token: SecretStr | None,
        sessions: SessionReader | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        self._app = app
        self._sessions = sessions
        self._proxies = proxies or Proxies()
        self._without = LocalOrToken(app, token=token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: Headers = scope["headers"]
        cookie = session_cookie(headers)
        if self._sessions is None or cookie is None or has_token(headers):
            await self._without(scope, receive, send)
            return
        writing = scope["type"] == "websocket" or scope["method"] not in READING
        if not same_origin(headers, self._proxies.site(scope), writing=writing) or _elsewhere(headers):
            await refuse(_FOREIGN, scope, send)
            return
        found = await judge_session(self._sessions, cookie)
        if isinstance(found, Refusal):
            await refuse(found, scope, send)
            return
        admit(scope, found, cookie)
        await self._app(scope, receive, send)


async def judge_session(sessions: SessionReader, cookie: str) -> Actor | Refusal:
    """Actor of a session, or the refusal."""
    try:
        return await sessions.actor(cookie) or _OVER
    except Refused as why:
        return Refusal(why.status, CODES[why.status], why.message)
    except StorageError as error:
        return Refusal(503, CODES[503], str(error))


def admit(scope: MutableMapping[str, object], actor: Actor, cookie: str) -> None:
    """Put the actor into the scope."""
    scope[ACTOR] = actor
    scope[SESSION] = cookie


def session_cookie(headers: Headers) -> str | None:
    """The cookie of a session; None where the request brings none. Another's odd cookie hides nothing."""
    for name, value in headers:
        if name.lower() != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            key, _, given = part.partition("=")
            if key.strip() == COOKIE:
                return given.strip().strip('"')
    return None


def has_token(headers: Headers) -> bool:
    """True if the request brings a token of its own."""
    return any(name.lower() == b"authorization" for name, _ in headers)


def _elsewhere(headers: Headers) -> bool:
    """True if the browser reports that another site's page asks, other than by a link."""
    told = {name.lower(): value for name, value in headers}
    site = told.get(b"sec-fetch-site", b"none")
    return site not in (b"same-origin", b"none") and told.get(b"sec-fetch-mode") != b"navigate"
