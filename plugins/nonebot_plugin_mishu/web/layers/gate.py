"""The gate before the API and the console: a session's cookie, a token, or this machine.

A token is the owner's, or where members' are taken (`tokens`) a member's: that one counts from anywhere, as
a session does. What looks like a member's token and is none opens nothing, also on this machine.

A cookie is looked at first where it comes without a token: what it opens is its member's, or nothing.
A browser sends it by itself, so what writes must come from a page of ours (`Origin`), and what only reads
must not come from a page of another.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Final, Protocol

from pydantic import SecretStr

from ...services.access.actor import Actor
from ...services.access.tokens import PREFIX
from ...services.refusals import Refused
from ...storage import StorageError
from .errors import CODES
from .forwarded import Headers, Proxies, same_origin
from .guard import (
    ACTOR,
    Application,
    Denial,
    LocalOrToken,
    Receive,
    Scope,
    Send,
    bearer_of,
    judge_token,
    refuse,
)

COOKIE: Final = "mishu_session"
SESSION: Final = "mishu.session"
"""Where in the ASGI scope the gate leaves the cookie's value, for pages that stay open."""
AGAIN: Final = "mishu.again"
"""Where in the ASGI scope the gate leaves the judgement of a cookie or a member's token, to be asked anew by
what stays open."""
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OVER: Final = Denial(401, "unauthorized", "登录过期了，或者已经退出：在群里再要一次网页的链接")
_REVOKED: Final = Denial(403, "forbidden", "访问令牌不对，或者已经停用")
_FOREIGN: Final = Denial(403, "forbidden", "请求不是从自己的网页发来的")


class SessionReader(Protocol):
    """Reader of sessions (`services.access.sessions.Sessions`)."""

    async def actor(self, token: str) -> Actor | None:
        """Actor of a session; None for an invalid one. May raise `Refused` and `StorageError`."""
        ...


class TokenReader(Protocol):
    """Reader of members' access tokens (`services.access.tokens.MemberTokens`)."""

    async def actor(self, token: str) -> Actor | None:
        """Actor of a token; None for an invalid one. May raise `Refused` and `StorageError`."""
        ...


Judge = Callable[[], Awaitable[Actor | Denial]]


class ApiGate:
    """ASGI middleware: leaves the `Actor` in the scope, or answers itself."""

    def __init__(
        self,
        app: Application,
        *,
        token: SecretStr | None,
        sessions: SessionReader | None = None,
        proxies: Proxies | None = None,
        tokens: TokenReader | None = None,
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._token = token.get_secret_value() if token is not None else ""
        self._sessions = sessions
        self._proxies = proxies or Proxies()
        self._without = LocalOrToken(app, token=token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: Headers = scope["headers"]
        cookie = session_cookie(headers)
        given = bearer_of(headers)
        if self._tokens is not None and given is not None and self._is_member_token(headers, given):
            tokens = self._tokens
            await self._admit(scope, receive, send, lambda: _judge(lambda: tokens.actor(given), _REVOKED))
            return
        if self._sessions is None or cookie is None or has_token(headers):
            await self._without(scope, receive, send)
            return
        writing = scope["type"] == "websocket" or scope["method"] not in READING
        if not same_origin(headers, self._proxies.site(scope), writing=writing) or _elsewhere(headers):
            await refuse(_FOREIGN, scope, send)
            return
        sessions = self._sessions
        scope[SESSION] = cookie
        await self._admit(scope, receive, send, lambda: judge_session(sessions, cookie))

    def _is_member_token(self, headers: Headers, given: str) -> bool:
        """True for what looks like a member's token and is not the owner's."""
        if not given.startswith(PREFIX):
            return False
        return not self._token or judge_token(headers, self._token) is not None

    async def _admit(self, scope: Scope, receive: Receive, send: Send, judge: Judge) -> None:
        found = await judge()
        if isinstance(found, Denial):
            await refuse(found, scope, send)
            return
        scope[ACTOR] = found
        scope[AGAIN] = judge
        await self._app(scope, receive, send)


async def judge_session(sessions: SessionReader, cookie: str) -> Actor | Denial:
    """Actor of a session, or the refusal."""
    return await _judge(lambda: sessions.actor(cookie), _OVER)


async def judge_again(scope: Scope) -> Actor | Denial | None:
    """Actor of a request as of now; None where nothing but the owner's token or this machine let it in."""
    judge: Judge | None = scope.get(AGAIN)
    return None if judge is None else await judge()


async def _judge(read: Callable[[], Awaitable[Actor | None]], nobody: Denial) -> Actor | Denial:
    try:
        return await read() or nobody
    except Refused as why:
        return Denial(why.status, CODES[why.status], why.message)
    except StorageError as error:
        return Denial(503, CODES[503], str(error))


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
