"""The connection: what it says when it opens, how it answers, how it comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from stand_ins import until
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from bot.playground import events
from bot.playground.group import SELF_ID, World, first_world
from bot.playground.onebot import Link


class Bot:
    """The other side of the socket."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.socket: ServerConnection | None = None
        self.refusing: HTTPStatus | None = None
        self.server: Server | None = None

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        return connection.respond(self.refusing, "") if self.refusing else None

    async def serve(self, connection: ServerConnection) -> None:
        self.socket = connection
        async for frame in connection:
            self.frames.put_nowait(json.loads(frame))

    async def frame(self) -> dict[str, Any]:
        async with asyncio.timeout(10):
            return await self.frames.get()


@asynccontextmanager
async def linked(world: World, **options: Any) -> AsyncIterator[tuple[Link, Bot]]:
    bot = Bot()
    async with serve(bot.serve, "127.0.0.1", 0, process_request=bot.admit) as server:
        bot.server = server
        port = next(iter(server.sockets)).getsockname()[1]
        link = Link(world, f"ws://127.0.0.1:{port}/onebot/v11/ws", retry_delays=(0.01,), **options)
        running = asyncio.create_task(link.run())
        try:
            yield link, bot
        finally:
            running.cancel()
            await asyncio.wait({running})
            assert link.status == "down"


async def test_pitfall_61_says_who_it_is_in_headers_and_payload() -> None:
    async with linked(first_world(), access_token="geheim") as (link, bot):
        opening = await bot.frame()
        assert opening["meta_event_type"] == "lifecycle"
        assert opening["self_id"] == SELF_ID
        request = bot.requests[0]
        assert request.path == "/onebot/v11/ws"
        assert request.headers["X-Self-ID"] == str(SELF_ID)
        assert request.headers["Authorization"] == "Bearer geheim"
        await until(lambda: link.status == "connected")


async def test_calls_are_answered_with_their_echo_and_nonsense_is_passed_over() -> None:
    world = first_world("小秘")
    async with linked(world) as (_, bot):
        await bot.frame()
        assert bot.socket is not None
        for nonsense in ("{", "[1]", "7", b"\xff"):
            await bot.socket.send(nonsense)
        await bot.socket.send(json.dumps({"action": "get_login_info", "params": {}, "echo": "12"}))
        answer = await bot.frame()
        assert answer["echo"] == "12"
        assert answer["data"]["nickname"] == "小秘"


async def test_what_a_call_causes_follows_its_answer() -> None:
    world = first_world()
    said = world.say(world.groups[10001], SELF_ID, [])
    async with linked(world) as (_, bot):
        await bot.frame()
        assert bot.socket is not None
        call = {"action": "delete_msg", "params": {"message_id": said.message_id}, "echo": "1"}
        await bot.socket.send(json.dumps(call))
        assert (await bot.frame())["echo"] == "1"
        assert (await bot.frame())["notice_type"] == "group_recall"


async def test_events_are_sent_in_order_and_only_while_connected() -> None:
    world = first_world()
    lifecycle = events.lifecycle(world)
    assert not await Link(world, "ws://127.0.0.1:1/").emit(lifecycle)
    async with linked(world) as (link, bot):
        await bot.frame()
        sent = [await link.emit(lifecycle | {"number": number}) for number in range(20)]
        assert all(sent)
        assert [(await bot.frame())["number"] for _ in range(20)] == list(range(20))


async def test_comes_back_when_the_bot_drops_it() -> None:
    async with linked(first_world()) as (link, bot):
        await bot.frame()
        assert bot.socket is not None
        await bot.socket.close(1001)
        assert (await bot.frame())["meta_event_type"] == "lifecycle"
        assert len(bot.requests) == 2
        await until(lambda: link.status == "connected")


async def test_says_why_it_is_refused_and_keeps_trying() -> None:
    seen: list[str] = []
    async with linked(first_world(), on_status=lambda: seen.append(link.trouble)) as (link, bot):
        bot.refusing = HTTPStatus.FORBIDDEN
        await until(
            lambda: any("ONEBOT_ACCESS_TOKEN" in trouble for trouble in seen) or link.status == "connected"
        )
        if bot.socket is not None:
            await bot.socket.close()
            await until(lambda: any("ONEBOT_ACCESS_TOKEN" in trouble for trouble in seen))
        bot.refusing = None
        await until(lambda: link.status == "connected")
        assert link.trouble == ""


async def test_a_token_no_header_can_hold_is_trouble_and_no_crash() -> None:
    async with linked(first_world(), access_token="令牌\ud800") as (link, _):
        await until(lambda: link.trouble != "")
        assert link.status != "connected"
