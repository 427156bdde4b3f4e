"""The values of tasks that storage keeps and hands out: plain, immutable, free of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..records import Conversation

TaskState = Literal["pending", "completed"]
TaskPriority = Literal["low", "medium", "high"]
AGENT = "tasks"


@dataclass(frozen=True, slots=True)
class TaskChanges:
    """Content of a task. Dates are `YYYY-MM-DD`, clocks `HH:MM`, wall time of `zone`.

    `start_time` and `end_time` go together and exclude `time_segment`; an end that is not behind the start
    is of the day after. `remind_at` is ISO 8601 with its offset.
    """

    title: str
    due_date: str
    zone: str
    start_time: str | None = None
    end_time: str | None = None
    time_segment: str | None = None
    remind_at: str | None = None
    priority: TaskPriority = "medium"
    description: str | None = None
    recurrence: dict[str, Any] | None = None
    remind_more: tuple[str, ...] = ()
    """Further moments at which it is reminded of, as `remind_at` (提前一天和提前十分钟各提醒一次)."""


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """One task as it is kept. `conversation` is where it was made; times are wall seconds."""

    id: int
    conversation: Conversation
    owner: str
    owner_name: str
    creator: str
    fields: TaskChanges
    status: TaskState
    created_at: float
    updated_at: float

    @property
    def title(self) -> str:
        """Title."""
        return self.fields.title

    def as_json(self) -> dict[str, Any]:
        """With the names of contracts.md; what does not apply is null."""
        fields = self.fields
        return {
            "id": self.id,
            "title": fields.title,
            "dueDate": fields.due_date,
            "startTime": fields.start_time,
            "endTime": fields.end_time,
            "timeSegment": fields.time_segment,
            "remindAt": fields.remind_at,
            "priority": fields.priority,
            "status": self.status,
            "description": fields.description,
            "groupId": self.conversation.peer if self.conversation.is_group else None,
            "owner": self.owner,
            "creator": self.creator,
        }


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A task to be made. `origin` names the work: made again, it is the one that is there."""

    conversation: Conversation
    owner: str
    owner_name: str
    creator: str
    fields: TaskChanges
    origin: str
