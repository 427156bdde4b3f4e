"""A secretary with everything around it made up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from nonebot_plugin_mishu.agents import Outcome, Request
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.secretary import (
    Analyst,
    ConversationSeat,
    LockToken,
    PresenceState,
    Rules,
    Secretary,
    Speech,
    Trigger,
    Turn,
    TurnItem,
)
from nonebot_plugin_mishu.storage.records import Conversation, DecisionRecord, LedgerMessage
from stand_ins import GROUP, FakeModel, line
from virtual_time import VirtualClock

ANALYSES = ("forced", "questioned", "interesting")


class FakeDesk:
    """Notes everything in the order it happens."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.said: list[tuple[Conversation, Speech]] = []
        self.marked: list[str] = []
        self.records: list[DecisionRecord] = []
        self.captions: dict[str, Sequence[str]] = {}
        self.claims = True
        self.fail: BaseException | None = None
        self.seconds = 0.0
        self.switched_off: set[str] = set()

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        await asyncio.sleep(self.seconds)
        if self.fail is not None and not speech.urgent:
            raise self.fail
        self.log.append(f"say {speech.text}")
        self.said.append((conversation, speech))
        return str(len(self.said))

    async def claim(
        self, conversation: Conversation, message_ids: Sequence[str], reply: str | None = None
    ) -> bool:
        self.log.append(f"claim {' '.join(message_ids)}")
        await asyncio.sleep(0)
        return self.claims

    async def set_captions(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        self.captions[message.message_id] = captions

    async def store_decision(
        self, record: DecisionRecord, ids: Sequence[str], looked_at: Sequence[str] = (), *, wait: bool = True
    ) -> None:
        self.log.append("decided")
        self.marked += dict.fromkeys([*looked_at, *ids])
        self.records.append(record)

    def speak(self, conversation: Conversation, text: str) -> None:
        self.log.append(f"aloud {text}")

    def persona(self, conversation: Conversation) -> str | None:
        return None

    def allows(self, conversation: Conversation, feature: str) -> bool:
        return feature not in self.switched_off

    @property
    def texts(self) -> list[str]:
        return [speech.text for _, speech in self.said]


class FakeCore:
    """Answers as told; waits for the analysis as the chat agent does."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: Outcome | BaseException | float = Outcome("答复", "completed", "好了")
        self.judgements: list[Any] = []
        self.says: Any = None
        """The judgement that comes with the reply."""
        self.waits = True
        self.follows = False
        self.sent: list[tuple[Outcome, str]] = []

    def only_talk(self, text: str) -> bool:
        return "改" not in text

    def sounds_like_work(self, text: str) -> bool:
        return "改" in text

    def follows_deed(self, conversation: Conversation, user_id: str, at: float) -> bool:
        return self.follows

    async def delivered(self, conversation: Conversation, outcome: Outcome, message_id: str) -> None:
        self.sent.append((outcome, message_id))

    async def handle(self, request: Request) -> Outcome:
        self.requests.append(request)
        if self.waits and request.reply_mode in ANALYSES:
            self.judgements.append(await request.judgement)
        if self.says is not None and request.judged is not None:
            request.judged(self.says)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if isinstance(self.answer, float):
            await asyncio.sleep(self.answer)
            return Outcome("答复", "completed", "好了")
        return self.answer


class Bench:
    """A secretary with everything around it made up."""

    def __init__(self, **config: Any) -> None:
        self.config = Config.model_validate(config)
        self.clock = VirtualClock()
        self.desk, self.core, self.model = FakeDesk(), FakeCore(), FakeModel()
        self.changes: list[PresenceState] = []
        self.seat = ConversationSeat(Rules(), self.clock.monotonic, self._changed, lambda _: None)
        self.reports: list[str] = []
        analyst = Analyst(self.model, self.clock.zone, ["小秘"])  # type: ignore[arg-type]
        self.secretary = Secretary(
            self.config,
            self.clock,
            self.desk,
            self.core,  # type: ignore[arg-type]
            self.model,  # type: ignore[arg-type]
            analyst,
            ["小秘"],
            lambda what, _: self.reports.append(what),
        )
        self.token = LockToken(deadline=self.clock.monotonic() + self.config.secretary.lock_timeout)

    def _changed(self) -> None:
        self.changes.append(self.seat.presence.state)
        self.desk.log.append(self.seat.presence.state.value)

    async def work(self, *items: TurnItem, context: Sequence[LedgerMessage] = ()) -> None:
        turn = Turn(GROUP, items, (*context, *(one.message for one in items)))
        try:
            await self.secretary.run_turn(self.seat, turn, self.token)
        finally:
            self.seat.close()


def item(
    trigger: Trigger = Trigger.SUMMON, text: str = "在吗", number: int = 100, **changed: Any
) -> TurnItem:
    return TurnItem(trigger, line(number, text), text, **changed)


def judged(*flags: str, **more: Any) -> dict[str, Any]:
    return {**dict.fromkeys(flags, True), **more}
