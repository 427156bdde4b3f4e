"""Seed 0's three model calls: request, response, None without a usable answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from pydantic import BaseModel, Field

from ....llm import Deadline, ModelClient, ModelError
from ....memory import clean_name, one_line
from ....prompts import prompt
from ....storage.schedules.records import WALL, ScheduleRecord
from ...api.task_context import TaskContext
from ..candidates.candidate import Operation
from ..candidates.machine import CheckedIntent, CheckIntent, ExtractInfo, GenerateOperation
from ..timetable import upcoming, wall
from ..words import WEEKDAYS
from .grounding import ModelEntry

A = TypeVar("A", bound=BaseModel)


class ExtractedCandidate(BaseModel):
    """One candidate of `extract_info`."""

    intent: Literal["add", "edit", "delete", "query"]
    need_confirm: bool = True
    old_time: str = ""
    old_description: str = ""
    new_time: str = ""
    new_description: str = ""


class ExtractedInfo(BaseModel):
    """`extract_info`'s answer."""

    candidates: list[ExtractedCandidate]


class CheckedOperations(BaseModel):
    """`check_intent`'s answer."""

    intent: CheckedIntent


class GeneratedOperation(BaseModel):
    """One operation of `generate_operation`."""

    operation: Literal["edit", "delete", "query"]
    id: int
    time: str = ""
    description: str = ""


class GeneratedOperations(BaseModel):
    """`generate_operation`'s answer, wrapped."""

    operations: list[GeneratedOperation] = Field(default_factory=list[GeneratedOperation])
    ambiguous: list[int] = Field(default_factory=list[int])
    """Which could be meant, where it cannot be told which is."""
    absent: bool = False


@dataclass(frozen=True, slots=True)
class ModelMeaning:
    """A model's interpretation of an order: operations, or possible ids."""

    operations: tuple[Operation, ...] = ()
    ambiguous: tuple[int, ...] = ()


class Calls:
    """The three calls. `timeout`: seconds per call. A failed call gives None."""

    def __init__(self, model: ModelClient, timeout: float) -> None:
        self._model = model
        self._timeout = timeout

    @property
    def online(self) -> bool:
        """True if a model is available."""
        return self._model.online

    async def extract(
        self, call: ExtractInfo, context: TaskContext, deadline: Deadline
    ) -> list[ModelEntry] | None:
        """`extract_info`."""
        answer = await self._ask("extract_info", _heard(call, context), ExtractedInfo, context, deadline)
        if answer is None:
            return None
        return [ModelEntry(**each.model_dump()) for each in answer.candidates[:20]]

    async def check(
        self, call: CheckIntent, context: TaskContext, deadline: Deadline
    ) -> CheckedIntent | None:
        """`check_intent`."""
        answer = await self._ask("check_intent", call.data, CheckedOperations, context, deadline)
        return None if answer is None else answer.intent

    async def generate(
        self,
        call: GenerateOperation,
        shown: Sequence[ScheduleRecord],
        context: TaskContext,
        deadline: Deadline,
    ) -> ModelMeaning | None:
        """`generate_operation`; `shown`: schedules given to the model."""
        data = {**call.data([entry(each, context.now) for each in shown]), "text": context.text}
        answer = await self._ask("generate_operation", data, GeneratedOperations, context, deadline)
        if answer is None:
            return None
        operations = tuple(Operation(**each.model_dump()) for each in answer.operations)
        return ModelMeaning(operations, tuple(answer.ambiguous))

    async def _ask(
        self,
        name: str,
        data: Mapping[str, object],
        shape: type[A],
        context: TaskContext,
        deadline: Deadline,
    ) -> A | None:
        if not self._model.online:
            return None
        try:
            return await self._model.structured(
                name,
                data,
                shape,
                instructions=prompt(name),
                facts=f"现在是{_now(context.now)}。",
                deadline=deadline.earlier(self._timeout),
                conversation=context.conversation,
                writes=True,
                log=context.calls,
            )
        except ModelError:
            return None


def entry(schedule: ScheduleRecord, now: datetime) -> dict[str, object]:
    """Schedule as given to `generate_operation`, with its next occurrence."""
    start = upcoming(schedule.plan, now) or schedule.plan.begins
    found: dict[str, object] = {"id": schedule.id, "time": wall(start), "description": schedule.description}
    told = {
        "end": schedule.plan.end,
        "place": schedule.plan.place,
        "owner": clean_name(schedule.creator or ""),
    }
    return {**found, **{name: value for name, value in told.items() if value}}


_BEFORE = 4
"""Number of earlier lines given with an overheard one"""


def _heard(call: ExtractInfo, context: TaskContext) -> dict[str, object]:
    """`request.data` of `extract_info`, with earlier lines and the address flag."""
    request = context.request
    told = [each for each in request.context if each.order < context.utterance.message.order and each.text]
    before = [
        f"{'秘书' if each.is_bot else clean_name(each.name)}：{one_line(each.text)}"
        for each in told[-_BEFORE:]
    ]
    return {**call.data, "before": before, "addressed": request.reply_mode != "overheard"}


def _now(now: datetime) -> str:
    return f" {now.strftime(WALL)} {WEEKDAYS[now.weekday()]}"
