"""An OpenAI-compatible endpoint that answers every call after a fixed time and counts what runs at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

_ANALYSIS = {
    "should_reply": False,
    "is_questioned": False,
    "is_interesting": False,
    "reply_strategy": "",
    "topic": "",
    "reply_target": "",
    "plan": None,
}


class ScriptedModel:
    """Listens while it is entered. Analyses find nothing to say; everything else is answered 好的."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = 0
        self.most_at_once = 0
        self._running = 0
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Address for `MISHU__LLM__BASE_URL`."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def __aenter__(self) -> ScriptedModel:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                headers = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
                said = await reader.readexactly(int(headers.get("content-length", "0")))
                body = json.loads(said or b"{}")  # what only asks whether we are there says nothing
                self.calls += 1
                self._running += 1
                self.most_at_once = max(self.most_at_once, self._running)
                try:
                    await asyncio.sleep(self.seconds)
                finally:
                    self._running -= 1
                writer.write(_answer(headers.get("x-mishu-call", ""), body))
                await writer.drain()
        writer.close()


def _answer(name: str, body: dict[str, Any]) -> bytes:
    content = json.dumps(_ANALYSIS) if name == "analyze_conversation" else "好的"
    value = {
        "id": "chatcmpl-bench",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42},
    }
    payload = json.dumps(value, ensure_ascii=False).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
    return head.encode() + payload
