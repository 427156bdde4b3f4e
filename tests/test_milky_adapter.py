"""Milky's adapter as the standalone bot uses it: newer events, chat in no log, redials in no hurry."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot.adapters.milky import Adapter
from nonebot.adapters.milky.config import ClientInfo
from nonebot.drivers import Request
from nonebot.exception import NoLogException
from nonebot.log import logger

from bot import milky_adapter
from bot.milky_adapter import CalmAdapter, UntoldToken, known_segments


def adapter(level: str = "INFO") -> CalmAdapter:
    made = CalmAdapter.__new__(CalmAdapter)
    driver: Any = SimpleNamespace(config=SimpleNamespace(log_level=level), on_shutdown=lambda _: None)

    def begin(self: Adapter, driver: Any) -> None:
        self.driver = driver
        clients = [ClientInfo(host="127.0.0.1", port=9, access_token="secret-token")]
        self.milky_config = SimpleNamespace(milky_clients=clients)  # type: ignore[assignment]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Adapter, "__init__", begin)
        patch.setattr(Adapter, "config", property(lambda self: self.driver.config), raising=False)
        CalmAdapter.__init__(made, driver)
    return made


def message(*segments: Any, **changed: Any) -> dict[str, Any]:
    data = {
        "message_scene": "group",
        "peer_id": 777,
        "message_seq": 5,
        "sender_id": 3,
        "time": 9,
        "segments": list(segments),
        **changed,
    }
    return {"event_type": "message_receive", "time": 9, "self_id": 1, "data": data}


TEXT = {"type": "text", "data": {"text": "悄悄话"}}


@pytest.mark.parametrize(("level", "quiet"), [("INFO", True), ("DEBUG", False)])
def test_a_message_is_in_no_log_but_for_details(level: str, quiet: bool) -> None:
    event = adapter(level).json_to_event(message(TEXT))
    assert event is not None
    assert str(event.get_message()) == "悄悄话"
    if quiet:
        with pytest.raises(NoLogException):
            event.get_log_string()
    else:
        assert "悄悄话" in event.get_log_string()


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {},
        {"event_type": "of_tomorrow", "data": {}},
        {"event_type": "group_mute", "time": 1, "self_id": 1, "data": {"group_id": "悄悄话"}},
        {"event_type": "group_mute", "time": 1, "self_id": 1},
        message(TEXT, message_scene="channel"),
        message(TEXT, sender_id="悄悄话"),
    ],
)
def test_what_cannot_be_read_is_left_without_its_words(given: Any) -> None:
    told: list[str] = []
    sink = logger.add(lambda line: told.append(str(line)), level="TRACE")
    try:
        calm = adapter()
        assert calm.json_to_event(given) is None
        assert calm.json_to_event(given) is None
    finally:
        logger.remove(sink)
    assert "悄悄话" not in "".join(told)
    assert len(told) <= 1


def test_a_segment_of_tomorrow_does_not_cost_the_message() -> None:
    quote = {"type": "reply", "data": {"message_seq": 4, "segments": [{"type": "hologram", "data": {}}]}}
    event = adapter().json_to_event(message(TEXT, {"type": "hologram", "data": {"x": 1}}, quote, "odd"))
    assert event is not None
    assert [part.type for part in event.get_message()] == ["text", "markdown", "reply", "markdown"]
    assert known_segments("odd") == []


async def test_the_token_goes_along_and_the_second_dial_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    dialled: list[Request] = []
    waited: list[float] = []

    @asynccontextmanager
    async def dial(self: Adapter, setup: Request) -> AsyncGenerator[str, None]:
        dialled.append(setup)
        yield "socket"

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    calm = adapter()
    monkeypatch.setattr(Adapter, "websocket", dial)
    monkeypatch.setattr(milky_adapter, "asyncio", SimpleNamespace(sleep=sleep))
    [client] = calm.milky_config.milky_clients
    assert isinstance(client, UntoldToken)
    assert str(client.ws_url()) == "ws://127.0.0.1:9/event"
    for _ in range(3):
        async with calm.websocket(Request("GET", str(client.ws_url()), timeout=30.0)) as socket:
            assert socket == "socket"
    assert {str(each.url) for each in dialled} == {"ws://127.0.0.1:9/event?access_token=secret-token"}
    low, high = milky_adapter.PAUSE
    assert len(waited) == 2
    assert all(low <= seconds <= high for seconds in waited)
    assert asyncio.sleep is not sleep
