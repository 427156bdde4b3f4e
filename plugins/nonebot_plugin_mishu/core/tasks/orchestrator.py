"""The orchestrator: order and status transitions of tasks (seed 2; product section 3).

Pure: a `Plan` holds the open tasks of one member in one conversation; every step gives a new one. A focus
is a task that the others of its message wait for while it waits for its user; there is one at a time.

    queued -> active -> completed
                     -> awaiting_user -> active …
                     -> awaiting_other -> active …
    any open one     -> canceled
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...agents.api.dispatch import Priority, TaskResult
from ...storage.records import ASK, FrameRecord

Passes = Callable[[FrameRecord], bool]
"""True if a task of a later message may run while a focus waits, beside class ADMIN."""
CHAT = "chat"
"""Agent that never waits: chat."""


def clamped(given: int | None, usual: Priority) -> int:
    """A model's priority, limited to the class of its agent; the class if it gave none."""
    return int(usual) if given is None else min(max(given, int(usual)), int(Priority.OTHER))


def never(task: FrameRecord) -> bool:
    """Nothing is insertable beside class ADMIN."""
    return False


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """The tasks of one member in one conversation; ended ones stay in it until the turn is over."""

    tasks: tuple[FrameRecord, ...] = ()

    def get(self, task_id: str) -> FrameRecord | None:
        """The task with an id."""
        return next((task for task in self.tasks if task.task_id == task_id), None)

    @property
    def open(self) -> tuple[FrameRecord, ...]:
        """Open tasks."""
        return tuple(task for task in self.tasks if task.open)

    @property
    def focus(self) -> FrameRecord | None:
        """The one focus: active, or waiting for its user."""
        held = (task for task in self.tasks if task.focus and task.status in ("active", "awaiting_user"))
        return next(held, None)

    def with_new(self, new: Sequence[FrameRecord], passes: Passes = never) -> TaskPlan:
        """Take up the tasks of a message, queued. Those that must wait for an older focus are its children.

        A task that is known already (a message that is handled again after a restart) starts anew.
        """
        focus = self.focus
        taken = [replace(task, status="queued") for task in new]
        known = {task.task_id for task in taken}
        if focus is not None and focus.task_id not in known:
            taken = [
                task
                if _may_pass(task, focus, passes)
                else replace(task, parent_task_id=task.parent_task_id or focus.task_id)
                for task in taken
            ]
        return TaskPlan((*(task for task in self.tasks if task.task_id not in known), *taken))

    def with_ended(self, ended: FrameRecord) -> TaskPlan:
        """With a task that has ended already, for the reply only."""
        return TaskPlan((*self.tasks, ended))

    def next(self, passes: Passes = never) -> FrameRecord | None:
        """The task to run now: by age of the message, in it the focus first, then in spoken order,
        chat last.

        While a focus waits for its user: nothing of its own message; of later ones only chat, class ADMIN
        and what `passes`, never another focus.
        """
        focus = self.focus
        queued = sorted((task for task in self.tasks if task.status == "queued"), key=_order)
        return next((task for task in queued if focus is None or _may_pass(task, focus, passes)), None)

    def held(self) -> tuple[FrameRecord, ...]:
        """Tasks that wait behind the focus, in running order."""
        return tuple(sorted((task for task in self.tasks if task.status == "queued"), key=_order))

    def begun(self, task_id: str) -> TaskPlan:
        """The plan with a queued or awaiting task active."""
        return self._with(task_id, status="active")

    def stopped(self, task: FrameRecord) -> TaskPlan:
        """The plan with a begun task as it was before."""
        return self._put(task)

    def noted(self, task_id: str, slots: Mapping[str, Any]) -> TaskPlan:
        """The plan with an agent's notes on a task; its status is unchanged."""
        task = self.get(task_id)
        assert task is not None
        return self._put(replace(task, slots={**task.slots, **slots}))

    def took(
        self, result: TaskResult, now: float, expires_at: float | None, moved_by: str | None = None
    ) -> TaskPlan:
        """The plan with the agent's result for a task. `completed` with missing slots waits for its user.

        `moved_by` is the message that led to it, the task's own where none is given.
        """
        task = self.get(result.task_id)
        assert task is not None
        waits = result.status == "awaiting_user" or (result.status == "completed" and result.missing_slots)
        to_others = waits and result.ask is not None and bool(result.ask.of)
        slots = {**task.slots, **{name: value for name, value in result.slots_update.items() if name != ASK}}
        if waits:
            slots.pop(ASK, None)
        if waits and result.ask is not None:
            slots[ASK] = result.ask.kept()
        return self._with(
            result.task_id,
            status="awaiting_other" if to_others else "awaiting_user" if waits else result.status,
            focus=task.focus and not to_others,
            slots=slots,
            missing_slots=list(result.missing_slots) if waits else [],
            question=(result.still_asks or result.user_response) if waits else None,
            question_ids=task.question_ids if waits else [],
            handoff=result.handoff_suggestion,
            updated_at=now,
            expires_at=expires_at if waits else None,
            moved_by=moved_by or task.message_id,
            said=result.user_response,
        )

    def without(self, task_ids: Collection[str], now: float) -> TaskPlan:
        """The plan with these tasks canceled; ended ones stay unchanged."""
        gone = [
            replace(task, status="canceled", question=None, expires_at=None, updated_at=now)
            if task.open and task.task_id in task_ids
            else task
            for task in self.tasks
        ]
        return TaskPlan(tuple(gone))

    def expired(self, now: float) -> tuple[TaskPlan, tuple[FrameRecord, ...]]:
        """End what has waited too long; with a focus also what waited behind it. The tasks as they stood."""
        late = [task for task in self.open if task.expires_at is not None and task.expires_at <= now]
        if any(task.focus and task.status != "queued" for task in late):
            known = {task.task_id for task in late}
            late += [task for task in self.held() if task.task_id not in known]
        return self.without({task.task_id for task in late}, now), tuple(late)

    def from_disk(self) -> TaskPlan:
        """The plan after a restart: active tasks are queued."""
        return TaskPlan(
            tuple(replace(task, status="queued") if task.status == "active" else task for task in self.tasks)
        )

    def _with(self, task_id: str, **changes: Any) -> TaskPlan:
        task = self.get(task_id)
        assert task is not None
        return self._put(replace(task, **changes))

    def _put(self, changed: FrameRecord) -> TaskPlan:
        return TaskPlan(tuple(changed if task.task_id == changed.task_id else task for task in self.tasks))


def _order(task: FrameRecord) -> tuple[float, str, bool, bool, int]:
    talk = task.agent_code == CHAT  # it may speak of what the others did
    return (task.created_at, task.message_id, not task.focus, talk, task.place)


def _may_pass(task: FrameRecord, focus: FrameRecord, passes: Passes) -> bool:
    if task.agent_code == CHAT:
        return True
    if task.focus or task.message_id == focus.message_id:
        return False
    return task.priority <= Priority.ADMIN or passes(task)
