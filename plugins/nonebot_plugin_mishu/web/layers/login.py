"""The owner's login: one way in for the console and the playground, whichever page the form stands on.

Both have the same limit of guesses (`services.access.sessions`), ask for the same `Origin` and set the same
cookie: whoever was refused at one door is not to try the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs

from starlette.responses import Response

from ...services.access.sessions import Opened, Sessions
from ...services.refusals import Refused
from .forwarded import Proxies, Site, same_origin
from .gate import COOKIE
from .guard import Receive, Scope
from .request_body import read_body

MOST_FORM: Final = 4096
FORM_TIMEOUT: Final = 10.0
NOT_OURS: Final = "请求不是从自己的网页发来的"


class Login:
    """Opens an owner's session for who sends the token in a form. `sessions`: None while there are none."""

    def __init__(self, sessions: Callable[[], Sessions | None], proxies: Proxies, *, token: bool) -> None:
        self._sessions = sessions
        self._proxies = proxies
        self._token = token

    async def attempt(self, scope: Scope, receive: Receive, site: Site) -> Opened:
        """Open a session with the form's token. Raises `Refused` (403, 429, 503) and `StorageError`."""
        if not same_origin(scope["headers"], site, writing=True):
            raise Refused(403, NOT_OURS)
        if not self._token:
            raise Refused(403, "没有设置 MISHU__WEB__TOKEN，只有本机打得开主人的网页")
        given = parse_qs(await _read_form(receive)).get("token", [""])[0].strip()
        sessions = self._sessions()
        if sessions is None:
            raise Refused(503, "秘书还没有启动好，请稍后再试")
        return await sessions.log_in(given, self._proxies.client(scope))


def keep(response: Response, opened: Opened, site: Site) -> None:
    """Give the browser the session."""
    response.set_cookie(
        COOKIE,
        opened.token,
        max_age=int(opened.lasts),
        path=f"{site.prefix}/",
        httponly=True,
        samesite="strict",
        secure=site.secure,
    )
    response.headers["Referrer-Policy"] = "no-referrer"


def forget(response: Response, site: Site) -> None:
    """Take the session from the browser."""
    response.delete_cookie(COOKIE, f"{site.prefix}/", httponly=True, samesite="strict", secure=site.secure)


async def _read_form(receive: Receive) -> str:
    """A short form's body; empty if it is long or does not come."""
    try:
        async with asyncio.timeout(FORM_TIMEOUT):
            body = await read_body(receive, MOST_FORM)
    except TimeoutError:
        return ""
    return (body or b"").decode("utf-8", "replace")
