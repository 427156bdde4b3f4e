"""`/api/users/{id}/tasks`: a person's tasks, in their groups and in private."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, BeforeValidator, Field

from ...services import tasks
from ...services.access.actor import Write
from ...services.office import Office
from ...services.paging import decode_cursor
from ...services.refusals import missing
from ...storage.tasks.records import TaskRecord
from ..acting import WhoActs, Writes
from ..v1.shapes import RecurrenceShape, Segment
from .values import (
    PRINTABLE,
    CommonBody,
    Cursor,
    DeletesFor,
    InGroup,
    Limit,
    Moment,
    Person,
    RowId,
    UserId,
    When,
    day_from,
    day_to,
    paged,
)

Status = Annotated[
    Literal["pending", "completed"] | None, Query(description="未完成或已完成；不给则都要，删除的不列")
]
By = Annotated[
    str | None,
    Query(alias="user_id", min_length=1, max_length=64, pattern=PRINTABLE, description="谁派的，默认本人"),
]


def write_by(write: Writes, by: By = None) -> Write:
    """The write, by whoever assigns the task."""
    return replace(write, user_id=by)


WritesBy = Annotated[Write, Depends(write_by)]


def _clock(value: object) -> object:
    """`HH:MM`, without seconds or offset."""
    if value is not None and not (isinstance(value, str) and re.fullmatch(r"\d{2}:\d{2}", value)):
        raise ValueError
    return value


Clock = Annotated[time, BeforeValidator(_clock)]


class TaskBody(BaseModel):
    """One task; what does not apply is null."""

    id: int
    title: str
    dueDate: str = Field(description="YYYY-MM-DD")
    startTime: str | None = Field(description="HH:MM，与 endTime 成对，与 timeSegment 互斥")
    endTime: str | None
    timeSegment: Segment | None
    remindAt: str | None = Field(description="ISO 8601，带时区偏移")
    priority: Literal["low", "medium", "high"]
    status: Literal["pending", "completed"]
    description: str | None
    groupId: str | None
    owner: str
    creator: str


class TaskIn(CommonBody):
    """Fields of a task. In a PATCH what is left out stays, and null removes it."""

    title: str | None = Field(None, max_length=200)
    dueDate: date | None = None
    startTime: Clock | None = Field(None, description="HH:MM")
    endTime: Clock | None = Field(None, description="HH:MM")
    timeSegment: Segment | None = None
    remindAt: Moment | None = None
    recurrence: RecurrenceShape | None = None
    priority: Literal["low", "medium", "high"] | None = None
    description: str | None = Field(None, max_length=2000)
    groupId: Person | None = Field(None, description="在哪个群里；没有则是私下的。修改时不看")

    def said(self) -> dict[str, Any]:
        given = super().said()
        given.pop("groupId", None)
        return given


class ByWhom(CommonBody):
    """Person an owner acts for, if not the task's own."""


def task_json(record: TaskRecord) -> TaskBody:
    """A task as the routes give it."""
    return TaskBody(**record.as_json())


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["任务"])

    @router.get("/users/{id}/tasks", summary="一个人的任务，先到期的在前")
    async def listed(
        response: Response,
        actor: WhoActs,
        user_id: UserId,
        group_id: InGroup = None,
        status: Status = None,
        first: Annotated[When, Query(alias="from")] = None,
        last: Annotated[When, Query(alias="to")] = None,
        limit: Limit = 200,
        cursor: Cursor = None,
    ) -> Sequence[TaskBody]:
        page = await tasks.list_tasks(
            office,
            actor,
            user_id,
            group_id=group_id,
            status=status,
            first=day_from("from", first, office.zone),
            last=day_to("to", last, office.zone),
            limit=limit,
            after=decode_cursor(cursor),
        )
        return paged(response, page, task_json)

    @router.post("/users/{id}/tasks", summary="新建任务", status_code=201)
    async def add(write: WritesBy, user_id: UserId, body: TaskIn) -> TaskBody:
        fields = {name: value for name, value in body.said().items() if value is not None}
        return task_json(
            await tasks.create_task(office, body.of(write), user_id, fields, group_id=body.groupId)
        )

    @router.get("/users/{id}/tasks/{tid}", summary="一个任务")
    async def read(actor: WhoActs, user_id: UserId, tid: RowId) -> TaskBody:
        task = await tasks.get_task(office, actor, tid)
        if task.owner != user_id:
            raise missing("任务")
        return task_json(task)

    @router.patch("/users/{id}/tasks/{tid}", summary="修改任务")
    async def change(write: WritesBy, user_id: UserId, tid: RowId, body: TaskIn) -> TaskBody:
        return task_json(await tasks.update_task(office, body.of(write), user_id, tid, body.said()))

    @router.post("/users/{id}/tasks/{tid}/complete", summary="完成任务；重复的到下一次")
    async def complete(write: WritesBy, user_id: UserId, tid: RowId, body: ByWhom | None = None) -> TaskBody:
        write = write if body is None else body.of(write)
        return task_json(await tasks.complete_task(office, write, user_id, tid))

    @router.delete("/users/{id}/tasks/{tid}", summary="删除任务", status_code=204)
    async def remove(write: DeletesFor, user_id: UserId, tid: RowId) -> None:
        await tasks.delete_task(office, write, user_id, tid)

    return router
