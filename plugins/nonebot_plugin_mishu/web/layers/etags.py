"""`ETag` of answers, and 304 for clients that have them. Of no framework.

The tag is of the answer's bytes, so nothing has to be stored and it is right whatever changed. It saves
sending and drawing, not asking the database."""

from __future__ import annotations

import hashlib

from .guard import Application, Message, Receive, Scope, Send

_NONE_MATCH = b"if-none-match"
_KEPT = frozenset({b"etag", b"cache-control", b"vary", b"x-next-cursor", b"x-content-type-options"})
"""Headers of the whole answer that stand in a 304 too."""


def tag_of(*parts: bytes) -> bytes:
    """The tag of an answer."""
    return b'"' + hashlib.sha256(b"\n".join(parts)).hexdigest()[:32].encode() + b'"'


def has_it(scope: Scope, tag: bytes) -> bool:
    """True if the client has the answer with this tag."""
    given = b",".join(value for name, value in scope["headers"] if name.lower() == _NONE_MATCH)
    known = {each.strip().removeprefix(b"W/") for each in given.split(b",")}
    return tag in known or given.strip() == b"*"


class ETags:
    """ASGI middleware: tags every JSON answer to a GET; what streams goes through as it is."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Tagging(scope, send))


class _Tagging:
    """Holds an answer back until its bytes are known."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Message | None = None
        self._body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._is_tagged(message):
            self._start = message
            return
        if self._start is None or message["type"] != "http.response.body":
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body", False):
            await self._finish(self._start)

    @staticmethod
    def _is_tagged(message: Message) -> bool:
        told: dict[bytes, bytes] = {name.lower(): value for name, value in message["headers"]}
        json = told.get(b"content-type", b"").startswith(b"application/json")
        return message["status"] == 200 and json and b"etag" not in told

    async def _finish(self, start: Message) -> None:
        headers: list[tuple[bytes, bytes]] = list(start["headers"])
        cursor = next((value for name, value in headers if name.lower() == b"x-next-cursor"), b"")
        tag = tag_of(bytes(self._body), cursor)
        headers.append((b"etag", tag))
        if not any(name.lower() == b"cache-control" for name, _ in headers):
            # Nobody between may keep what is somebody's; who asked may, and asks each time whether it holds.
            headers.append((b"cache-control", b"private, no-cache"))
        body = bytes(self._body)
        if has_it(self._scope, tag):
            headers = [each for each in headers if each[0].lower() in _KEPT]
            start, body = {**start, "status": 304}, b""
        await self._send({**start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})
