"""A scripted model server on a real socket, for tests that need an OpenAI-compatible endpoint.

It speaks `POST …/chat/completions` over plain HTTP/1.1, knows every call of `contracts.md` by its
`X-Mishu-Call` header, and breaks in the ways real endpoints break. It runs inside the test's event loop:

    async def test_something(model_server):
        model_server.answer("chat_reply", "你好", hang())      # first request, then the second one
        model_server.always("check_intent", {"intent": "deny"})  # from then on, for this name
        … point MISHU__LLM__BASE_URL at model_server.url …
        assert model_server.names == ["chat_reply", "check_intent"]
        assert model_server.last("check_intent").data["text"] == "不用了"

What can be an answer (`Answer`):

* a `str`: the assistant's text;
* a mapping or a list: structured data. It is sent the way the request asked for it: as content where the
  request has a `response_format` or nothing, as the arguments of the forced tool where it has one;
* `tool_calls(("create_task", {...}), …)`: calls of tools;
* one of the faults below (`hang()`, `dribble()`, `rate_limited(30)`, …), or any `Reply`;
* a function of the `Request` that gives one of these (it may be `async`, so that a test can hold an answer
  back until an event is set).

An unscripted call gets `DEFAULTS[name]`, and 好的 where the name is unknown. `FAULTS` maps the fault names
of the documents to factories, for parametrised tests. `server.refuses` makes it refuse what a vendor does not
know (`JSON_OBJECT_ONLY`, `NOTHING_BUT_TEXT`). Everything received is in `server.requests`;
`request.closed` is set once the client has hung up before its answer was complete.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import socket
import struct
from collections import defaultdict, deque
from collections.abc import AsyncIterator

from model_answers import (
    DEFAULTS,
    FAULTS,
    JSON_OBJECT_ONLY,
    NOTHING_BUT_TEXT,
    PROVIDER_TEXTS,
    USAGE,
    Answer,
    Calls,
    Completion,
    Reply,
    Request,
    Rung,
    Script,
    as_json,
    blank,
    choices_null,
    default_for,
    dribble,
    error_body,
    failure,
    fenced,
    hang,
    html,
    never_ends,
    no_choices,
    null,
    on_wire,
    rate_limited,
    reset,
    server_error,
    slow,
    tool_calls,
    truncated,
    wrong_enum,
)

__all__ = [
    "DEFAULTS",
    "FAULTS",
    "JSON_OBJECT_ONLY",
    "NOTHING_BUT_TEXT",
    "PROVIDER_TEXTS",
    "USAGE",
    "Answer",
    "Calls",
    "Completion",
    "ModelServer",
    "Reply",
    "Request",
    "Rung",
    "Script",
    "as_json",
    "blank",
    "choices_null",
    "default_for",
    "dribble",
    "error_body",
    "failure",
    "fenced",
    "hang",
    "html",
    "never_ends",
    "no_choices",
    "null",
    "rate_limited",
    "reset",
    "serve",
    "server_error",
    "slow",
    "tool_calls",
    "truncated",
    "wrong_enum",
]

# -- the server -------------------------------------------------------------------------------------------


class ModelServer:
    """The server. Use it as a context manager, or the `model_server` fixture."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.looked: list[Request] = []
        """Requests for the list of models (`GET …/models`), which are no calls."""
        self.models: object = {"object": "list", "data": []}
        """Answer to those."""
        self.refuses: frozenset[Rung] = frozenset()
        """Rungs refused with 400."""
        self.connections = 0
        self._once: defaultdict[str, deque[Script]] = defaultdict(deque)
        self._always: dict[str, Script] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # -- scripting

    def answer(self, name: str, *answers: Script) -> ModelServer:
        """Queue answers to the next requests of this name; `"*"` is any name without a queue of its own."""
        self._once[name].extend(answers)
        return self

    def always(self, name: str, answer: Script) -> ModelServer:
        """Answer every request of this name so, once its queue is empty; `"*"` is any name."""
        self._always[name] = answer
        return self

    def reset(self) -> ModelServer:
        """Forget scripts, refusals and requests."""
        self.requests.clear()
        self._once.clear()
        self._always.clear()
        self.refuses = frozenset()
        return self

    # -- looking

    @property
    def names(self) -> list[str]:
        """Call names in order of receipt."""
        return [request.name for request in self.requests]

    def of(self, name: str) -> list[Request]:
        """Requests of one name, in order of receipt."""
        return [request for request in self.requests if request.name == name]

    def last(self, name: str | None = None) -> Request:
        """The newest request (of a name)."""
        return (self.of(name) if name else self.requests)[-1]

    async def wait_for(self, name: str, count: int = 1, within: float = 5.0) -> Request:
        """Wait until `count` requests of this name have come; the newest of them. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while len(self.of(name)) < count:  # noqa: ASYNC110 (requests come from a socket)
                await asyncio.sleep(0.005)
        return self.of(name)[count - 1]

    # -- life

    @property
    def port(self) -> int:
        assert self._server is not None
        return self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        """Value of `MISHU__LLM__BASE_URL`."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> ModelServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._server = None

    # -- wire

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        number = self.connections
        try:
            while (request := await _receive(reader, number)) is not None:
                if request.path.endswith("/models"):
                    self.looked.append(request)
                else:
                    self.requests.append(request)
                if not await self._respond(request, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client, or the end of the test
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _respond(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; False where the connection is done. Hanging up cancels the answer."""
        work = asyncio.ensure_future(self._answer(request, writer))
        gone = asyncio.ensure_future(_gone(reader))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            request.closed.set()
            return False
        finally:
            work.cancel()
            gone.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        script = self._script(request)
        answer = script(request) if callable(script) else script
        reply = on_wire(request, await answer if inspect.isawaitable(answer) else answer)
        if reply.hang:
            await asyncio.Event().wait()
        if reply.reset:
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        await asyncio.sleep(reply.after)
        await _send(reply, writer)
        return True

    def _script(self, request: Request) -> Script:
        if request.path.endswith("/models"):
            return (
                self.models
                if isinstance(self.models, Reply)
                else Reply(body=json.dumps(self.models).encode())
            )
        if request.rung in self.refuses:
            return failure(400, "This response_format type is unavailable now", "invalid_request_error")
        if request.rung == "json_object" and "json" not in request.prompt.lower():
            return failure(400, "'messages' must contain the word 'json'", "invalid_request_error")
        for queue in (self._once.get(request.name), self._once.get("*")):
            if queue:
                return queue.popleft()
        for name in (request.name, "*"):
            if name in self._always:
                return self._always[name]
        return default_for(request)


async def _gone(reader: asyncio.StreamReader) -> None:
    """Return once the client has hung up. Polled, because reading would take the next request's bytes."""
    while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def _receive(reader: asyncio.StreamReader, connection: int) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {
        key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)
    }
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    form = headers.get("content-type", "").startswith("multipart/")
    body = {"form": raw} if form else json.loads(raw) if raw else {}
    return Request(first.split()[1], headers, body, asyncio.get_running_loop().time(), connection)


async def _send(reply: Reply, writer: asyncio.StreamWriter) -> None:
    size = {"Transfer-Encoding": "chunked"} if reply.forever else {"Content-Length": str(len(reply.body))}
    lines = [f"HTTP/1.1 {reply.status} Scripted"]
    lines += [f"{key}: {value}" for key, value in {**reply.headers, **size}.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    if reply.forever:
        while True:
            writer.write(b"%x\r\n%s\r\n" % (len(reply.forever), reply.forever))
            await writer.drain()
            await asyncio.sleep(reply.every or 0)
    if reply.every is None:
        writer.write(reply.body)
    else:
        for byte in reply.body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(reply.every)
    await writer.drain()


async def serve() -> AsyncIterator[ModelServer]:
    """The body of a fixture: `model_server = pytest_asyncio.fixture(serve)`."""
    async with ModelServer() as server:
        yield server
