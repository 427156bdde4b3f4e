"""The scripted model server itself: others' tests stand on it."""

from __future__ import annotations

import asyncio
import json

from model_server import FAULTS, ModelServer


async def _post(server: ModelServer, name: str, messages: list[dict[str, str]]) -> bytes:
    body = json.dumps({"model": "m", "messages": messages}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nX-Mishu-Call: {name}\r\nContent-Length: {len(body)}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"{head}\r\n".encode() + body)
    try:
        answer = await reader.readuntil(b"\r\n\r\n")
        size = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        return answer + await reader.readexactly(size)
    finally:
        writer.close()


async def test_default_answers_depend_on_the_name(model_server: ModelServer) -> None:
    assert "好的".encode() in await _post(model_server, "chat_reply", [{"role": "user", "content": "在吗"}])
    user = {"role": "user", "content": json.dumps({"text": "吃饭去"})}
    answer = await _post(model_server, "parse_intents", [user])
    assert json.loads(answer.split(b"\r\n\r\n")[1])["choices"][0]["message"]["content"].count("吃饭去") == 1
    assert model_server.names == ["chat_reply", "parse_intents"]
    assert model_server.last().data == {"text": "吃饭去"}


async def test_queued_answers_come_before_the_standing_one(model_server: ModelServer) -> None:
    model_server.answer("x", "一", lambda request: request.user_text * 2).always("x", "三")
    said = [await _post(model_server, "x", [{"role": "user", "content": "二"}]) for _ in range(3)]
    assert ["一".encode() in said[0], "二二".encode() in said[1], "三".encode() in said[2]] == [True] * 3


async def test_hanging_up_is_noticed(model_server: ModelServer) -> None:
    model_server.answer("x", FAULTS["hang"]())
    waiting = asyncio.create_task(_post(model_server, "x", []))
    request = await model_server.wait_for("x")
    waiting.cancel()
    await asyncio.wait({waiting})
    await asyncio.wait_for(request.closed.wait(), 5)
