"""Inputs and results of tool calls: values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from ....storage.tasks.records import TaskPriority, TaskRecord
from ..frames import TaskQuery
from ..planning.policy import TaskQuestion

PRIORITIES: Final[tuple[TaskPriority, ...]] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a tool call."""

    kind: Literal["done", "listed", "asks", "refused"]
    said: str
    tasks: tuple[TaskRecord, ...] = ()
    ask: TaskQuestion | None = None


def task_json(task: TaskRecord) -> dict[str, Any]:
    """Task as JSON with the names of contracts.md; null if not applicable."""
    return task.as_json()


def priority_of(value: str | None) -> TaskPriority | None:
    """Priority by its code; None if unknown."""
    return next((one for one in PRIORITIES if one == value), None)


def asks(ask: TaskQuestion) -> Result:
    """Result that asks a question."""
    return Result("asks", ask.question, (), ask)


def arguments_of(task: TaskRecord) -> dict[str, Any]:
    """Arguments of a created or changed task, by the tools' parameter names."""
    found = task_json(task)
    names = ("title", "dueDate", "startTime", "endTime", "timeSegment", "remindAt", "priority", "description")
    return {name: found[name] for name in names if found[name] is not None}


def query_arguments(query: TaskQuery) -> dict[str, Any]:
    """Arguments of a query, by the tool's parameter names."""
    same = query.first is not None and query.first == query.last
    found = {
        "status": query.status,
        "dueDate": query.first if same else None,
        "dueDateFrom": None if same else query.first,
        "dueDateTo": None if same else query.last,
        "priority": query.priority,
    }
    return {name: value for name, value in found.items() if value is not None}
