"""A group, a clock that stands where it is put, a storage on disk, and lines said to the agent one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import (
    Asker,
    Situation,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Utterance,
)
from nonebot_plugin_mishu.agents.api.references import ListedReferences
from nonebot_plugin_mishu.agents.schedule import schedule_spec
from nonebot_plugin_mishu.agents.schedule.candidates.reading import clause_of
from nonebot_plugin_mishu.agents.schedule.rules import rules
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.error_log import log_error
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord, LedgerMessage
from nonebot_plugin_mishu.storage.schedules.queries import Add
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from task_contexts import Said, request

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=SHANGHAI)
"""A Wednesday."""
GROUP = Conversation("10000", "group", "777001")
MING = Asker("30001", "小明")
HONG = Asker("30002", "小红")
BOSS = Asker("30009", "群主", role="owner")
ROOT = Asker("30099", "站长", superuser=True)


def at(text: str, zone: ZoneInfo = SHANGHAI) -> datetime:
    """A wall time."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)


class ScriptedModel:
    """Stands for `ModelClient`: answers by call name, in order; the last one stays."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {
            name: list(said) if isinstance(said, list) else [said] for name, said in answers.items()
        }
        self.online = True
        self.asked: list[SimpleNamespace] = []

    async def structured(self, name: str, data: Any, answer: Any, **more: Any) -> Any:
        self.asked.append(SimpleNamespace(name=name, data=data, **more))
        waiting = self.answers.get(name)
        if not waiting:
            raise ModelError("timeout", name)
        given = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(given, Exception):
            raise given
        try:
            return answer.model_validate(given)
        except ValueError:
            raise ModelError("invalid", name) from None

    def names(self) -> list[str]:
        return [call.name for call in self.asked]

    def data(self, name: str) -> Any:
        return [call.data for call in self.asked if call.name == name][-1]


class Offline:
    """No model at all."""

    online = False

    async def structured(self, name: str, *_: Any, **__: Any) -> Any:
        raise ModelError("offline", name)


class Office:
    """Says lines to the agent as the core does: rules, dispatch, open questions kept between lines."""

    def __init__(self, storage: Storage, model: Any = None, **config: Any) -> None:
        self.storage = storage
        self.model = model or Offline()
        self.now = NOW
        lately = ListedReferences(storage.spoken_of, log_error)
        self.spec = schedule_spec(
            storage, self.model, Config(**config), lately, wall=lambda: self.now.timestamp()
        )
        self.frames: dict[tuple[str, Conversation], FrameRecord] = {}
        self.sure = True
        """True if the rules vouch for what is said, where a line does not say otherwise."""
        self._numbers = itertools.count(1)

    async def say(
        self,
        text: str,
        actor: Asker = MING,
        *,
        reply_mode: Any = "forced",
        intent: str | None = None,
        quoted: str | None = None,
        conversation: Conversation = GROUP,
        origin: str | None = None,
        sure: bool | None = None,
    ) -> Said:
        number = next(self._numbers)
        message = self._message(number, text, actor, conversation)
        earlier = None
        if quoted is not None:
            earlier = replace(message, message_id=f"q{number}", text=quoted, user_id="10000", is_bot=True)
        situation = Situation(
            self.now, private=not conversation.is_group, addressed=reply_mode != "overheard", quoted=quoted
        )
        clause = clause_of(text, situation)
        said = Utterance(message, text, quoted=earlier, superuser=actor.superuser)
        turn = request(said, reply_mode=reply_mode)
        frame = self.frames.get((actor.user_id, conversation))
        bound = None
        if frame is not None and frame.open and self.spec.answers is not None:
            bound = self.spec.answers(frame, clause)
        match = rules(clause)
        intent = intent or (match.intent if match is not None else "add")
        context = TaskContext(
            turn,
            said,
            actor,
            intent,
            clause,
            origin or f"m{number}",
            frame=self.spec.frame(intent, clause, frame if bound is not None else None),
            bound=bound,
            open=frame if bound is not None else None,
            sure=self.sure if sure is None else sure,
        )
        return Said(await self._hand_over(context, frame if bound is not None else None), context)

    async def _hand_over(self, context: TaskContext, frame: FrameRecord | None) -> TaskResult:
        actor, where = context.actor, context.conversation
        task_id = frame.task_id if frame is not None else f"t-{context.origin}"
        slots = dict(frame.slots) if frame is not None else {}
        dispatch = TaskDispatch("c", task_id, "schedule", 4, None, slots, "", "")
        result = await self.spec.handler(dispatch, context)
        waits = result.status == "awaiting_user"
        self.frames[actor.user_id, where] = FrameRecord(
            task_id,
            where,
            actor.user_id,
            "schedule",
            context.intent,
            context.text,
            result.status,
            4,
            False,
            context.origin,
            context.utterance.message.message_id,
            0,
            slots={**slots, **result.slots_update},
            missing_slots=list(result.missing_slots),
            question=result.user_response if waits else None,
            expires_at=context.keep_until,
        )
        return result

    def _message(self, number: int, text: str, actor: Asker, where: Conversation) -> LedgerMessage:
        when = self.now.timestamp()
        return LedgerMessage(where, f"m{number}", when, number, actor.user_id, actor.name, actor.role, text)

    async def live(self) -> list[ScheduleRecord]:
        return await self.storage.schedules.live(GROUP)

    async def plans(self) -> list[tuple[str, str]]:
        """Start and description of everything there is."""
        return [(each.plan.start, each.description) for each in await self.live()]

    async def have(self, *things: tuple[str, str], by: Asker = MING, **plan: Any) -> list[ScheduleRecord]:
        """Put schedules there: start and description each."""
        return await add(self.storage, things, by, f"h{next(self._numbers)}", self.now, **plan)


async def add(
    storage: Storage, things: Iterable[tuple[str, str]], by: Asker, origin: str, now: datetime, **plan: Any
) -> list[ScheduleRecord]:
    changes = [
        Add(SchedulePlan(start, str(now.tzinfo), what, **plan), f"{origin}#{place}")
        for place, (start, what) in enumerate(things)
    ]
    me = Participant(by.user_id, by.name)
    return await storage.schedules.apply(
        GROUP, me, changes, at=now.timestamp(), summary="x", remind=lambda each: None
    )
