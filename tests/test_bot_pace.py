"""The standalone bot takes frames at the pace at which events are handled."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from bot.pace import ROUNDS, UNDER_WAY, _Paced  # pyright: ignore[reportPrivateUsage]


class Socket:
    closed = False

    async def receive(self) -> str:
        return "frame"


async def test_a_frame_waits_while_many_events_are_under_way() -> None:
    under_way = set(range(UNDER_WAY))
    paced = _Paced(cast("Any", Socket()), under_way)
    frame = asyncio.ensure_future(paced.receive())
    for _ in range(3):
        await asyncio.sleep(0)
    assert not frame.done()
    under_way.pop()
    assert await frame == "frame"


async def test_events_that_hang_stop_nobody() -> None:
    """The wait is of rounds, not for an end: a neighbour's handler may wait for minutes."""
    paced = _Paced(cast("Any", Socket()), set(range(10 * UNDER_WAY)))
    frame = asyncio.ensure_future(paced.receive())
    for _ in range(ROUNDS + 2):
        await asyncio.sleep(0)
    assert frame.done()
    assert frame.result() == "frame"


async def test_the_rest_is_the_sockets_own() -> None:
    socket = Socket()
    paced = _Paced(cast("Any", socket), set[int]())
    assert paced.closed is False
    assert await paced.receive() == "frame"
