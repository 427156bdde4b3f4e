"""A member, a clock that stands where it is put, a storage on disk, and lines said one by one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import (
    Asker,
    Clause,
    Mention,
    Priority,
    Situation,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Utterance,
)
from nonebot_plugin_mishu.agents.api.references import ListedReferences
from nonebot_plugin_mishu.agents.tasks import TasksAgent
from nonebot_plugin_mishu.agents.tasks.reader import read, replies
from nonebot_plugin_mishu.agents.tasks.rules import rules
from nonebot_plugin_mishu.config import TasksConfig as TasksConfig
from nonebot_plugin_mishu.error_log import log_error
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise
from nonebot_plugin_mishu.llm import (
    ChatMessage,
    ModelError,
    RejectedCall,
    ToolCall,
    ToolTurn,
)
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord, LedgerMessage
from stand_ins import BOT, GROUP
from task_contexts import Said, request

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 2, 5, 10, 0, tzinfo=SHANGHAI)
"""Seed 1's today, a Thursday."""
MING = Asker("30001", "小明")
HONG = Asker("30002", "小红")
ADMIN = Asker("30009", "管理", role="admin")
_NUMBERS = itertools.count(1)
"""Messages: an origin is never used twice."""
PRIVATE = Conversation(BOT, "private", "30001")


def at(text: str, zone: ZoneInfo = SHANGHAI) -> datetime:
    """A wall time."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def clause_of(text: str, now: datetime = NOW, **more: Any) -> Clause:
    """A line as the core reads it."""
    line = normalise(text)
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    return Clause(line, Situation(now, **more), tuple(parse(line, now, zone)))


class ScriptedModel:
    """Stands for `ModelClient`: plays rounds. A round is a text, a list of calls, an error, or both."""

    def __init__(self, *rounds: Any, online: bool = True) -> None:
        self.rounds = list(rounds)
        self.online = online
        self.seen: list[list[ChatMessage]] = []

    async def tools(self, name: str, messages: Sequence[ChatMessage], tools: Any, **more: Any) -> ToolTurn:
        assert name == "manage_tasks"
        self.seen.append(list(messages))
        if not self.rounds:
            raise ModelError("timeout", name)
        played = self.rounds.pop(0)
        if callable(played):
            played = played(messages)
        if isinstance(played, Exception):
            raise played
        if isinstance(played, str):
            return ToolTurn(played, (), (), ChatMessage("assistant", played))
        calls = tuple(
            ToolCall(f"c{len(self.seen)}-{index}", *call)
            for index, call in enumerate(played)
            if isinstance(call, tuple)
        )
        rejected = tuple(
            RejectedCall(f"r{len(self.seen)}-{index}", "?", call)
            for index, call in enumerate(played)
            if isinstance(call, str)
        )
        message = ChatMessage("assistant", "", calls=(*calls, *rejected), reasoning="想了想")
        return ToolTurn("", calls, rejected, message)


class Office:
    """Says lines to the agent as the core does: rules, dispatch, frame kept between lines."""

    def __init__(self, storage: Storage, model: Any = None, *, max_rounds: int = 10) -> None:
        self.storage = storage
        self.model = model or ScriptedModel(online=False)
        lately = ListedReferences(storage.spoken_of, log_error)
        self.agent = TasksAgent(
            storage, self.model, TasksConfig(max_rounds=max_rounds), lately, reads={"query_tasks"}
        )
        self.frames: dict[tuple[str, Conversation], FrameRecord] = {}

    async def say(
        self,
        text: str,
        now: datetime = NOW,
        *,
        by: Asker = MING,
        where: Conversation = GROUP,
        intent: str | None = None,
        sure: bool = True,
        mentions: tuple[Mention, ...] = (),
        quoted: str | None = None,
        history: tuple[ChatMessage, ...] = (),
        origin: str | None = None,
    ) -> Said:
        """One line. An open question of the member's here is answered by it."""
        situation: dict[str, Any] = {"mentions": mentions, "quoted": quoted, "open_tasks": True}
        clause = clause_of(text, now, private=not where.is_group, **situation)
        number = next(_NUMBERS)
        frame = self.frames.get((by.user_id, where))
        if frame is None:
            match = rules(clause)
            intent = intent or (match.intent if match is not None else "create_task")
        else:
            intent = frame.intent
        utterance = Utterance(
            LedgerMessage(where, "1", now.timestamp(), 1, by.user_id, by.name, by.role, text), text
        )
        task_context = TaskContext(
            request=request(utterance, reply_mode="core", context=()),
            utterance=utterance,
            actor=by,
            intent=intent,
            clause=clause,
            frame=replies(frame, clause) if frame else read(intent, clause),
            origin=origin or (frame.origin if frame else f"{where.peer}:{number}:0"),
            open=frame,
            sure=sure,
            history=history,
        )
        slots = dict(frame.slots) if frame else dict(task_context.frame.slots)
        task_id = frame.task_id if frame else f"t{number}"
        dispatch = TaskDispatch(where.peer, task_id, "tasks", Priority.OTHER, None, slots, "", task_id)
        result = await self.agent.handle(dispatch, task_context)
        self._keep(by, where, task_context, dispatch, result, frame)
        return Said(result, task_context)

    def _keep(
        self,
        by: Asker,
        where: Conversation,
        task_context: TaskContext,
        dispatch: TaskDispatch,
        result: TaskResult,
        frame: FrameRecord | None,
    ) -> None:
        if result.status != "awaiting_user":
            self.frames.pop((by.user_id, where), None)
            return
        known = frame or FrameRecord(
            task_id=dispatch.task_id,
            conversation=where,
            user_id=by.user_id,
            agent_code="tasks",
            intent=task_context.intent,
            text=task_context.text,
            status="awaiting_user",
            priority=4,
            focus=False,
            origin=task_context.origin,
            message_id="m",
            place=0,
        )
        self.frames[by.user_id, where] = replace(
            known,
            slots={**dispatch.slots, **result.slots_update},
            missing_slots=list(result.missing_slots),
            question=result.user_response,
        )

    async def all(self, owner: str = MING.user_id) -> list[dict[str, Any]]:
        """A member's tasks, as the HTTP API shows them."""
        from nonebot_plugin_mishu.agents.tasks import task_json

        return [task_json(task) for task in await self.storage.tasks.of_member(owner)]
