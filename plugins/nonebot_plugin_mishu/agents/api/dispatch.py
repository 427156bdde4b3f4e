"""Task dispatch to an agent and its result: seed 2, section 3, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, cast

from ...storage.records import ASK

TaskStatus = Literal["completed", "awaiting_user", "canceled"]
"""Status in which an agent leaves a task. The orchestrator's own life cycle adds `queued` and `active`."""


class Priority(IntEnum):
    """Seed 2, section 5. A smaller number goes first."""

    SAFETY = 1
    FOCUS = 2
    ADMIN = 3
    """Payment and queues: may run while a focus waits for its user, and never replaces it."""
    OTHER = 4


@dataclass(frozen=True, slots=True)
class TaskDispatch:
    """One task for one agent."""

    conversation_id: str
    """Names the conversation; `context.conversation` has its parts."""
    task_id: str
    """Names the task; goes back in `TaskResult.task_id`."""
    agent_code: str
    """Whose task it is."""
    priority: int
    """1 to 4, see `Priority`."""
    parent_task_id: str | None
    """The task out of which this one came, where there is one."""
    slots: Mapping[str, Any]
    """Known slots: of an open task all filled so far, with those of the new line."""
    context_summary: str
    """Summary of the task in a line or two (M3); empty for a new one."""
    memory_ref: str
    """Names the task in M2 and M3; what the agent may see of them comes with the task."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Expected answer to a question. The core reads such an answer by itself; the agent's `answers` is for
    other lines, and what it sees in an order that stands by itself does not count.
    """

    act: AskAct | None = None
    """A question for a yes: `do`, `approve` (同意, 驳回) or `delete` (only an explicit yes counts). A yes is
    bound as `confirm`, a no as `deny`. None: it asks for a value."""
    options: tuple[str, ...] = ()
    """The listed options, numbered from 1. A number or a name is bound as `fills`, with the option as the
    value of the first missing slot."""
    of: tuple[str, ...] = ()
    """User ids of the members who are asked in the place of whoever ordered it; empty: whoever ordered it.
    Only they answer, in the same conversation; whoever ordered it may call it off."""

    def kept(self) -> dict[str, Any]:
        """The value that is kept with the task."""
        return {"act": self.act, "options": list(self.options), "of": list(self.of)}

    @classmethod
    def of_slots(cls, slots: Mapping[str, Any]) -> Ask | None:
        """The expected answer stored in a task's slots; None where there is none."""
        kept = slots.get(ASK)
        if not isinstance(kept, Mapping):
            return None
        values = cast("Mapping[str, Any]", kept)
        return cls(values.get("act"), tuple(values.get("options") or ()), tuple(values.get("of") or ()))


AskAct = Literal["do", "approve", "delete"]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task.

    `completed` with `missing_slots` counts as `awaiting_user`. Slots whose name starts with `_` are the
    agent's own notes: kept with the task over a restart, shown to nobody and to no model.
    """

    task_id: str
    """The dispatch's."""
    status: TaskStatus
    """`completed`, `awaiting_user` or `canceled`."""
    slots_update: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The slots as they are now; kept with the task."""
    missing_slots: tuple[str, ...] = ()
    """Slots still to be asked for."""
    handoff_suggestion: str | None = None
    """Another agent's code: advice for reading the member's next line, never a new route."""
    user_response: str | None = None
    """The answer, or the question to the user. None: nothing to say."""
    still_asks: str | None = None
    """The question that stays open behind an answer that does not put it again (没听清要改什么)."""
    ask: Ask | None = None
    """Expected answer to the question, and the members asked."""
    told_by_sign: str | None = None
    """The answer, where a sign on the member's line says as much: a card was confirmed as it stood."""
