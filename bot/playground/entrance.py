"""The way into the playground: the owner's session, the owner's token, or without one this machine.

A browser cannot send `Authorization` by itself, and a token in an address would stand in logs and histories.
So with `MISHU__WEB__TOKEN` a page without it shows a form; the right token opens the same session as in the
console, by the same login (`web.layers.login`): one limit of guesses, one `Origin` check, one cookie.
"""

from __future__ import annotations

from collections.abc import Callable

from nonebot_plugin_mishu.services.access.actor import Actor, sees_bot
from nonebot_plugin_mishu.services.access.sessions import Sessions
from nonebot_plugin_mishu.services.refusals import Refused
from nonebot_plugin_mishu.storage import StorageError
from nonebot_plugin_mishu.web.layers.forwarded import Headers, Proxies
from nonebot_plugin_mishu.web.layers.gate import ApiGate, has_token, judge_session, session_cookie
from nonebot_plugin_mishu.web.layers.guard import ACTOR, Application, Denial, Receive, Scope, Send, refuse
from nonebot_plugin_mishu.web.layers.login import Login, forget, keep
from pydantic import SecretStr
from starlette.responses import HTMLResponse, RedirectResponse, Response

from .look import login_page

_SAFE = {"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"}


class Entrance:
    """ASGI middleware before the page. `sessions` gives who knows the cookies, None while nobody does."""

    def __init__(
        self,
        page: Application,
        *,
        token: SecretStr | None,
        sessions: Callable[[], Sessions | None] = lambda: None,
        proxies: Proxies | None = None,
    ) -> None:
        self._page = page
        self._proxies = proxies or Proxies()
        self._asks = token is not None
        self._sessions = sessions
        self._login = Login(sessions, self._proxies, token=self._asks)
        self._gate = ApiGate(
            self._owners, token=token, sessions=self if self._asks else None, proxies=self._proxies
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._asks or scope["type"] != "http":
            await self._gate(scope, receive, send)
            return
        headers: Headers = scope["headers"]
        root = str(scope.get("root_path", ""))
        path = str(scope["path"]).removeprefix(root)
        if scope["method"] == "POST" and path == "/login":
            await (await self._log_in(scope, receive))(scope, receive, send)
        elif scope["method"] == "GET" and not has_token(headers) and _wants_page(headers):
            shown = await self._instead(scope, _way_to_login(root, path))
            if shown is None:
                await self._gate(scope, receive, send)
            else:
                await shown(scope, receive, send)
        else:
            await self._gate(scope, receive, send)

    async def actor(self, token: str) -> Actor | None:
        """Whose a session is (`web.layers.gate.SessionReader`)."""
        sessions = self._sessions()
        if sessions is None:
            raise Refused(503, "秘书还没有启动好，请稍后再试")
        return await sessions.actor(token)

    async def _owners(self, scope: Scope, receive: Receive, send: Send) -> None:
        actor = scope.get(ACTOR)
        if scope["type"] in ("http", "websocket") and not (isinstance(actor, Actor) and sees_bot(actor)):
            await refuse(Denial(403, "forbidden", "这一页只给机器人的主人"), scope, send)
            return
        await self._page(scope, receive, send)

    async def _instead(self, scope: Scope, action: str) -> Response | None:
        """The form, where a page is asked for without the owner's session; None where there is one."""
        cookie = session_cookie(scope["headers"])
        if cookie is None:
            return HTMLResponse(login_page(action), 401, _SAFE)
        found = await judge_session(self, cookie)
        if isinstance(found, Actor):
            if sees_bot(found):
                return None
            return HTMLResponse(login_page(action, "这一页只给机器人的主人"), 403, _SAFE)
        response = HTMLResponse(login_page(action, found.message), found.status, _SAFE)
        if found.status == 401:
            forget(response, self._proxies.site(scope))
        return response

    async def _log_in(self, scope: Scope, receive: Receive) -> Response:
        site = self._proxies.site(scope)
        try:
            opened = await self._login.attempt(scope, receive, site)
        except (Refused, StorageError) as why:
            status = why.status if isinstance(why, Refused) else 503
            return HTMLResponse(login_page("login", str(why)), status, _SAFE)
        response = RedirectResponse("./", status_code=303, headers={"Cache-Control": "no-store"})
        keep(response, opened, site)
        return response


def _wants_page(headers: Headers) -> bool:
    return any(b"text/html" in value for name, value in headers if name.lower() == b"accept")


def _way_to_login(root: str, path: str) -> str:
    """The address of `/login` as seen from a page: relative, so that it holds below a proxy's path too."""
    return "../" * (path.count("/") - 1) + "login" if path else f"{root.rpartition('/')[2]}/login"
