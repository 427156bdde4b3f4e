"""What goes into a tool call and what comes out of it: values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from ....storage.tasks.records import TaskPriority, TaskRecord
from ..frames import TaskQuery
from ..planning.policy import TaskQuestion

PRIORITIES: Final[tuple[TaskPriority, ...]] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a call."""

    kind: Literal["done", "listed", "asks", "refused"]
    said: str
    tasks: tuple[TaskRecord, ...] = ()
    ask: TaskQuestion | None = None


def task_json(task: TaskRecord) -> dict[str, Any]:
    """A task with the names of contracts.md; what does not apply is null."""
    return task.as_json()


def priority_of(value: str | None) -> TaskPriority | None:
    """A priority that is one."""
    return next((one for one in PRIORITIES if one == value), None)


def asks(ask: TaskQuestion) -> Result:
    """A call that ends in a question."""
    return Result("asks", ask.question, (), ask)


def arguments_of(task: TaskRecord) -> dict[str, Any]:
    """What a task was made or changed with, by the tools' parameter names."""
    found = task_json(task)
    names = ("title", "dueDate", "startTime", "endTime", "timeSegment", "remindAt", "priority", "description")
    return {name: found[name] for name in names if found[name] is not None}


def query_arguments(query: TaskQuery) -> dict[str, Any]:
    """What was looked for, by the tool's parameter names."""
    same = query.first is not None and query.first == query.last
    found = {
        "status": query.status,
        "dueDate": query.first if same else None,
        "dueDateFrom": None if same else query.first,
        "dueDateTo": None if same else query.last,
        "priority": query.priority,
    }
    return {name: value for name, value in found.items() if value is not None}
