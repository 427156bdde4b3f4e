"""A core over stand-ins: agents that note what they are asked, a model, M3 in memory, virtual time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import task_contexts
from nonebot_plugin_mishu.agents import (
    AgentSpec,
    AnswerMatch,
    Clause,
    Intent,
    Match,
    MemoryPolicy,
    Outcome,
    Priority,
    Registry,
    Request,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Utterance,
)
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.core import Core, FramesInMemory, NoMemory
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.llm import ChatMessage
from nonebot_plugin_mishu.storage import DatabaseFull
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord
from stand_ins import BOT, GROUP, FakeModel, line
from virtual_time import VirtualClock

Handler = Callable[[TaskDispatch, TaskContext], Any]


class Agent:
    """An agent whose rules look for a word. `does` is its handler's body; without one it says 好：words."""

    def __init__(self, code: str, word: str, does: Handler | None = None, **spec: Any) -> None:
        self.code = code
        self.does = does
        self.seen: list[tuple[TaskDispatch, TaskContext]] = []
        self.sure = spec.pop("sure", True)
        intents = spec.pop("intents", (Intent("do", f"{code}的事"),))

        def rules(clause: Clause) -> Match | None:
            return Match(intents[0].name, 3, self.sure) if re.search(word, clause.text) else None

        self.spec = AgentSpec(
            code=code,
            name=code,
            intents=intents,
            boundary=f"只管{word}",
            handler=self._handle,
            rules=rules,
            **spec,
        )

    async def _handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        self.seen.append((dispatch, context))
        if self.does is None:
            return TaskResult(dispatch.task_id, "completed", user_response=f"好：{context.text}")
        result = self.does(dispatch, context)
        return await result if asyncio.iscoroutine(result) else result


def days(clause: Clause) -> str | None:
    found = re.search(r"[一二两三四五六七八九十半\d]+天", clause.text)
    return found.group(0) if found else None


def ask_duration(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    """A handler that needs a duration."""
    if "duration" not in dispatch.slots:
        return TaskResult(dispatch.task_id, "awaiting_user", {}, ("duration",), None, "持续多久了？")
    return TaskResult(dispatch.task_id, "completed", user_response=f"挂好了（{dispatch.slots['duration']}）")


def triage(**spec: Any) -> Agent:
    slot = Slot("duration", "持续多久了？", required=True, read=days)
    usual: dict[str, Any] = {"slots": (slot,), "priority": Priority.FOCUS, "focus": True}
    return Agent("triage", "挂号|头痛", ask_duration, **{**usual, **spec})


def parking() -> Agent:
    return Agent("smartCS", "停车")


def queue() -> Agent:
    return Agent("queue", "几个人", priority=Priority.ADMIN)


def talk() -> Agent:
    return Agent(
        "chat", "$^", lambda dispatch, context: _said(dispatch, "嗯嗯"), intents=(Intent("chitchat", "闲聊"),)
    )


def _said(dispatch: TaskDispatch, text: str | None) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed", user_response=text)


class Store(FramesInMemory):
    """M3 that can fail, and that notes when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.log: list[tuple[str, str]] = []

    async def put(self, *frames: FrameRecord) -> None:
        await asyncio.sleep(0)
        if self.broken:
            raise DatabaseFull
        await super().put(*frames)
        self.log.extend((frame.agent_code, frame.status) for frame in frames)


class Remembering(NoMemory):
    def __init__(self) -> None:
        self.rounds: list[tuple[str, str, str]] = []
        self.kept: list[tuple[str, str]] = []

    async def remembered(
        self, conversation: Conversation, user_id: str, limit: int
    ) -> tuple[ChatMessage, ...]:
        mine = [said for said in self.rounds if said[0] == user_id][-limit:]
        return tuple(
            ChatMessage(role, text)
            for _, one, two in mine
            for role, text in (("user", one), ("assistant", two))
        )

    async def said(self, conversation: Conversation, user_id: str, user_text: str, reply: str) -> None:
        self.rounds.append((user_id, user_text, reply))

    async def summarised(self, frame: FrameRecord, reply: str) -> None:
        self.kept.append((frame.agent_code, frame.status))


class Bench:
    """Say lines as members with `say`."""

    def __init__(
        self,
        *agents: Agent,
        model: FakeModel | None = None,
        store: Store | None = None,
        config: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.agents = {agent.code: agent for agent in (*agents, talk())}
        if "chat" in [agent.code for agent in agents]:
            self.agents = {agent.code: agent for agent in agents}
        self.model = model or FakeModel(online=False)
        self.store = store or Store()
        self.memory = Remembering()
        self.clock = VirtualClock()
        self.reports: list[str] = []
        self.core = Core(
            Config.model_validate(config or {}),
            self.clock,
            Registry([agent.spec for agent in self.agents.values()]),
            self.model,  # type: ignore[arg-type]
            self.store,
            read=options.pop("read", read),
            report=options.pop("report", lambda what, error: self.reports.append(what)),
            memory=self.memory,
            **options,
        )
        self._number = 0

    def request(self, user: str, text: str, **changed: Any) -> Request:
        self._number += 1
        now = self.clock.wall()
        quoted = changed.pop("quoted", None)
        where = changed.pop("conversation", GROUP)
        number = changed.pop("message_id", f"m{self._number}")
        message = line(number, text, time=now, user_id=user, name=f"名{user}", conversation=where)
        return task_contexts.request(Utterance(message, text, quoted), budget=70.0, **changed)

    async def say(self, user: str, text: str, **changed: Any) -> Outcome:
        return await self.core.handle(self.request(user, text, **changed))

    def open(self, user: str, conversation: Conversation = GROUP) -> list[str]:
        tasks = self.core._tasks.of(conversation, user)
        return [f"{task.agent_code} {task.status}" for task in tasks]

    def seen(self, code: str) -> list[str]:
        return [context.text for _, context in self.agents[code].seen]


def ours(text: str, message_id: str = "sent-1") -> Any:
    """A message of the bot's, as a line quotes it."""
    return replace(line(message_id, text), user_id=BOT, is_bot=True)


def bound_by(relation: Any, word: str) -> Callable[[FrameRecord, Clause], AnswerMatch | None]:
    """Rules of an agent that take one word for an answer."""
    return lambda task, clause: AnswerMatch(relation) if clause.text == word else None


def remembers(turns: int) -> MemoryPolicy:
    return MemoryPolicy(turns=turns, summaries=1)
