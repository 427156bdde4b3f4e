"""`GET /api/users/{id}/tasks`: a member's tasks. Imports FastAPI, as `app` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from ..storage.task_records import TaskRecord

_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
UserId = Annotated[
    str, Path(alias="id", min_length=1, max_length=64, pattern=_PRINTABLE, description="成员的号码")
]
GroupId = Annotated[
    str | None, Query(max_length=64, pattern=_PRINTABLE, description="只要在这个群里建的；不给则是全部")
]
Status = Annotated[
    Literal["pending", "completed"] | None, Query(description="未完成或已完成；不给则都要，删除的不列")
]


class TasksBackend(Protocol):
    """What the route needs of the running plugin."""

    async def tasks(
        self, user_id: str, *, group_id: str | None, status: Literal["pending", "completed"] | None
    ) -> Sequence[TaskRecord]:
        """`storage.tasks.of_member`. May raise `BackendUnavailable`."""
        ...


class TaskBody(BaseModel):
    """One task; what does not apply is null."""

    id: int
    title: str
    dueDate: str = Field(description="YYYY-MM-DD")
    startTime: str | None = Field(description="HH:MM，与 endTime 成对，与 timeSegment 互斥")
    endTime: str | None
    timeSegment: (
        Literal["all_day", "early_morning", "morning", "forenoon", "noon", "afternoon", "evening"] | None
    )
    remindAt: str | None = Field(description="ISO 8601，带时区偏移")
    priority: Literal["low", "medium", "high"]
    status: Literal["pending", "completed"]
    description: str | None
    groupId: str | None
    owner: str
    creator: str


def task_json(record: TaskRecord) -> dict[str, Any]:
    """A task as the route gives it."""
    return record.as_json()


def routes(backend: TasksBackend) -> APIRouter:
    """The route, to be included in the API."""
    router = APIRouter()

    @router.get("/users/{id}/tasks", summary="一个人的任务，先到期的在前", response_model=list[TaskBody])
    async def tasks(user_id: UserId, group_id: GroupId = None, status: Status = None) -> list[dict[str, Any]]:
        found = await backend.tasks(user_id, group_id=group_id or None, status=status)
        return [task_json(record) for record in found]

    return router
