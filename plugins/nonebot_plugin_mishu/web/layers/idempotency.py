"""`Idempotency-Key`: a write that is repeated with the same key is done once, and answered the same again.

An ASGI middleware behind the guard and the body limit. A successful answer is kept for a day; a refusal is
not, so that the same key can go with the yes to a question. The same key with another request is 422. The
rows that a write makes carry the key in their origin, so a repetition after a crash between writing and
keeping the answer makes nothing twice either.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final
from uuid import uuid4

from ...services.access.actor import Actor
from ...storage import StorageError
from ...storage.access.idempotent_answers import Answers, StoredAnswer
from .guard import ACTOR, Application, Denial, Message, Receive, Scope, Send, refuse
from .request_body import read_body, replay_body

HEADER: Final = b"idempotency-key"
ORIGIN: Final = "mishu.origin"
"""Key of the ASGI scope that holds the origin of a write."""
REPLAYED: Final = (b"idempotency-replayed", b"true")
LONGEST: Final = 255
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_BAD_KEY: Final = Denial(
    422, "invalid", f"Idempotency-Key：应是 1–{LONGEST} 个可见的 ASCII 字符", "Idempotency-Key"
)
_OTHER: Final = Denial(422, "invalid", "Idempotency-Key：这个键已经用在另一个请求上了", "Idempotency-Key")


class Idempotency:
    """The middleware. `answers` is None where nothing can be kept: then keys only name the work."""

    def __init__(self, app: Application, *, answers: Answers | None, wall: Callable[[], float]) -> None:
        self._app = app
        self._answers = answers
        self._wall = wall
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}
        self._users: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in _WRITES:
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        keys = [value.decode("latin-1").strip() for name, value in headers if name.lower() == HEADER]
        if not keys:
            scope[ORIGIN] = f"http:{uuid4().hex}"
            await self._app(scope, receive, send)
            return
        key = keys[0]
        if len(keys) > 1 or not 0 < len(key) <= LONGEST or not (key.isascii() and key.isprintable()):
            await refuse(_BAD_KEY, scope, send)
            return
        whose = _whose(scope)
        name = hashlib.sha256(f"{whose} {key}".encode()).hexdigest()
        scope[ORIGIN] = f"http:{name[:32]}"
        if self._answers is None:
            await self._app(scope, receive, send)
            return
        async with self._take_lock((whose, key)):
            await self._answer_once(self._answers, whose, key, scope, receive, send)

    async def _answer_once(
        self, answers: Answers, whose: str, key: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        body = await read_body(receive) or b""  # the limit before us has bounded it
        path = f"{scope['method']} {scope['path']}?{bytes(scope.get('query_string', b'')).decode('latin-1')}"
        print_ = hashlib.sha256(path.encode() + b"\n" + body).hexdigest()
        try:
            known = await answers.find(whose, key)
        except StorageError as error:
            await refuse(Denial(503, "unavailable", str(error)), scope, send)
            return
        if known is not None:
            if known.fingerprint != print_:
                await refuse(_OTHER, scope, send)
                return
            await _replay(known, send)
            return
        heard = _Heard(send)
        await self._app(scope, replay_body(body, receive), heard)
        if heard.status is not None and 200 <= heard.status < 300:
            answer = StoredAnswer(print_, heard.status, heard.body.decode("utf-8", "replace"))
            # Where it cannot be kept the write is on disk all the same, named by the key.
            with suppress(StorageError):
                await answers.keep(whose, key, answer, self._wall())
        await heard.finish()

    @asynccontextmanager
    async def _take_lock(self, name: tuple[str, str]) -> AsyncGenerator[None]:
        lock = self._locks.setdefault(name, asyncio.Lock())
        self._users[name] += 1
        try:
            async with lock:
                yield
        finally:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name]
                self._locks.pop(name, None)


class _Heard:
    """Hears an answer before it goes out, and lets it go out once it is kept."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: list[Message] = []
        self.status: int | None = None
        self.body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
        self._messages.append(message)

    async def finish(self) -> None:
        """Send what was heard."""
        for message in self._messages:
            await self._send(message)


def _whose(scope: Scope) -> str:
    actor = scope.get(ACTOR)
    if not isinstance(actor, Actor):
        return ""
    return f"{actor.role}:{actor.group_id or ''}:{actor.user_id or ''}"


async def _replay(known: StoredAnswer, send: Send) -> None:
    body = known.body.encode()
    headers = [REPLAYED, (b"content-length", str(len(body)).encode())]
    if body:
        headers.append((b"content-type", b"application/json"))
    if known.status == 204:
        headers = [REPLAYED]
    await send({"type": "http.response.start", "status": known.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
