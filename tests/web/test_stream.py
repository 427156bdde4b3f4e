"""Server-sent events over a real socket: shape, filter, heartbeat, bounds, and every way they end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from nonebot_plugin_mishu.events import BotEvent
from nonebot_plugin_mishu.services.access.actor import OWNER
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web import PresenceView, decision_json, presence_json
from nonebot_plugin_mishu.web.routes import stream
from stand_ins import until
from starlette.requests import Request

from .conftest import AT, HERE, FakeBackend, Serve, Served, a_decision


class Reader:
    """Reads one stream block by block."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def block(self) -> list[str]:
        """The lines up to the next empty one; nothing at the end of the stream."""
        lines: list[str] = []
        async with asyncio.timeout(10):
            async for line in self._lines:
                if not line and lines:
                    return lines
                if line:
                    lines.append(line)
        return lines

    async def event(self) -> tuple[str, Any]:
        """The next event, past comments and settings."""
        while True:
            lines = await self.block()
            assert lines, "the stream ended"
            if lines[0].startswith("event: "):
                return lines[0][7:], json.loads(lines[1].removeprefix("data: "))


@asynccontextmanager
async def reading(served: Served, path: str = "groups/900/events") -> AsyncIterator[Reader]:
    async with (
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}", timeout=10) as client,
        client.stream("GET", f"/api/{path}") as response,
    ):
        yield Reader(response)


async def test_opens_with_the_present_presence_and_tells_what_happens(
    backend: FakeBackend, serve: Serve
) -> None:
    backend.presences[HERE] = PresenceView("summoned", since=AT, busy=True)
    async with serve() as served, reading(served) as reader:
        assert reader.response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert reader.response.headers["cache-control"] == "no-store"
        assert reader.response.headers["x-accel-buffering"] == "no"
        assert await reader.event() == ("presence", presence_json(backend.presences[HERE], backend.zone))
        record = a_decision(5)
        backend.feed.publish(BotEvent("decision", HERE, decision_json(record, backend.zone)))
        backend.feed.publish(BotEvent("draft", HERE, {"文字": "一行\n又一行"}))
        assert await reader.event() == ("decision", decision_json(record, backend.zone))
        assert await reader.event() == ("draft", {"文字": "一行\n又一行"})


async def test_other_conversations_are_not_told(backend: FakeBackend, serve: Serve) -> None:
    async with serve() as served, reading(served) as reader:
        await reader.event()
        for other in (
            Conversation("10", "group", "901"),
            Conversation("11", "group", "900"),
            Conversation("10", "private", "900"),
        ):
            backend.feed.publish(BotEvent("draft", other, {"of": "another"}))
        backend.feed.publish(BotEvent("draft", HERE, {"of": "ours"}))
        assert await reader.event() == ("draft", {"of": "ours"})


async def test_before_any_bot_is_known_the_group_alone_decides(backend: FakeBackend, serve: Serve) -> None:
    async with serve() as served, reading(served, "groups/77/events") as reader:
        assert (await reader.event())[1]["state"] == "absent"
        backend.feed.publish(BotEvent("draft", Conversation("12", "group", "77"), {"n": 1}))
        assert await reader.event() == ("draft", {"n": 1})


async def test_silence_is_filled_with_comments(backend: FakeBackend, serve: Serve) -> None:
    async with serve(heartbeat=0.01) as served, reading(served) as reader:
        assert await reader.block() == ["retry: 2000"]
        await reader.event()
        assert await reader.block() == [": heartbeat"]
        assert await reader.block() == [": heartbeat"]


async def test_leaving_ends_everything_behind_it(backend: FakeBackend, serve: Serve) -> None:
    before = len(asyncio.all_tasks())
    async with serve() as served:
        async with reading(served) as reader:
            await reader.event()
            assert backend.open_listeners == 1
        await until(lambda: backend.open_listeners == 0)
    await until(lambda: len(asyncio.all_tasks()) <= before)


async def test_ends_when_the_plugin_stops(backend: FakeBackend, serve: Serve) -> None:
    async with serve() as served, reading(served) as reader:
        await reader.event()
        backend.feed.close()
        assert await reader.block() == []


async def test_an_open_stream_does_not_keep_the_server_from_stopping(
    backend: FakeBackend, serve: Serve
) -> None:
    async with serve() as served, reading(served) as reader:
        await reader.event()
        served.server.should_exit = True
        assert await reader.block() == []
        async with asyncio.timeout(5):
            await asyncio.shield(served.task)


async def test_streams_are_counted_and_one_too_many_is_429(
    backend: FakeBackend, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_STREAMS", 1)
    async with serve() as served:
        async with reading(served) as reader:
            await reader.event()
            async with reading(served) as second:
                assert second.response.status_code == 429
                await second.response.aread()
                assert second.response.json()["error"]["code"] == "too_many"
        await until(lambda: backend.open_listeners == 0)
        async with reading(served) as again:
            assert again.response.status_code == 200


async def test_a_reader_that_does_not_read_is_given_up(
    backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SEND_TIMEOUT", 0.01)
    listener = stream.StreamListener(backend.listen())
    await listener.start()
    ended: list[bool] = []
    response = stream.EventStream(
        listener,
        lambda _: True,
        b"",
        lambda _: b"",
        stopping=stream.Stopping(),
        on_end=lambda: ended.append(True),
    )

    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    async with asyncio.timeout(5):
        await response({"type": "http"}, never, never)
    assert ended == [True]
    assert backend.open_listeners == 0


async def test_a_deadline_does_not_end_the_listening(backend: FakeBackend) -> None:
    listener = stream.StreamListener(backend.listen())
    await listener.start()
    assert await listener.next(0.001) is None
    news = BotEvent("draft", HERE, {})
    backend.feed.publish(news)
    assert await listener.next(1) is news
    await listener.close()
    assert backend.open_listeners == 0


async def test_a_place_is_given_back_though_the_listening_cannot_be_ended() -> None:
    class News:
        def __aiter__(self) -> News:
            return self

        async def __anext__(self) -> BotEvent:
            return await asyncio.get_running_loop().create_future()

        async def aclose(self) -> None:
            raise RuntimeError("already running")

    async def begin() -> Any:
        raise ValueError("no such group")

    streams = stream.LiveStreams(15)
    with pytest.raises(RuntimeError):
        await streams.open(Request({"type": "http"}), OWNER, News, begin, lambda _: b"")
    streams.places.take_place(OWNER, 1, lambda: None)
