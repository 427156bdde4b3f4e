"""The outbox: one at a time, in order, a gap apart, urgent lines first."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.frontdesk.outbox import Outbox
from nonebot_plugin_mishu.secretary import SendFailed, Speech
from virtual_time import settle, virtual


class Line:
    """Transmits, and notes what and when."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.sent: list[str] = []
        self.at: list[float] = []
        self.seconds = seconds
        self.errors: dict[str, BaseException] = {}

    async def __call__(self, speech: Speech) -> str:
        await asyncio.sleep(self.seconds)
        if speech.text in self.errors:
            raise self.errors[speech.text]
        self.sent.append(speech.text)
        self.at.append(asyncio.get_running_loop().time())
        return f"id {speech.text}"


def saying(outbox: Outbox, text: str, *, urgent: bool = False, timeout: float = 100) -> asyncio.Task[str]:
    return asyncio.create_task(outbox.say(Speech(text, urgent=urgent), timeout))


@virtual
async def test_in_order_and_a_gap_apart() -> None:
    line = Line()
    outbox = Outbox(1.5, line)
    tasks = [saying(outbox, text) for text in "abc"]
    assert await asyncio.gather(*tasks) == ["id a", "id b", "id c"]
    assert line.sent == ["a", "b", "c"]
    assert [round(later - sooner, 6) for sooner, later in zip(line.at, line.at[1:], strict=False)] == [
        1.5,
        1.5,
    ]
    await outbox.close()


@virtual
async def test_the_gap_counts_from_the_end_of_the_last_sending() -> None:
    line = Line(seconds=3)
    outbox = Outbox(1, line)
    await asyncio.gather(saying(outbox, "a"), saying(outbox, "b"))
    assert line.at[1] - line.at[0] == pytest.approx(4)
    await outbox.close()


@virtual
async def test_urgent_lines_go_first_also_when_they_come_in_the_gap() -> None:
    line = Line()
    outbox = Outbox(1, line)
    await saying(outbox, "first")
    tasks = [saying(outbox, "b"), saying(outbox, "c")]
    await asyncio.sleep(0.5)
    tasks += [saying(outbox, "wait", urgent=True), saying(outbox, "wait more", urgent=True)]
    await asyncio.gather(*tasks)
    assert line.sent == ["first", "wait", "wait more", "b", "c"]
    await outbox.close()


@virtual
async def test_a_failed_sending_fails_its_caller_only() -> None:
    line = Line()
    line.errors = {"b": SendFailed("平台拒绝了")}
    outbox = Outbox(0, line)
    results = await asyncio.gather(*(saying(outbox, text) for text in "abc"), return_exceptions=True)
    assert isinstance(results[1], SendFailed)
    assert line.sent == ["a", "c"]
    await outbox.close()


@virtual
async def test_an_unforeseen_error_stops_nobody_behind() -> None:
    line = Line()
    line.errors = {"b": ValueError("a driver's fault")}
    outbox = Outbox(0, line)
    results = await asyncio.gather(*(saying(outbox, text) for text in "abc"), return_exceptions=True)
    assert isinstance(results[1], ValueError)
    assert results[2] == "id c"
    assert outbox.idle
    await outbox.close()


@virtual
async def test_a_caller_that_is_cancelled_before_its_turn_sends_nothing() -> None:
    line = Line(seconds=1)
    outbox = Outbox(0, line)
    tasks = [saying(outbox, text) for text in "abc"]
    await settle()
    tasks[1].cancel()
    assert await tasks[2] == "id c"
    assert line.sent == ["a", "c"]
    await outbox.close()


@pytest.mark.parametrize(("seconds", "sent"), [(0.4, ["a", "b"]), (1e6, ["b"])])
@virtual
async def test_a_caller_that_leaves_while_sending_delays_nobody(seconds: float, sent: list[str]) -> None:
    line = Line(seconds=seconds)
    outbox = Outbox(0, line)
    first = saying(outbox, "a")
    await settle()
    first.cancel()
    line.seconds = 0.0
    assert await saying(outbox, "b", timeout=5) == "id b"
    assert line.sent == sent
    await outbox.close()


@virtual
async def test_waiting_has_a_limit() -> None:
    line = Line(seconds=50)
    outbox = Outbox(0, line)
    first, second = saying(outbox, "a"), saying(outbox, "b", timeout=10)
    with pytest.raises(SendFailed, match="超时"):
        await second
    assert await first == "id a"
    await asyncio.sleep(100)
    assert line.sent == ["a"]
    await outbox.close()


@virtual
async def test_drop_sends_nothing_of_what_waits() -> None:
    line = Line(seconds=1)
    outbox = Outbox(0, line)
    tasks = [saying(outbox, text) for text in "abc"]
    await settle()
    outbox.drop("静音了")
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert results[0] == "id a"
    assert [str(result) for result in results[1:]] == ["静音了", "静音了"]
    assert await saying(outbox, "d") == "id d"
    await outbox.close()


@virtual
async def test_close_ends_everything_for_good() -> None:
    line = Line(seconds=1)
    outbox = Outbox(0, line)
    tasks = [saying(outbox, text) for text in "ab"]
    await settle()
    await outbox.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [SendFailed, SendFailed]
    with pytest.raises(SendFailed):
        await outbox.say(Speech("c"), 10)
    assert line.sent == []
    assert outbox.idle


@virtual
async def test_who_waits_for_a_speech_is_told_when_one_has_left() -> None:
    line = Line(seconds=1)
    line.errors = {"b": SendFailed("平台拒绝了")}
    outbox = Outbox(0, line)
    await outbox.wait_for_next()  # nothing is under way
    tasks = [saying(outbox, text) for text in "abc"]
    await settle()
    clock = asyncio.get_running_loop().time
    began, left = clock(), list[float]()
    while not outbox.idle:
        await outbox.wait_for_next()
        left.append(round(clock() - began, 6))
    assert left[:3] == [1, 2, 3], "sent, refused, sent"
    assert outbox.idle
    await asyncio.gather(*tasks, return_exceptions=True)
    waits = [saying(outbox, "d"), saying(outbox, "e")]
    await settle()
    dropped = asyncio.create_task(outbox.wait_for_next())
    await settle()
    outbox.drop("静音了")
    await settle()
    assert dropped.done()
    await outbox.close()
    await asyncio.gather(*waits, return_exceptions=True)
    await outbox.wait_for_next()
