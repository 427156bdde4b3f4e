"""The standalone bot hands events over at the pace of handling, each conversation in its turn."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from nonebot.adapters.onebot.v11 import Adapter
from nonebot.drivers import URL, Request, WebSocket, WebSocketServerSetup
from nonebot.exception import WebSocketClosed

from bot import backlog, pace
from bot.backlog import Backlog
from bot.frames import examine
from bot.pace import UNDER_WAY, PacedAdapter, paced

EVENT = {"time": 1_800_000_000, "self_id": 10001, "post_type": "message"}


def said(group: int, number: int) -> str:
    return json.dumps({**EVENT, "group_id": group, "user_id": 5, "message_id": number})


def whispered(user: int, number: int) -> str:
    return json.dumps({**EVENT, "user_id": user, "message_id": number})


def answer(number: int) -> str:
    return json.dumps({"status": "ok", "retcode": 0, "data": None, "echo": str(number)})


def ids(frames: list[Any]) -> list[Any]:
    read = [json.loads(frame) for frame in frames]
    return [one.get("message_id", one.get("echo")) for one in read]


class Socket:
    """Gives frames, then waits, or closes."""

    def __init__(self, *frames: str, then_closes: bool = False) -> None:
        self.request = Request("GET", "ws://127.0.0.1/onebot/v11/ws")
        self.frames = list(frames)
        self.then_closes = then_closes
        self.closed = False
        self.given = 0
        self.sent: list[str] = []

    async def receive(self) -> str:
        if not self.frames:
            if self.then_closes:
                raise WebSocketClosed(1000, "bye")
            await asyncio.Event().wait()
        self.given += 1
        return self.frames.pop(0)

    async def send_text(self, data: str) -> None:
        self.sent.append(data)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self.closed = True


def a(socket: Socket) -> WebSocket:
    return cast("WebSocket", socket)


def test_every_conversation_gets_its_turn_and_keeps_its_order() -> None:
    waiting = Backlog()
    for number in range(5):
        waiting.put(examine(said(1, number)))
    for frame in (said(2, 20), whispered(1, 30), said(2, 21), said(1, 5)):
        waiting.put(examine(frame))
    assert ids([waiting.take() for _ in range(len(waiting))]) == [0, 20, 30, 1, 21, 2, 3, 4, 5]
    assert not waiting


def test_who_was_silent_for_a_round_goes_before_the_others_with_one_frame() -> None:
    waiting = Backlog()
    for number in range(3):
        for group in (1, 2):
            waiting.put(examine(said(group, 10 * group + number)))
    assert ids([waiting.take() for _ in range(3)]) == [10, 20, 11]
    waiting.put(examine(said(3, 30)))
    waiting.put(examine(said(3, 31)))
    assert ids([waiting.take() for _ in range(len(waiting))]) == [30, 21, 12, 31, 22]


def test_who_says_one_thing_after_the_other_is_no_newcomer_each_time() -> None:
    """Else somebody who answers at once would keep everybody else waiting for ever."""
    waiting = Backlog()
    for number in range(3):
        waiting.put(examine(said(1, number)))
    order: list[int] = []
    for number in range(3):
        waiting.put(examine(said(2, 20 + number)))
        order += ids([waiting.take(), waiting.take()])
    assert order == [0, 20, 1, 21, 2, 22]


def test_nothing_is_kept_of_conversations_when_nothing_waits() -> None:
    waiting = Backlog()
    for group in range(1, 100):
        waiting.put(examine(said(group, group)))
        waiting.take()
    waiting.put(examine(said(100, 1)))
    waiting.put(examine(said(99, 2)))
    assert ids([waiting.take(), waiting.take()]) == [1, 2]


def test_answers_go_first() -> None:
    waiting = Backlog()
    waiting.put(examine(said(1, 1)))
    waiting.put(examine(answer(77)))
    assert waiting.answered
    assert ids([waiting.take(), waiting.take()]) == ["77", 1]
    with pytest.raises(IndexError):
        waiting.take()


def test_a_backlog_is_full_by_number_and_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "FRAMES", 3)
    waiting = Backlog()
    for number in range(3):
        assert not waiting.full
        waiting.put(examine(said(1, number)))
    assert waiting.full
    waiting.take()
    assert not waiting.full
    monkeypatch.setattr(backlog, "SIZE", 10)
    assert waiting.full


async def test_a_frame_waits_while_those_under_way_have_much_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "SHORT", 0.0)  # no round is short
    monkeypatch.setattr(pace, "LONGEST", 60.0)
    under_way = set(range(UNDER_WAY))
    async with paced(a(Socket(said(1, 1))), under_way) as socket:
        frame = asyncio.ensure_future(socket.receive())
        for _ in range(20):
            await asyncio.sleep(0)
        assert not frame.done()
        under_way.pop()
        assert ids([await frame]) == [1]


async def test_an_answer_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "SHORT", 0.0)
    monkeypatch.setattr(pace, "LONGEST", 60.0)
    async with paced(a(Socket(said(1, 1), answer(9))), set(range(UNDER_WAY))) as socket:
        frame = asyncio.ensure_future(socket.receive())
        for _ in range(6):
            await asyncio.sleep(0)
        assert frame.done()
        assert ids([frame.result()]) == ["9"]


@pytest.mark.parametrize(("short", "longest"), [(60.0, 60.0), (0.0, 0.0)])
async def test_events_that_hang_stop_nobody(
    short: float, longest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbour's handler may wait for minutes: short rounds tell, and the wait ends in any case."""
    monkeypatch.setattr(pace, "SHORT", short)
    monkeypatch.setattr(pace, "LONGEST", longest)
    frames = [said(1, number) for number in range(50)]
    async with paced(a(Socket(*frames)), set(range(10 * UNDER_WAY))) as socket:
        taken = asyncio.ensure_future(_many(socket, 50))
        for _ in range(250):
            await asyncio.sleep(0)
        assert taken.done()
        assert ids(taken.result()) == list(range(50))


async def _many(socket: WebSocket, number: int) -> list[Any]:
    return [await socket.receive() for _ in range(number)]


async def test_who_speaks_behind_a_flood_is_heard_among_the_first() -> None:
    flood = [said(group, number) for number in range(20) for group in range(10)]
    async with paced(a(Socket(*flood, said(99, 4_321))), set[int]()) as socket:
        await socket.receive()
        for _ in range(10):
            await asyncio.sleep(0)  # the rest arrives
        heard = ids([await socket.receive() for _ in range(11)])
    assert 4_321 in heard


async def test_the_socket_waits_while_the_backlog_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "FRAMES", 10)
    inner = Socket(*(said(1, number) for number in range(50)))
    async with paced(a(inner), set[int]()) as socket:
        seen = [await socket.receive()]
        for _ in range(100):
            await asyncio.sleep(0)
        assert inner.given <= 11
        seen += [await asyncio.wait_for(socket.receive(), 5) for _ in range(49)]
    assert ids(seen) == list(range(50))


async def test_what_came_before_a_close_is_handed_over_and_then_the_close_is_told() -> None:
    async with paced(a(Socket(said(1, 1), said(1, 2), then_closes=True)), set[int]()) as socket:
        assert ids([await socket.receive(), await socket.receive()]) == [1, 2]
        for _ in range(2):
            with pytest.raises(WebSocketClosed):
                await socket.receive()


async def test_the_reader_ends_with_the_block_whatever_ends_it() -> None:
    def readers() -> list[str]:
        return [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "onebot frames"]

    async def listen(socket: Socket) -> None:
        async with paced(a(socket), set[int]()) as reading:
            while True:
                await reading.receive()

    listening = asyncio.create_task(listen(Socket(said(1, 1))))
    for _ in range(5):
        await asyncio.sleep(0)
    assert readers() == ["onebot frames"]
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert readers() == []
    with pytest.raises(WebSocketClosed):
        await listen(Socket(then_closes=True))
    assert readers() == []
    async with paced(a(Socket()), set[int]()):  # refused before anything was read
        pass
    assert readers() == []


async def test_everything_else_is_the_sockets_own() -> None:
    inner = Socket()
    async with paced(a(inner), set[int]()) as socket:
        assert socket.closed is False
        assert socket.request is inner.request
        await socket.send("words")
        await socket.close(1008, "no")
    assert inner.sent == ["words"]
    assert inner.closed


async def test_the_adapter_paces_sockets_of_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through what an adapter may override; the handlers themselves stay the adapter's."""
    setups: list[WebSocketServerSetup] = []
    monkeypatch.setattr(Adapter, "setup_websocket_server", lambda _, setup: setups.append(setup))
    adapter = object.__new__(PacedAdapter)
    adapter.tasks = set()
    handled: list[WebSocket] = []

    async def handle(websocket: WebSocket) -> None:
        handled.append(websocket)
        assert ids([await websocket.receive()]) == [1]

    adapter.setup_websocket_server(WebSocketServerSetup(URL("/ws"), "WS", handle))
    inner = Socket(said(1, 1))
    await setups[0].handle_func(a(inner))
    assert (setups[0].path, setups[0].name) == (URL("/ws"), "WS")
    assert handled[0] is not inner
