"""A stage for one sample: the real core and agents, a database, a clock that stands, a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import (
    DEFAULT,
    AgentSpec,
    Mention,
    RegisteredAgents,
    Request,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Utterance,
)
from nonebot_plugin_mishu.app.assembly import assemble
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.core import local_verdict
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.core.situation import situation
from nonebot_plugin_mishu.llm import CallLog, Deadline
from nonebot_plugin_mishu.secretary.plans import SettledPlan, find_agreed_plan, locate_plan
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage

from .loading import AGENTS_OF
from .sample import Line, Sample
from .scripted import ScriptedModel, ready
from .tables import laid_out

if TYPE_CHECKING:
    from nonebot_plugin_mishu.llm import ModelClient

ACCOUNT = "10000"
NAME = "秘书"
PATIENT = 30.0
"""Seconds a sample waits for its database: how busy the machine is, is no difference."""
FOLLOW_UP = 60.0
"""Seconds after our reply in which a member's unaddressed line may be an order (product section 1)."""


class StandingClock(Clock):
    """A clock that shows what the sample says and moves only when told."""

    def __init__(self, zone: ZoneInfo, began: float) -> None:
        super().__init__(zone)
        self.now = began
        self._receipts = 0

    def wall(self) -> float:
        return self.now

    def receipt(self) -> int:
        self._receipts += 1
        return int(self.now * 1e9) + self._receipts


class Watched:
    """The agents of a sample, with a note of each that is called: the plugin's own, and those of the plugins
    that the sample names."""

    def __init__(self, agents: RegisteredAgents, called: list[str], plugins: Sequence[str]) -> None:
        self._agents = agents
        self._called = called
        others = (codes for name, codes in AGENTS_OF.items() if name not in plugins)
        self._hidden = frozenset[str]().union(*others)

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code."""
        spec = None if code in self._hidden else self._agents.get(code)
        return None if spec is None else self._noting(spec)

    def __iter__(self) -> Iterator[AgentSpec]:
        return iter([self._noting(spec) for spec in self._agents if spec.code not in self._hidden])

    def _noting(self, spec: AgentSpec) -> AgentSpec:
        async def handler(dispatch: TaskDispatch, task_context: TaskContext) -> TaskResult:
            self._called.append(spec.code)
            does = spec.handler_of(task_context.intent)
            assert does is not None
            return await does(dispatch, task_context)

        return replace(spec, handler=handler)


@dataclass
class Heard:
    """Reply and effects of one line."""

    gate: str
    frames: list[str]
    dispatched: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    status: str | None = None
    reply: str | None = None
    calls: list[str] = field(default_factory=list[str])


class Stage:
    """Says lines to the core as members would, and looks at what is there afterwards."""

    def __init__(self, sample: Sample, url: str) -> None:
        self._sample = sample
        self._url = url
        self._clock = StandingClock(ZoneInfo(sample.zone), sample.began.timestamp())
        self._config = Config(timezone=sample.zone)
        self._model = ScriptedModel(online=sample.online)
        # A place of its own: what an agent of another plugin keeps in memory is no other sample's.
        number = str(20_000 + crc32(sample.name.encode()) % 1_000_000)
        kind, peer = ("private", self._user(sample.talk[0].who)) if sample.private else ("group", number)
        self._conversation = Conversation(ACCOUNT, kind, peer)  # type: ignore[arg-type]
        self._said: list[LedgerMessage] = []
        self._replied: dict[str, float] = {}
        self._dispatched: list[str] = []

    @classmethod
    @asynccontextmanager
    async def open(cls, sample: Sample, folder: Path) -> AsyncIterator[Stage]:
        """A stage with everything on it."""
        stage = cls(sample, await laid_out(folder))
        await stage._begin()
        try:
            yield stage
        finally:
            await stage._end()

    @property
    def storage(self) -> Storage:
        """The database of this sample."""
        return self._storage

    async def say(self, line: Line) -> Heard:
        """One line, with the time before it and the restart where there is one."""
        self._clock.now += line.after
        if line.restart:
            await self._end()
            await self._begin()
        await self._interior.core.expire()
        self._model.script(line.model)
        user = self._user(line.who)
        words = line.say.removeprefix(f"@{NAME}").strip()
        called = words != line.say.strip() or self._sample.private or line.quote == "bot"
        addressed = called if line.to_bot is None else line.to_bot
        message = self._message(line.who, words, line.mentions, called=addressed)
        self._hear(message)
        heard = Heard(local_verdict(words).verdict, self._frames(words))
        reply_mode = self._way(user, words, addressed, line)
        self._dispatched.clear()
        self._model.asked.clear()
        planned = self._planned(line) if reply_mode is None else None
        if planned is not None:
            await self._handle(line, planned.said, planned.words, "overheard", heard, planned=True)
        if reply_mode is None and heard.reply is None and line.look is not None:
            reply_mode = line.look.reply
        if reply_mode is not None:
            await self._handle(line, message, words, reply_mode, heard)
        heard.dispatched = list(self._dispatched)
        heard.calls = list(self._model.asked)
        heard.open = await self._open_of(user)
        return heard

    async def open_tasks(self) -> list[str]:
        """Everybody's open tasks, `member: agent status`."""
        people = dict.fromkeys(line.who for line in self._sample.talk)
        return [f"{who}: {task}" for who in people for task in await self._open_of(self._user(who))]

    async def rows(self, what: str) -> list[dict[str, Any]]:
        """The rows of an agent's table, as the API shows them."""
        from .rows import READERS

        return await READERS[what](self._storage, self._conversation, self._clock.zone)

    def _hear(self, message: LedgerMessage) -> None:
        """Into the talk and into the ledger, as the front desk does with every message."""
        self._said.append(message)
        self._storage.ledger.append(message)

    async def _begin(self) -> None:
        self._storage = await Storage.open(
            self._url, on_trouble=_ignore, deadline=PATIENT, now=self._clock.wall
        )
        model = cast("ModelClient", self._model)
        self._interior = assemble(
            self._config,
            self._clock,
            self._storage,
            model,
            (NAME,),
            _raise,
            watched=lambda agents: Watched(agents, self._dispatched, self._sample.plugins),
            members=self._members,
        )
        await self._interior.core.start()

    async def _members(self, conversation: Conversation) -> list[Mention]:
        """The platform's list of the group; none where nobody is silent."""
        listed = self._sample.roster()
        silent = len(listed) > len(self._sample.known_members())
        return [Mention(*each) for each in listed.values()] if silent else []

    async def _end(self) -> None:
        await self._interior.close()
        await self._storage.close()

    async def _handle(
        self,
        line: Line,
        message: LedgerMessage,
        words: str,
        reply_mode: str,
        heard: Heard,
        *,
        planned: bool = False,
    ) -> None:
        member = self._sample.members.get(line.who)
        utterance = Utterance(
            message,
            words,
            self._quoted(line.quote),
            superuser=member.superuser if member is not None else False,
            mentions=tuple(Mention(self._user(name), name) for name in line.mentions),
            members=tuple(Mention(*each) for each in self._sample.known_members()),
        )
        request = Request(
            conversation=self._conversation,
            utterances=(utterance,),
            context=tuple(self._said),
            reply_mode=reply_mode,  # type: ignore[arg-type]
            persona=None,
            bot_names=(NAME,),
            judgement=ready(DEFAULT),
            now=self._clock.wall(),
            deadline=Deadline.after(10, self._clock.monotonic),
            calls=CallLog(),
            today=self._clock.today_began(),
            planned=planned,
        )
        outcome = await self._interior.core.handle(request)
        heard.reply, heard.status = outcome.text, outcome.status
        if outcome.text is not None:
            sent = self._message(None, outcome.text)
            self._hear(sent)
            self._replied[message.user_id] = self._clock.wall() + FOLLOW_UP
            await self._interior.core.delivered(self._conversation, outcome, sent.message_id)

    def _planned(self, line: Line) -> SettledPlan | None:
        """The plan that a look words, or that the rules hear in the talk, and the line of whoever set its
        time."""
        now = self._clock.local(self._clock.wall())
        if line.look is not None and line.look.plan is not None:
            return locate_plan(line.look.plan, self._said, now)
        return find_agreed_plan(self._said, now)

    def _way(self, user: str, words: str, addressed: bool, line: Line) -> str | None:
        """As the front desk decides: addressed, an answer, an order, overheard, or only heard."""
        core = self._interior.core
        if addressed:
            return "forced"
        if line.quote is None and core.awaits(self._conversation, user, words):
            return "core"
        if line.quote is None and core.votes(self._conversation, user, words, mentions=bool(line.mentions)):
            return "core"
        if self._replied.get(user, 0.0) > self._clock.wall() and core.reads_as_order(words):
            return "core"
        if line.quote is None and core.amends(self._conversation, user, words, self._clock.wall()):
            return "core"
        if line.quote is None and core.overhears(self._conversation, user, words, self._clock.wall()):
            return "overheard"
        return None

    def _frames(self, words: str) -> list[str]:
        where = situation(self._clock.wall(), self._clock.zone, private=self._sample.private)
        reading = read(words, where, self._interior.agents)
        return [f"{frame.agent_code}.{frame.intent}" for frame in reading.frames]

    async def _open_of(self, user: str) -> list[str]:
        tasks = [task for task in await self._storage.frames.open() if task.user_id == user]
        ordered = sorted(tasks, key=lambda task: (not task.focus, task.created_at, task.place))
        return [f"{task.agent_code} {task.status}" for task in ordered]

    def _quoted(self, quote: str | None) -> LedgerMessage | None:
        if quote is None:
            return None
        for said in reversed(self._said):
            if said.is_bot if quote == "bot" else said.text == quote:
                return said
        return None

    def _message(
        self, who: str | None, text: str, mentions: Sequence[str] = (), *, called: bool = False
    ) -> LedgerMessage:
        member = self._sample.members.get(who) if who is not None else None
        return LedgerMessage(
            conversation=self._conversation,
            message_id=str(len(self._said) + 1),
            time=self._clock.wall(),
            receipt=self._clock.receipt(),
            user_id=ACCOUNT if who is None else self._user(who),
            name=NAME if who is None else self._sample.card(who),
            role=member.role if member is not None else "member",
            text=text,
            segments=[{"type": "at", "data": {"qq": self._user(name)}} for name in mentions],
            is_bot=who is None,
            addressed=called,
        )

    def _user(self, who: str) -> str:
        return self._sample.user(who)


def _ignore(sentence: str) -> None:
    """Trouble with the database shows in the end state."""


def _raise(what: str, error: BaseException) -> None:
    """An error that a running bot would log is a failed sample."""
    raise error
