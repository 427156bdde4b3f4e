"""The way into the playground: the API's guard, and a page that asks for the token where one is set.

A browser cannot send `Authorization` by itself, and a token in an address would stand in logs and
histories. So with `MISHU__WEB__TOKEN` a page without it shows a form; the right token gets a cookie that
holds a keyed digest, not the token, for this path alone. The cookie counts only for requests from the
playground's own pages: other pages of the same machine share its site.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from nonebot_plugin_mishu.web.forwarded import Proxies, Site

from .look import login_page

Scope = MutableMapping[str, Any]
Receive = Callable[[], Any]
Send = Callable[[MutableMapping[str, Any]], Any]
Application = Callable[[Scope, Receive, Send], Any]

COOKIE = "mishu_playground"
MAX_FORM = 4096
FORM_TIMEOUT = 10.0


class Entrance:
    """ASGI middleware before the guard: turns a valid cookie into the token the guard asks for."""

    def __init__(self, guarded: Application, *, token: str | None, proxies: Proxies | None = None) -> None:
        self._guarded = guarded
        self._proxies = proxies or Proxies()
        self._token = token or ""
        key = self._token.encode()
        self._pass = hmac.new(key, b"mishu playground", hashlib.sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._token or scope["type"] not in ("http", "websocket"):
            await self._guarded(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        root = str(scope.get("root_path", ""))
        path = str(scope["path"]).removeprefix(root)
        if scope["type"] == "http" and scope["method"] == "POST" and path == "/login":
            await self._log_in(root, self._proxies.site(scope), receive, send)
        elif any(name == b"authorization" for name, _ in headers):
            await self._guarded(scope, receive, send)
        elif self._has_pass(headers) and _from_own_page(headers):
            headers.append((b"authorization", b"Bearer " + self._token.encode()))
            await self._guarded({**scope, "headers": headers}, receive, send)
        elif scope["type"] == "http" and scope["method"] == "GET" and _wants_page(headers):
            await _show(send, 401, login_page(_way_to_login(root, path)))
        else:
            await self._guarded(scope, receive, send)

    def _has_pass(self, headers: list[tuple[bytes, bytes]]) -> bool:
        for name, value in headers:
            if name == b"cookie":
                try:
                    morsel = SimpleCookie(value.decode("latin-1")).get(COOKIE)
                except CookieError:
                    continue
                if morsel is not None and hmac.compare_digest(morsel.value.encode(), self._pass.encode()):
                    return True
        return False

    async def _log_in(self, root: str, site: Site, receive: Receive, send: Send) -> None:
        form = await _read_form(receive)
        given = parse_qs(form).get("token", [""])[0].strip()
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            page = login_page("login", "令牌不对，请再试一次")
            await _show(send, 403, page)
            return
        below = f"{site.prefix}{root}" or "/"
        secure = "; Secure" if site.secure else ""
        cookie = f"{COOKIE}={self._pass}; Path={below}; HttpOnly; SameSite=Strict{secure}"
        headers = [(b"location", b"./"), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _values(headers: list[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key == name]


def _wants_page(headers: list[tuple[bytes, bytes]]) -> bool:
    return any("text/html" in value for value in _values(headers, b"accept"))


def _from_own_page(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a request that brings our cookie comes from our own page, or from no page."""
    hosts = _values(headers, b"host")
    for origin in _values(headers, b"origin"):
        if urlsplit(origin).netloc.lower() not in {host.lower() for host in hosts}:
            return False
    return all(site in ("same-origin", "none") for site in _values(headers, b"sec-fetch-site"))


def _way_to_login(root: str, path: str) -> str:
    """The address of `/login` as seen from a page: relative, so that it holds below a proxy's path too."""
    return "../" * (path.count("/") - 1) + "login" if path else f"{root.rpartition('/')[2]}/login"


async def _read_form(receive: Receive) -> str:
    """A short form's body; empty if it is long or does not come."""
    body = bytearray()
    try:
        async with asyncio.timeout(FORM_TIMEOUT):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if message["type"] != "http.request" or len(body) > MAX_FORM:
                    return ""
                if not message.get("more_body", False):
                    return body.decode("utf-8", "replace")
    except TimeoutError:
        return ""


async def _show(send: Send, status: int, page: str) -> None:
    body = page.encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-frame-options", b"DENY"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
