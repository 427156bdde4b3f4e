"""The whole running plugin behind a platform that is none: lines go in, what is sent is noted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import Mention
from nonebot_plugin_mishu.app.runtime import Runtime
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.frontdesk import FrontDesk, Interest
from nonebot_plugin_mishu.frontdesk.duty.duties import Duties
from nonebot_plugin_mishu.frontdesk.lines.incoming_message import IncomingMessage, QuotedMessage, Segment
from nonebot_plugin_mishu.frontdesk.platform import Means
from nonebot_plugin_mishu.secretary import Speech
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.records import Conversation

from ..replay.rows import READERS
from .dialogue import Dialogue, Said

if TYPE_CHECKING:
    from nonebot_plugin_mishu.adapter.platforms import Platforms

ACCOUNT = "10000"
GROUP = "20000"
NAME = "秘书"
COOLDOWN = 0.3
"""Seconds for which talk is collected before it is looked at: nobody wants to sit through the real seven."""
_LOOK = 0.01
"""Seconds between looks whether all is done."""


class RunningClock(Clock):
    """A clock that begins where the dialogue does, runs, and can be put forward."""

    def __init__(self, zone: ZoneInfo, began: float) -> None:
        super().__init__(zone)
        self._origin = began - time.monotonic()
        self.ahead = 0.0

    def wall(self) -> float:
        return self._origin + time.monotonic() + self.ahead

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


@dataclass
class Group:
    """A platform with one account, that only notes what is sent and when."""

    sent: list[tuple[float, Speech]] = field(default_factory=list[tuple[float, Speech]])
    duties: Duties = field(default_factory=Duties)
    parts: tuple[()] = ()

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        self.sent.append((time.monotonic(), speech))
        return f"sent-{len(self.sent)}"

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        return True

    async def publish(self, conversation: Conversation, text: str) -> None:
        return None

    async def recording(self, *args: Any) -> bytes | None:
        return None

    def names_of(self, where: Conversation) -> tuple[str, ...]:
        return ()

    def means(self, where: Conversation) -> Means:
        return Means()

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        return None

    def can_speak(self, where: Conversation) -> bool:
        return True

    def speaker(self, where: Conversation) -> str:
        return where.self_id

    def call(self, self_id: str, name: str) -> None:
        """Nobody else is called anything."""

    def accounts(self) -> list[str]:
        return [ACCOUNT]


class Desk:
    """Says the lines of one dialogue to the running plugin."""

    def __init__(self, dialogue: Dialogue, config: Config) -> None:
        self._dialogue = dialogue
        self._clock = RunningClock(ZoneInfo(dialogue.zone), dialogue.began.timestamp())
        self.group = Group()
        first = dialogue.user(dialogue.talk[0].who)
        alone = Conversation(ACCOUNT, "private", first)
        self.conversation = alone if dialogue.private else Conversation(ACCOUNT, "group", GROUP)
        self._runtime = Runtime(
            _for_evaluation(config, dialogue), [NAME], cast("Platforms", self.group), self._clock
        )
        self._number = 0

    @classmethod
    @asynccontextmanager
    async def open(cls, dialogue: Dialogue, config: Config, folder: Path) -> AsyncIterator[Desk]:
        """A desk that listens, with a database of its own in `folder`."""
        made = cls(dialogue, config)
        await made._runtime.start(default_url(folder))
        try:
            await made._introduce_members()
            yield made
        finally:
            await made._runtime.stop()

    @property
    def storage(self) -> Storage:
        """The database of this dialogue."""
        assert self._runtime.storage is not None
        return self._runtime.storage

    def say(self, line: Said) -> str:
        """One line, as the adapter would hand it over; its id."""
        self._clock.ahead += line.after
        heard = self._heard(line)
        desk = self._desk
        interest = desk.hear(heard)
        if interest is Interest.MATTERS or (interest and not desk.passes_over(heard)):
            desk.act(heard)
        return heard.message_id

    async def rest(self, *, watched: bool) -> None:
        """Wait until nothing is under way; `watched`: nor talk that waits to be looked at."""
        while not self._desk.at_rest(watched=watched):  # noqa: ASYNC110 - nobody is told when it rests
            await asyncio.sleep(_LOOK)

    async def rows(self, what: str) -> list[dict[str, Any]]:
        """The rows of an agent's table, as the API shows them."""
        return await READERS[what](self.storage, self.conversation, self._clock.zone)

    async def known_members(self) -> Sequence[Mention]:
        """Whom the desk knows by name."""
        return (await self._desk.rooms.opened(self.conversation)).members()

    async def _introduce_members(self) -> None:
        """Tell the desk everybody's card, as a platform that is asked would."""
        ledger = (await self._desk.rooms.opened(self.conversation)).ledger
        for user_id, card in self._dialogue.known_members():
            ledger.introduce(user_id, card)

    @property
    def _desk(self) -> FrontDesk:
        assert self._runtime.desk is not None
        return self._runtime.desk

    def _heard(self, line: Said) -> IncomingMessage:
        self._number += 1
        words = line.say.removeprefix(f"@{NAME}")
        called = words != line.say
        parts = [Segment("at", self._dialogue.user(name)) for name in line.mentions]
        parts = [*([Segment("at", ACCOUNT)] if called else []), *parts, Segment("text", words.strip())]
        quote = self._last_sent() if line.quote == "bot" else None
        if quote is not None:
            parts = [Segment("reply", quote.message_id), *parts]
        keys = {"text": "text", "at": "qq", "reply": "id"}
        member = self._dialogue.members.get(line.who)
        return IncomingMessage(
            conversation=self.conversation,
            message_id=f"m{self._number}",
            time=float(int(self._clock.wall())),
            receipt=self._clock.receipt(),
            user_id=self._dialogue.user(line.who),
            name=self._dialogue.card(line.who),
            role=member.role if member is not None else "member",
            segments=tuple(parts),
            raw_segments=tuple({"type": one.kind, "data": {keys[one.kind]: one.value}} for one in parts),
            heard_at=self._clock.monotonic(),
            superuser=member is not None and member.superuser,
            quote=quote,
        )

    def _last_sent(self) -> QuotedMessage | None:
        if not self.group.sent:
            return None
        return QuotedMessage(f"sent-{len(self.group.sent)}", ACCOUNT, NAME, self.group.sent[-1][1].text)


def _for_evaluation(config: Config, dialogue: Dialogue) -> Config:
    """The configuration with nothing to sit through, and every group and member heard."""
    return config.model_copy(
        update={
            "timezone": dialogue.zone,
            "groups": config.groups.model_copy(update={"mode": "all"}),
            "qq": config.qq.model_copy(update={"send_gap": 0.0}),
            "secretary": config.secretary.model_copy(update={"cooldown": COOLDOWN, "patience": []}),
        }
    )
