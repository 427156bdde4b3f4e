"""OneBot over WebSockets alone: nothing that anybody posts is an event.

NoneBot's adapter also takes events by POST, at three paths, and there it never asks for ONEBOT_ACCESS_TOKEN:
whoever reached the port could speak as the owner, and an account named in such a POST counted as connected,
so that the real one was refused. This bot's accounts connect by WebSocket, so the paths do not exist.
"""

from __future__ import annotations

import hmac

from nonebot.adapters.onebot.utils import get_auth_bearer
from nonebot.adapters.onebot.v11.utils import log
from nonebot.drivers import HTTPServerSetup, Request, Response

from .pace import PacedAdapter


class SocketAdapter(PacedAdapter):
    """OneBot v11 whose accounts connect by WebSocket, with the token where one is set."""

    takes_posts = False
    """Read by the plugin, which warns of unsigned POSTs where there are any (`adapter.onebot_v11.posts`)."""

    def setup_http_server(self, setup: HTTPServerSetup) -> None:
        """Mount nothing: an event that is posted is not to be had by any path."""

    def _check_access_token(self, request: Request) -> Response | None:
        """As the adapter does it, in the same time wherever the tokens differ."""
        token = self.onebot_config.onebot_access_token
        if not token:
            return None
        given = get_auth_bearer(request.headers.get("authorization")) or ""
        if hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("utf-8", "replace")):
            return None
        said = "Authorization Header is invalid" if given else "Missing Authorization Header"
        log("WARNING", said)
        return Response(403, content=said)
