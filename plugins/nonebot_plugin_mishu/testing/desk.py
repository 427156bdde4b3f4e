"""The desk of a test: members say lines, and the real core and agents work on them, over a real database."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import make_url

from ..agents import (
    DEFAULT,
    REGISTRY,
    AgentSpec,
    Judgement,
    Mention,
    Outcome,
    Registry,
    ReplyMode,
    Request,
    Utterance,
    register_agent,
)
from ..app.assembly import assemble
from ..config import Config
from ..core.decision import read
from ..core.situation import situation
from ..llm import CallLog, Deadline
from ..storage import Storage, default_url
from ..storage.records import Conversation, FrameRecord, LedgerMessage, Role
from .heard import AgentFailed, OpenQuestion, Quotable, ReadFrame, Reply, Sent, message_of
from .sides import KeptVoice, StandingClock, Watched, no_model

NAME: Final = "秘书"
BEGAN: Final = "2026-11-18T10:00"
"""A Wednesday."""
ZONE: Final = "Asia/Shanghai"
_ACCOUNT: Final = "10000"
_GROUP: Final = "20001"
_FOLLOW_UP: Final = 60.0
"""Seconds after a reply in which a line that nobody addressed to us may be an order."""
_PATIENCE: Final = 30.0
"""Seconds that a line may take."""

_tables: bytes | None = None


class Desk:
    """A group (or one member's private talk) with the bot in it. `open` makes one.

    Names stand for members; each has a number (`id`) from the first time it is used.
    """

    def __init__(
        self, agents: Registry, url: str, clock: StandingClock, *, private: bool, strict: bool
    ) -> None:
        self.clock = clock
        self.errors: list[str] = []
        """What the log was told of errors, each with the kind of the error."""
        self.sent: list[Sent] = []
        """Everything that was said without being a reply."""
        self.voice = KeptVoice(self._keep)
        """What the bot says unasked goes here: `voice.silenced`, `voice.off`."""
        self._agents = agents
        self._url = url
        self._private = private
        self._strict = strict
        self._config = Config(timezone=str(clock.zone))
        self._people: dict[str, Mention] = {}
        self._roles: dict[str, Role] = {}
        self._superusers: set[str] = set()
        self._talk: list[LedgerMessage] = []
        self._replied: dict[str, float] = {}
        self._called: list[str] = []
        self._failed: BaseException | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        *specs: AgentSpec,
        now: datetime | str = BEGAN,
        zone: str = ZONE,
        private: bool = False,
        strict: bool = True,
    ) -> AsyncGenerator[Desk]:
        """A desk with these agents beside ours; without any, with those that are registered already.

        `now` is when it begins, by its own clock. `private`: a friend's private talk. `strict`: an error in
        an agent ends the line with `AgentFailed`; else it is only in `errors`. Raises `AgentRefused`.
        """
        agents = Registry() if specs else REGISTRY
        for spec in specs:
            register_agent(spec, agents)
        at = datetime.fromisoformat(now) if isinstance(now, str) else now
        with tempfile.TemporaryDirectory(prefix="mishu-desk-") as folder:
            url = await _laid_out(Path(folder))
            desk = cls(agents, url, StandingClock(ZoneInfo(zone), at), private=private, strict=strict)
            await desk._begin()
            try:
                yield desk
            finally:
                await desk._end()

    # Members

    def id(self, who: str) -> str:
        """The number of a member, as agents see it."""
        return self._member(who).user_id

    def member(self, who: str, *, role: Role = "member", superuser: bool = False) -> str:
        """Tell who is more than an ordinary member; their number."""
        self._roles[who] = role
        if superuser:
            self._superusers.add(who)
        return self.id(who)

    # Lines

    async def call(
        self, who: str, words: str, *, at: Sequence[str] = (), quote: Quotable | None = None
    ) -> Reply:
        """A member says a line to the bot. `at` are members mentioned in it. Raises `AgentFailed`."""
        return await self._say_line(who, words, at, message_of(quote), called=True)

    async def say(
        self, who: str, words: str, *, at: Sequence[str] = (), quote: Quotable | None = None
    ) -> Reply:
        """A member says a line and calls nobody, unless it begins with @秘书 or quotes the bot; in private
        every line is said to the bot. Raises `AgentFailed`."""
        bare = words.removeprefix(f"@{NAME}").strip()
        quoted = message_of(quote)
        called = bare != words.strip() or (quoted is not None and quoted.is_bot) or self._private
        return await self._say_line(who, bare, at, quoted, called=called)

    async def later(
        self, seconds: float = 0.0, *, minutes: float = 0.0, hours: float = 0.0
    ) -> tuple[Sent, ...]:
        """Move the clock on, and end the questions whose time is over; what was said of it."""
        before = len(self.sent)
        self.clock.move(seconds + 60 * minutes + 3600 * hours)
        await self._services.core.expire()
        self._raise_failed()
        return tuple(self.sent[before:])

    async def restart(self) -> None:
        """The bot is killed and started again: what is on disk is there, what was in memory is not."""
        await self._end()
        await self._begin()

    async def recall(self, message: LedgerMessage) -> None:
        """A member takes a line back: what it has open is over."""
        await self._services.core.drop(self._where, message.message_id)

    def said(self, who: str) -> LedgerMessage:
        """The last line of a member, to be quoted or recalled."""
        return next(one for one in reversed(self._talk) if one.user_id == self.id(who))

    # What there is

    def read(self, words: str, *, called: bool = True) -> tuple[ReadFrame, ...]:
        """Frames the local rules read in a line; nothing is executed."""
        where = situation(self.clock.wall(), self.clock.zone, private=self._private, addressed=called)
        frames = read(words, where, self._services.agents).frames
        return tuple(
            ReadFrame(one.agent_code, one.intent, dict(one.slots), one.sure, one.text) for one in frames
        )

    async def questions(self, who: str | None = None) -> tuple[OpenQuestion, ...]:
        """The open questions, oldest first: all, or those that a member is to answer."""
        found = [self._question(task) for task in await self._storage.frames.open() if task.waits]
        return tuple(one for one in found if who is None or who in one.asked)

    async def tasks(self) -> list[FrameRecord]:
        """The tasks of the conversation, the latest first, whatever became of them."""
        return list(await self._storage.frames.latest(self._where, 100))

    @property
    def agents(self) -> Iterator[AgentSpec]:
        """All agents at the desk, ours first."""
        return iter(self._services.agents)

    # Inside

    @property
    def _where(self) -> Conversation:
        if self._private and self._people:
            return Conversation(_ACCOUNT, "private", next(iter(self._people.values())).user_id)
        return Conversation(_ACCOUNT, "group", _GROUP)

    async def _begin(self) -> None:
        self._storage = await Storage.open(
            self._url, on_trouble=self.errors.append, deadline=_PATIENCE, now=self.clock.wall
        )
        self._services = assemble(
            self._config,
            self.clock,
            self._storage,
            no_model(),
            (NAME,),
            self._report,
            self.voice.allows,
            self.voice,
            watched=lambda joined: Watched(joined, self._called),
            others=self._agents,
        )
        await self._services.core.start(self.voice)

    async def _end(self) -> None:
        await self._services.close()
        await self._storage.close()

    def _report(self, what: str, error: BaseException) -> None:
        self.errors.append(f"{what}：{type(error).__name__}")
        self._failed = self._failed or error

    def _raise_failed(self) -> None:
        failed, self._failed = self._failed, None
        if failed is not None and self._strict:
            raise AgentFailed(self.errors[-1]) from failed

    async def _say_line(
        self, who: str, words: str, at: Sequence[str], quoted: LedgerMessage | None, *, called: bool
    ) -> Reply:
        me = self._member(who)
        mentions = tuple(self._member(name) for name in at)
        mode = self._mode(me.user_id, words, called=called, quotes=quoted is not None)
        message = self._record_line(me.user_id, who, words, mentions, called=called)
        frames, before = self.read(words, called=called), len(self.sent)
        self._called.clear()
        outcome: Outcome | None = None
        answer: LedgerMessage | None = None
        if mode is not None:
            superuser = who in self._superusers
            people = () if self._private else tuple(self._people.values())
            utterance = Utterance(message, words, quoted, superuser, mentions, people)
            outcome = await self._services.core.handle(self._request(utterance, mode))
            if outcome.text is not None:
                answer = self._record_line(_ACCOUNT, NAME, outcome.text)
                self._replied[me.user_id] = self.clock.wall() + _FOLLOW_UP
                await self._services.core.delivered(self._where, outcome, answer.message_id)
        self._raise_failed()
        return Reply(
            outcome.text if outcome is not None else None,
            outcome.status if outcome is not None else None,
            frames,
            tuple(self._called),
            outcome.actions if outcome is not None else (),
            await self.questions(),
            tuple(self.sent[before:]),
            answer,
        )

    def _request(self, utterance: Utterance, mode: ReplyMode) -> Request:
        judgement: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        judgement.set_result(DEFAULT)
        return Request(
            conversation=self._where,
            utterances=(utterance,),
            context=tuple(self._talk),
            reply_mode=mode,
            persona=None,
            bot_names=(NAME,),
            judgement=judgement,
            now=self.clock.wall(),
            deadline=Deadline.after(_PATIENCE, self.clock.monotonic),
            calls=CallLog(),
            today=self.clock.today_began(),
        )

    def _mode(self, user_id: str, words: str, *, called: bool, quotes: bool) -> ReplyMode | None:
        """As the front desk decides: addressed, an answer, an order, overheard, or only heard."""
        core, where = self._services.core, self._where
        if called:
            return "forced"
        if not quotes and core.awaits(where, user_id, words):
            return "core"
        if not quotes and core.votes(where, user_id, words):
            return "core"
        if self._replied.get(user_id, 0.0) > self.clock.wall() and core.reads_as_order(words):
            return "core"
        if not quotes and core.overhears(where, user_id, words, self.clock.wall()):
            return "overheard"
        return None

    def _member(self, who: str) -> Mention:
        if who not in self._people:
            self._people[who] = Mention(str(30001 + len(self._people)), who)
        return self._people[who]

    def _name(self, user_id: str) -> str:
        return next((one.name for one in self._people.values() if one.user_id == user_id), user_id)

    def _question(self, task: FrameRecord) -> OpenQuestion:
        owner = self._name(task.user_id)
        return OpenQuestion(
            task.agent_code,
            task.intent,
            owner,
            tuple(self._name(each) for each in task.asked_of) or (owner,),
            task.question or "",
            tuple(task.missing_slots),
            {name: value for name, value in task.slots.items() if not name.startswith("_")},
            task,
        )

    def _record_line(
        self, user_id: str, name: str, text: str, mentions: Sequence[Mention] = (), *, called: bool = False
    ) -> LedgerMessage:
        """A line in the talk and in the ledger, as the front desk keeps every message."""
        message = LedgerMessage(
            conversation=self._where,
            message_id=str(len(self._talk) + 1),
            time=self.clock.wall(),
            receipt=self.clock.receipt(),
            user_id=user_id,
            name=name,
            role=self._roles.get(name, "member"),
            text=text,
            segments=[{"type": "at", "data": {"qq": one.user_id}} for one in mentions],
            is_bot=user_id == _ACCOUNT,
            addressed=called,
        )
        self._talk.append(message)
        self._storage.ledger.append(message)
        return message

    def _keep(self, there: Conversation, text: str, mentions: Sequence[str], privately: bool) -> str:
        here = there == self._where and not privately
        message = self._record_line(_ACCOUNT, NAME, text) if here else None
        group = there.peer if there.is_group and not privately else None
        self.sent.append(Sent(text, tuple(self._name(each) for each in mentions), group, message))
        return message.message_id if message is not None else f"sent-{len(self.sent)}"


async def _laid_out(folder: Path) -> str:
    """The address of an empty database with all tables: made once a process, and copied."""
    global _tables
    url = default_url(folder)
    file = Path(make_url(url).database or "")
    if _tables is None:
        await (await Storage.open(url, on_trouble=_never)).close()
        _tables = await asyncio.to_thread(file.read_bytes)
    else:
        await asyncio.to_thread(file.write_bytes, _tables)
    return url


def _never(sentence: str) -> None:
    """A file nobody else knows gives no trouble; where it does, opening fails."""
