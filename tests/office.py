"""The whole front desk with its secretary over stand-ins, on a virtual loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from nonebot_plugin_mishu.agents import AgentSpec, Registry
from nonebot_plugin_mishu.agents.chat import ChatAgent
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.core import Core, FramesInMemory
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.frontdesk import (
    DeskOptions,
    FrontDesk,
    IncomingMessage,
    Interest,
    QuotedMessage,
    Room,
    Segment,
)
from nonebot_plugin_mishu.frontdesk.rooms.member_names import Card, nobody_known
from nonebot_plugin_mishu.secretary import Analyst, Secretary
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.voice import SpeechSynthesizer, Transcriber
from stand_ins import BOT, GROUP, FakeAudience, FakeModel, FakePlatform, FakeStorage
from virtual_time import VirtualClock, settle

NAMES = ("小秘",)


class Office:
    """Speak as members with `say`; look at `platform.texts`, `storage` and the room."""

    def __init__(
        self,
        *,
        model: FakeModel | None = None,
        storage: FakeStorage | None = None,
        staff: Callable[[Any], Any] | None = None,
        core: Core | None = None,
        clock: VirtualClock | None = None,
        others: Iterable[AgentSpec] = (),
        doors: Any = None,
        prepared: asyncio.Event | None = None,
        card: Card = nobody_known,
        **config: dict[str, Any],
    ) -> None:
        self.clock = clock or VirtualClock()
        self.config = Config.model_validate({"qq": {"send_gap": 0}, **config})
        self.storage = storage or FakeStorage()
        self.platform = FakePlatform()
        self.audience = FakeAudience()
        self.model = model or FakeModel()
        self.reports: list[tuple[str, BaseException]] = []
        self.core = core or Core(
            self.config,
            self.clock,
            Registry([ChatAgent(self.model, NAMES[0]).spec()]),  # type: ignore[arg-type]
            self.model,  # type: ignore[arg-type]
            FramesInMemory(),
            read=read,
            report=lambda what, error: self.reports.append((what, error)),
        )
        self.desk = FrontDesk(
            self.config,
            self.clock,
            self.storage,  # type: ignore[arg-type]
            self.core,
            self.platform,
            self.audience,
            nicknames=NAMES,
            make_secretary=staff or self._secretary,
            model=self.model,
            report=self._reported,
            options=DeskOptions(
                transcriber=Transcriber(self.model, self.clock, self.platform.recording, self._reported),  # type: ignore[arg-type]
                synthesizer=SpeechSynthesizer(self.model, self.clock, self._reported),  # type: ignore[arg-type]
                others=others,
                web_sessions=doors,
                prepared=prepared,
                card=card,
            ),
        )
        self._number = 0

    def _reported(self, what: str, error: BaseException) -> None:
        self.reports.append((what, error))

    def _secretary(self, desk: Any) -> Secretary:
        analyst = Analyst(self.model, self.clock.zone, NAMES)  # type: ignore[arg-type]
        return Secretary(
            self.config,
            self.clock,
            desk,
            self.core,
            self.model,  # type: ignore[arg-type]
            analyst,
            NAMES,
            lambda what, error: self.reports.append((what, error)),
        )

    @property
    def room(self) -> Room:
        return self.desk.rooms.enter(GROUP)

    def heard(
        self,
        user: str,
        text: str = "",
        *,
        at: bool = False,
        ats: Sequence[str] = (),
        quote: str | None = None,
        quoted: QuotedMessage | None = None,
        conversation: Conversation = GROUP,
        message_id: str | None = None,
        segments: Sequence[Segment] = (),
        **more: Any,
    ) -> IncomingMessage:
        self._number += 1
        parts = [Segment("reply", quote)] if quote else []
        parts += [Segment("at", one) for one in ([BOT] if at else []) + list(ats)]
        parts += [Segment("text", text)] if text else []
        parts += segments
        values: dict[str, Any] = {
            "conversation": conversation,
            "message_id": message_id or f"m{self._number}",
            "time": float(int(self.clock.wall())),
            "receipt": self.clock.receipt(),
            "user_id": user,
            "name": f"名{user}",
            "role": "member",
            "segments": tuple(parts),
            "raw_segments": tuple(
                {
                    "type": part.kind,
                    "data": {"text": part.value} if part.kind == "text" else {"url": part.value},
                }
                for part in parts
            ),
            "heard_at": self.clock.monotonic(),
            "quote": quoted,
        }
        return IncomingMessage(**{**values, **more})

    def hear(self, heard: IncomingMessage) -> str:
        """As the adapter does: hear, and act where something may come of it."""
        interest = self.desk.hear(heard)
        if interest is Interest.MATTERS or (interest and not self.desk.passes_over(heard)):
            self.desk.act(heard)
        return heard.message_id

    async def say(self, user: str, text: str = "", **more: Any) -> str:
        said = self.hear(self.heard(user, text, **more))
        await settle()
        return said

    async def call(self, user: str, text: str, **more: Any) -> str:
        """A summons."""
        return await self.say(user, text, at=True, **more)

    async def pass_time(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await settle()


@asynccontextmanager
async def office(**options: Any) -> AsyncIterator[Office]:
    """An office that is open, and closed at the end with nothing left held."""
    made = Office(**options)
    assert made.room is not None
    await settle()
    try:
        yield made
    finally:
        rooms = list(made.desk.rooms)
        await made.desk.close()
        for room in rooms:
            assert len(room.hold) == 0
            assert not room.seat.lock.busy
