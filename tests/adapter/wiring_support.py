"""A desk that notes what it is told, and events through NoneBot's dispatcher, for the tests of the wiring."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from nonebot.adapters.onebot.v11 import Adapter, Bot, Event, MessageEvent
from nonebot.message import handle_event
from nonebot_plugin_mishu.app import plugin as entry
from nonebot_plugin_mishu.frontdesk import IncomingMessage, Interest, TakenBy
from nonebug import App

BOT = "10000"


class FakeNotices:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.log: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def note(conversation: Any, *more: Any) -> None:
            self.log.append((name, conversation.peer, *more))

        return note


class FakeDesk:
    """Stands for the front desk."""

    def __init__(self) -> None:
        self.heard: list[IncomingMessage] = []
        self.acted: list[str] = []
        self.pokes: list[IncomingMessage] = []
        self.taken: list[TakenBy | None] = []
        """Who took what was acted on, or poked."""
        self.stops: list[tuple[str, str, bool]] = []
        self.calls = True
        self.notices = FakeNotices()
        self.tasks: list[asyncio.Task[Any]] = []
        self.fails = False
        self.interest = Interest.MATTERS
        self.over: list[str] = []
        """Chatter that was passed over."""
        self.skips = False

    def hear(self, heard: IncomingMessage) -> Interest:
        if self.fails:
            raise KeyError("a fault of ours")
        self.heard.append(heard)
        return self.interest

    def passes_over(self, heard: IncomingMessage) -> bool:
        if self.skips:
            self.over.append(heard.message_id)
        return self.skips

    def act(self, heard: IncomingMessage, taken_by: TakenBy | None = None) -> None:
        self.acted.append(heard.message_id)
        self.taken.append(taken_by)
        self.tasks.append(asyncio.create_task(asyncio.Event().wait()))  # held for ever

    def take_poke(self, heard: IncomingMessage, taken_by: TakenBy | None = None) -> None:
        self.pokes.append(heard)
        self.taken.append(taken_by)

    def note_stopped(self, heard: IncomingMessage, by: str, *, poke: bool = False) -> bool:
        self.stops.append((heard.message_id, by, poke))
        return self.calls

    def spawn(self, work: Any, name: str) -> None:
        self.tasks.append(asyncio.create_task(work))


def message(number: int = 1, **changed: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "time": 1_700_000_000,
        "self_id": 10000,
        "post_type": "message",
        "message_type": "group",
        "sub_type": "normal",
        "message_id": number,
        "user_id": 30001,
        "group_id": 777,
        "message": [{"type": "at", "data": {"qq": BOT}}, {"type": "text", "data": {"text": " 在吗"}}],
        "raw_message": f"[CQ:at,qq={BOT}] 在吗",
        "font": 0,
        "sender": {"user_id": 30001, "nickname": "小明", "card": "明"},
    }
    return {key: value for key, value in {**values, **changed}.items() if value is not ...}


def notice(kind: str, **fields: Any) -> dict[str, Any]:
    base = {
        "time": 1_700_000_000,
        "self_id": 10000,
        "post_type": "notice",
        "notice_type": kind,
        "group_id": 777,
    }
    return {**base, **fields}


async def handled(app: App, payload: dict[str, Any], *, straight: bool = False) -> None:
    """Through NoneBot's dispatcher, or `straight` past it."""
    async with app.test_api() as ctx:
        bot = ctx.create_bot(
            base=Bot, adapter=ctx.create_adapter(base=Adapter), self_id=BOT, auto_connect=False
        )
        event = Adapter.json_to_event(payload)
        assert isinstance(event, Event)
        if straight:
            assert isinstance(event, MessageEvent)
            entry.take(bot, event)
        else:
            await asyncio.wait_for(handle_event(bot, event), 5)
        await asyncio.sleep(0)
