"""`/console` as an ASGI application: the door, the owner's login, and behind them the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ....patterns import Pattern
from ....services.access.actor import OWNER, Actor, sees_bot
from ....services.access.sessions import Opened, Sessions
from ....services.refusals import Refused
from ....storage import StorageError
from ...layers.errors import CODES
from ...layers.forwarded import Headers, Proxies, Site, same_origin
from ...layers.gate import ApiGate, admit, has_token, judge_session, session_cookie
from ...layers.guard import (
    ACTOR,
    Application,
    Denial,
    Message,
    Receive,
    Scope,
    SecretHidden,
    Send,
    judge_local,
    judge_token,
    refuse,
)
from ...layers.login import NOT_OURS, Login, forget, keep
from .host import Host, rewrite_scope, split_mount
from .login_page import OVER, OVER_QUERY, door, onwards

PATH: Final = "/console"
INNER: Final = "/_console"
"""Below which path the pages stand inside NiceGUI."""
ENTRIES: Final = {
    "": ("今天", "wb_sunny"),
    "calendar": ("日历", "calendar_month"),
    "tasks": ("任务", "task_alt"),
    "ledger": ("账本", "account_balance_wallet"),
    "polls": ("统计", "how_to_vote"),
    "settings": ("设置", "settings"),
    "decisions": ("决定", "psychology"),
    "memory": ("记忆", "bookmarks"),
    "record": ("记录", "forum"),
    "usage": ("用量", "bar_chart"),
    "bot": ("机器人", "smart_toy"),
    "playground": ("试用台", "science"),
}
"""Title and icon of each page, in the order of the navigation."""
PAGES: Final = tuple(name for name in ENTRIES if name != "playground")
ROOMS: Final[dict[str, Application]] = {}
"""Extra pages for the bot's owner alone, by the name below `/console`: filled before the server starts, with
the playground of the standalone bot."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
)
SAFE: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)


CODES_HIDDEN: Final = SecretHidden(Pattern(r"(?<=/console/enter\?)\S*"))
"""Log filter of one-time codes."""


class ConsoleSite:
    """Everything below `/console`."""

    def __init__(
        self,
        sessions: Sessions,
        host: Host,
        *,
        token: SecretStr | None,
        proxies: Proxies,
        data_dir: Path | None,
        command: str = "/秘书",
    ) -> None:
        self._sessions = sessions
        self._host = host
        self._token = token.get_secret_value() if token is not None else ""
        self._proxies = proxies
        self._data_dir = data_dir
        self._command = command
        self._login = Login(lambda: sessions, proxies, token=bool(self._token))
        self._rooms = ApiGate(self._room, token=token, sessions=sessions, proxies=proxies)
        self._gate = ApiGate(self._inside, token=token, sessions=sessions, proxies=proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        root, path = split_mount(scope, PATH)
        site = self._proxies.site(scope)
        scope = {**scope, "root_path": root}
        if path.startswith("/_nicegui"):
            await self._gate({**scope, "path": root + path}, receive, send)
            return
        if scope["type"] == "websocket":
            if path.strip("/").partition("/")[0] in ROOMS:
                await self._rooms({**scope, "path": root + path}, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        actions: dict[tuple[str, str], Callable[[Request, Site], Awaitable[Response]]] = {
            ("GET", "/enter"): self._enter,
            ("POST", "/login"): self._log_in,
            ("POST", "/leave"): self._leave,
        }
        action = actions.get((scope["method"], path))
        name = path.strip("/")
        room, _, behind = name.partition("/")
        if room in ROOMS and behind:
            await self._rooms({**scope, "path": root + path}, receive, send)
            return
        if action is not None:
            try:
                response = await action(Request(scope, receive), site)
            except (Refused, StorageError) as why:
                status = why.status if isinstance(why, Refused) else 503
                asked = Request(scope).query_params.get("to", "")
                response = self._shown(site, status, str(why), name=asked if asked in PAGES else "")
            await response(scope, receive, with_headers(send, SAFE))
        elif (
            (name in PAGES or name in ROOMS)
            and path == (f"/{name}" if name else path)
            and scope["method"] in ("GET", "HEAD")
        ):
            await self._page(name, site, scope, receive, with_headers(send, SAFE))
        else:
            response = self._shown(site, 404, "没有这一页")
            await response(scope, receive, with_headers(send, SAFE))

    async def _page(self, name: str, site: Site, scope: Scope, receive: Receive, send: Send) -> None:
        headers: Headers = scope["headers"]
        cookie = session_cookie(headers)
        over = OVER_QUERY in bytes(scope.get("query_string", b"")).decode("latin-1").split("&")
        response: Response
        if cookie is not None and not has_token(headers):
            found = await judge_session(self._sessions, cookie)
            if isinstance(found, Denial) and found.status == 401:
                own = self._refusal(scope) is None
                response = self._shown(site, 401, OVER, name=name, own=own)
                forget(response, site)
            elif isinstance(found, Denial):
                response = self._shown(site, found.status, found.message)
            else:
                admit(scope, found, cookie)
                await self._draw(name, scope, receive, send)
                return
        elif _led_from_elsewhere(headers):
            query = bytes(scope.get("query_string", b"")).decode("latin-1")
            response = HTMLResponse(onwards(f"{_own(site, name)}{f'?{query}' if query else ''}"))
        elif self._refusal(scope) is None:
            if over and not has_token(headers):
                response = self._shown(site, 401, OVER, name=name, own=True)
                await response(scope, receive, send)
                return
            scope[ACTOR] = OWNER
            await self._draw(name, scope, receive, send)
            return
        else:
            response = self._shown(site, 401, OVER if over else "", name=name)
        await response(scope, receive, send)

    def _refusal(self, scope: Scope) -> Denial | None:
        if self._token:
            return judge_token(scope["headers"], self._token)
        client: tuple[str, int] | None = scope.get("client")
        return judge_local(scope["headers"], client[0] if client else None)

    async def _room(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = str(scope["root_path"])
        name, _, behind = str(scope["path"]).removeprefix(root).strip("/").partition("/")
        actor: Actor = scope[ACTOR]
        if not sees_bot(actor):
            await refuse(Denial(403, CODES[403], "这一页只给机器人的主人"), scope, send)
            return
        root = f"{root}/{name}"
        inner = {
            **scope,
            "root_path": root,
            "path": f"{root}/{behind}",
            "raw_path": f"{root}/{behind}".encode(),
        }
        await ROOMS[name](inner, receive, send)

    async def _draw(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        if name in ROOMS:
            await self._room({**scope, "path": f"{scope['root_path']}/{name}/"}, receive, send)
            return
        page = f"{INNER}/{name}" if name else INNER
        await self._inside({**scope, "path": str(scope["root_path"]) + page}, receive, send)

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = str(scope["root_path"])
        path = str(scope["path"]).removeprefix(root)
        application = await self._host.application(self._data_dir)
        await application(rewrite_scope(self._proxies.believed(scope), root, path), receive, send)

    async def _enter(self, request: Request, site: Site) -> Response:
        opened = await self._sessions.enter(
            request.query_params.get("code", ""), self._proxies.client(request.scope)
        )
        return _opened(opened, site)

    async def _log_in(self, request: Request, site: Site) -> Response:
        wanted = request.query_params.get("to", "")
        opened = await self._login.attempt(request.scope, request.receive, site)
        return _opened(opened, site, wanted if wanted in PAGES else "")

    async def _leave(self, request: Request, site: Site) -> Response:
        cookie = session_cookie(request.scope["headers"])
        if not same_origin(request.scope["headers"], site, writing=True):
            raise Refused(403, NOT_OURS)
        if cookie is not None:
            await self._sessions.leave(cookie)
        response = RedirectResponse(_own(site, ""), status_code=303)
        forget(response, site)
        return response

    def _shown(
        self, site: Site, status: int, trouble: str = "", *, name: str = "", own: bool = False
    ) -> Response:
        """The door. `name`: the page that was asked for, to which a login leads; `own`: whoever asks needs no
        session."""
        action = f"{_own(site, '')}/login{f'?to={name}' if name else ''}" if self._token else None
        page = door(action, trouble, own=_own(site, name) if own else "", command=self._command)
        return HTMLResponse(page, status_code=status)


def with_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    """Add headers to the answers, replacing others of their names."""
    names = {name for name, _ in headers}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [each for each in message.get("headers", []) if each[0].lower() not in names]
            message = {**message, "headers": [*kept, *headers]}
        await send(message)

    return sending


def _own(site: Site, name: str) -> str:
    return f"{site.prefix}{PATH}{f'/{name}' if name else ''}"


def _opened(opened: Opened, site: Site, name: str = "") -> Response:
    response = RedirectResponse(_own(site, name), status_code=303)
    keep(response, opened, site)
    return response


def _led_from_elsewhere(headers: Headers) -> bool:
    """True if a link of another site led here: a browser then withholds our cookie until our own page
    leads on."""
    told = {name.lower(): value for name, value in headers}
    return told.get(b"sec-fetch-site") == b"cross-site" and told.get(b"sec-fetch-mode") == b"navigate"
