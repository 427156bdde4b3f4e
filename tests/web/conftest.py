"""A backend without a bot, and the API before it: in process and over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from zoneinfo import ZoneInfo

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from nonebot_plugin_mishu.events import BotEvent, EventBus
from nonebot_plugin_mishu.storage.records import (
    Conversation,
    DecisionRecord,
    FrameRecord,
    LedgerMessage,
    RoundSide,
)
from nonebot_plugin_mishu.web import Health, HttpAnswer, PresenceView
from nonebot_plugin_mishu.web.app import create_app
from pydantic import SecretStr
from shared_app import share_app
from stand_ins import until

AT = 1_793_577_600.5
"""2026-11-02 00:00:00.5 UTC, 08:00 in Shanghai."""
HERE = Conversation("10", "group", "900")


@dataclass
class FakeBackend:
    """Answers from lists; `failure` is raised instead where set."""

    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("Asia/Shanghai"))
    accounts: dict[str, str] = field(default_factory=lambda: {"900": "10"})
    presences: dict[Conversation, PresenceView] = field(default_factory=dict)
    records: list[DecisionRecord] = field(default_factory=list)
    ledger: list[LedgerMessage] = field(default_factory=list)
    said: list[RoundSide] = field(default_factory=list)
    feed: EventBus = field(default_factory=EventBus)
    failure: Exception | None = None
    tasks: list[FrameRecord] = field(default_factory=list)
    asked: list[tuple[str | None, str, str, str]] = field(default_factory=list)
    answer: HttpAnswer = field(default_factory=lambda: HttpAnswer("好的", "completed"))
    disabled: set[str] = field(default_factory=set)
    limits: list[int] = field(default_factory=list)
    open_listeners: int = 0

    async def account_in(self, group_id: str, self_id: str | None = None) -> str | None:
        return self_id or self.accounts.get(group_id)

    async def health(self) -> Health:
        return Health(llm="off", database="ok", version="0.1.0", bots=["11", "10"])

    async def presence(self, conversation: Conversation) -> PresenceView:
        self._fail()
        return self.presences.get(conversation, PresenceView())

    async def decisions(
        self, conversation: Conversation, *, limit: int, before: int | None = None
    ) -> Sequence[DecisionRecord]:
        self._fail()
        self.limits.append(limit)
        known = [record for record in self.records if record.conversation == conversation]
        return [record for record in known if before is None or record.id < before][:limit]

    async def messages(
        self, conversation: Conversation, *, limit: int, after: str | None
    ) -> Sequence[LedgerMessage]:
        self._fail()
        known = [message for message in self.ledger if message.conversation == conversation]
        if after is None:
            return known[-limit:]
        ids = [message.message_id for message in known]
        return known[ids.index(after) + 1 :][:limit] if after in ids else []

    async def came(self, conversation: Conversation, user_id: str | None) -> float | None:
        return None

    def group_enabled(self, group_id: str) -> bool:
        return group_id not in self.disabled

    async def ask(self, group_id: str | None, user_id: str, name: str, text: str) -> HttpAnswer:
        self._fail()
        self.asked.append((group_id, user_id, name, text))
        return self.answer

    async def frames(self, conversation: Conversation, *, limit: int) -> Sequence[FrameRecord]:
        self._fail()
        return [task for task in self.tasks if task.conversation == conversation][:limit]

    async def turns(
        self, user_id: str, group_id: str | None, *, limit: int, before: int | None
    ) -> Sequence[RoundSide]:
        self._fail()
        peer = ("group", group_id) if group_id is not None else ("private", user_id)
        known = [
            turn
            for turn in self.said
            if turn.user_id == user_id and (turn.conversation.kind, turn.conversation.peer) == peer
        ]
        return [turn for turn in known if before is None or turn.id < before][-limit:]

    async def listen(self) -> AsyncIterator[BotEvent]:
        self.open_listeners += 1
        try:
            async for news in self.feed.listen():
                yield news
        finally:
            self.open_listeners -= 1

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


def a_decision(number: int, conversation: Conversation = HERE) -> DecisionRecord:
    return DecisionRecord(
        conversation=conversation,
        message_id=str(number),
        trigger="summon",
        state_before="absent",
        state_after="observing",
        should_reply=True,
        strategy="被呼唤",
        reason="有人@我",
        timings={"decide": 0.25},
        calls=["chat_reply"],
        tokens=12,
        at=AT,
        id=number,
    )


def a_message(number: int, conversation: Conversation = HERE) -> LedgerMessage:
    return LedgerMessage(
        conversation=conversation,
        message_id=str(number),
        time=AT + number,
        receipt=number,
        user_id="7",
        name="小明",
        role="member",
        text=f"第{number}句",
    )


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


def client_of(
    backend: FakeBackend, *, token: str | None = None, address: str | None = "127.0.0.1", **headers: str
) -> httpx.AsyncClient:
    """An in-process client whose address the application sees as `address`."""
    app = share_app(backend, token=SecretStr(token) if token else None)
    outer = FastAPI(openapi_url=None)
    outer.mount("/api", app)
    transport = httpx.ASGITransport(
        outer,
        client=cast("Any", (address, 50_000) if address is not None else None),
        raise_app_exceptions=False,
    )
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080", headers=headers)


@dataclass
class Served:
    """A running server."""

    port: int
    server: uvicorn.Server
    task: asyncio.Task[None]

    async def raw(self, request: bytes) -> tuple[int, bytes]:
        """Send bytes as they are; the status and everything that came back before the server closed."""
        async with asyncio.timeout(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(request)
                answer = await reader.read()
            finally:
                writer.close()
        return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]


Serve = Callable[..., Any]


@pytest.fixture
def serve(backend: FakeBackend) -> Serve:
    @asynccontextmanager
    async def running(*, token: str | None = None, heartbeat: float = 15.0) -> AsyncIterator[Served]:
        outer = FastAPI(openapi_url=None)
        secret = SecretStr(token) if token else None
        outer.mount("/api", create_app(backend, token=secret, heartbeat=heartbeat))
        server = uvicorn.Server(uvicorn.Config(outer, port=0, log_level="critical", lifespan="off"))
        task = asyncio.create_task(server.serve())
        await until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield Served(port, server, task)
        finally:
            server.should_exit = True
            async with asyncio.timeout(10):
                await task

    return running
