"""`/api/v1`: schedules of groups and tasks of people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import Field

from ...services import tasks
from ...services.access.actor import Actor
from ...services.office import Office
from ...services.paging import decode_cursor
from ...services.refusals import invalid
from ...services.schedules import free_time, schedules
from ..acting import WhoActs, Writes
from ..api.free_time import FreeBody, FreeFrom, FreeTo, Minutes, Users, people
from ..api.schedules import ScheduleInput
from ..api.values import Moment, Person, day_from, day_to, instant
from .shapes import Listed, RecurrenceShape, Schedule, Segment, Task, examples
from .values import (
    Body,
    Cursor,
    DeletesFor,
    From,
    GroupId,
    InGroup,
    Limit,
    Occurrence,
    ThingId,
    To,
    V1Route,
    Whose,
    listed,
    named,
    row_id,
)

_TASK_NAMES: Final[Mapping[str, str]] = {
    "dueDate": "due_date",
    "startTime": "starts_at",
    "endTime": "ends_at",
    "timeSegment": "segment",
    "remindAt": "remind_at",
    "groupId": "group_id",
}
_ITS: Final = {own: theirs for theirs, own in _TASK_NAMES.items()}


class ScheduleFields(ScheduleInput, Body):
    """Fields of a schedule. In a PATCH what is left out stays, and null removes it."""

    model_config = examples(
        {
            "as_user": "101",
            "description": "例会",
            "starts_at": "2026-11-26T10:00:00+08:00",
            "ends_at": "2026-11-26T11:00:00+08:00",
            "recurrence": {"freq": "weekly", "byday": ["TH"]},
        },
        {
            "as_user": "101",
            "description": "团建",
            "all_day": True,
            "starts_at": "2026-12-05T00:00:00+08:00",
            "ends_at": "2026-12-08T00:00:00+08:00",
        },
    )


class TaskFields(Body):
    """Fields of a task. In a PATCH what is left out stays, and null removes it."""

    model_config = examples(
        {
            "as_user": "101",
            "user_id": "101",
            "title": "交报告",
            "group_id": "777001",
            "starts_at": "2026-11-20T14:00:00+08:00",
            "ends_at": "2026-11-20T15:00:00+08:00",
            "priority": "high",
        },
        {
            "as_user": "101",
            "user_id": "101",
            "title": "喝水",
            "due_date": "2026-11-20",
            "recurrence": {"freq": "daily"},
        },
    )

    title: str | None = Field(None, max_length=200, description="要做什么；新建时必填")
    due_date: date | None = Field(None, description="哪天；给了 starts_at 或 remind_at 就可以不给，默认今天")
    starts_at: Moment | None = Field(None, description="几点开始，和 ends_at 成对；修改时只给它，长短不变")
    ends_at: Moment | None = Field(None, description="几点结束，和 starts_at 同一天，或到次日")
    segment: Segment | None = Field(None, description="时段，和 starts_at 只能给一个")
    remind_at: Moment | None = Field(None, description="什么时候提醒")
    recurrence: RecurrenceShape | None = Field(None, description="怎么重复")
    priority: Literal["low", "medium", "high"] | None = Field(None, description="轻重，默认 medium")
    description: str | None = Field(None, max_length=2000, description="备注")

    def fields(self, zone: ZoneInfo) -> dict[str, Any]:
        """The fields that were given, as the operation takes them: a day and clocks of the zone."""
        given = super().said()
        for name in ("user_id", "group_id"):
            given.pop(name, None)
        start = None if self.starts_at is None else self.starts_at.astimezone(zone)
        end = None if self.ends_at is None else self.ends_at.astimezone(zone)
        if start is not None:
            if given.setdefault("due_date", start.date()) != start.date():
                raise invalid("due_date", "应和 starts_at 是同一天")
            given["starts_at"] = start.time().replace(second=0, microsecond=0)
        if end is not None:
            if start is not None and not 0 < (end - start).total_seconds() < 86_400:
                raise invalid("ends_at", "应晚于 starts_at，不超过一天")
            given["ends_at"] = end.time().replace(second=0, microsecond=0)
        return {_ITS.get(name, name): value for name, value in given.items()}


class NewTask(TaskFields):
    """A task to be made."""

    user_id: Person | None = Field(None, description="谁的任务；成员不给就是自己，主人必填")
    group_id: Person | None = Field(None, description="在哪个群里；不给就是私下的")


ExpandIn = Annotated[bool, Query(description="列出重复日程的每一次；不给 from 和 to 时是今天起 31 天")]
StatusIn = Annotated[
    Literal["pending", "completed"] | None, Query(description="未完成或已完成；不给则都要，删除的不列")
]


def _resolve_owner(actor: Actor, user_id: str | None) -> str:
    """Owner of the tasks asked for: the member themselves where nobody is named."""
    named_ = user_id or actor.user_id
    if named_ is None:
        raise invalid("owner", "不能缺少，请写明是谁的")
    return named_


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["v1 日程和任务"], route_class=V1Route)

    @router.get("/groups/{group_id}/schedules", summary="群日程，先发生的在前；expand=true 列出每一次")
    async def list_schedules(
        actor: WhoActs,
        group_id: GroupId,
        first: From = None,
        last: To = None,
        expand: ExpandIn = False,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Schedule]:
        place = await office.require_group(actor, group_id)
        since, until = instant("from", first, office.zone), instant("to", last, office.zone)
        after = decode_cursor(cursor)
        if expand:
            times = await schedules.list_times(
                office, place, since=since, until=until, limit=limit, after=after
            )
            return listed(times, Schedule.of)
        found = await schedules.list_schedules(
            office, place, since=since, until=until, limit=limit, after=after
        )
        return listed(
            await schedules.find_first_times(office, found, whole=since is until is None), Schedule.of
        )

    @router.get("/groups/{group_id}/free", summary="成员什么时候都有空，谁什么时候有事；这个群的成员都能看")
    async def find_free_times(
        actor: WhoActs,
        group_id: GroupId,
        first: FreeFrom = None,
        last: FreeTo = None,
        minutes: Minutes = None,
        users: Users = None,
    ) -> FreeBody:
        since, until = instant("from", first, office.zone), instant("to", last, office.zone)
        place = await office.require_group(actor, group_id)
        return FreeBody.of(
            await free_time.find_free_times(
                office, actor, place, since=since, until=until, minutes=minutes, users=people(users)
            )
        )

    @router.post("/groups/{group_id}/schedules", summary="新建日程", status_code=201)
    async def create_schedule(write: Writes, group_id: GroupId, body: ScheduleFields) -> Schedule:
        place = await office.require_group(write.actor, group_id)
        made = await schedules.create_schedule(office, body.of(write), place, body.said())
        return Schedule.of(await schedules.find_first_time(office, made))

    @router.get("/groups/{group_id}/schedules/{schedule_id}", summary="一个日程，或重复日程的某一次")
    async def get_schedule(
        actor: WhoActs, group_id: GroupId, schedule_id: ThingId, occurrence: Occurrence = None
    ) -> Schedule:
        place = await office.require_group(actor, group_id)
        at = instant("occurrence", occurrence, office.zone)
        return Schedule.of(await schedules.get_time(office, place, row_id(schedule_id, "日程"), at))

    @router.patch("/groups/{group_id}/schedules/{schedule_id}", summary="修改日程，或重复日程的某一次")
    async def update_schedule(
        write: Writes,
        group_id: GroupId,
        schedule_id: ThingId,
        body: ScheduleFields,
        occurrence: Occurrence = None,
    ) -> Schedule:
        place = await office.require_group(write.actor, group_id)
        number, at = row_id(schedule_id, "日程"), instant("occurrence", occurrence, office.zone)
        changed = await schedules.update_schedule(office, body.of(write), place, number, body.said(), at)
        return Schedule.of(await schedules.find_first_time(office, changed))

    @router.delete(
        "/groups/{group_id}/schedules/{schedule_id}",
        summary="删除日程，或取消重复日程的某一次",
        status_code=204,
    )
    async def delete_schedule(
        write: DeletesFor, group_id: GroupId, schedule_id: ThingId, occurrence: Occurrence = None
    ) -> None:
        place = await office.require_group(write.actor, group_id)
        number, at = row_id(schedule_id, "日程"), instant("occurrence", occurrence, office.zone)
        await schedules.delete_schedule(office, write, place, number, at)

    @router.get("/tasks", summary="一个人的任务，先到期的在前")
    async def list_tasks(
        actor: WhoActs,
        user_id: Whose = None,
        group_id: InGroup = None,
        status: StatusIn = None,
        first: From = None,
        last: To = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Task]:
        page = await tasks.list_tasks(
            office,
            actor,
            _resolve_owner(actor, user_id),
            group_id=group_id,
            status=status,
            first=day_from("from", first, office.zone),
            last=day_to("to", last, office.zone),
            limit=limit,
            after=decode_cursor(cursor),
        )
        return listed(page, Task.of)

    @router.post("/tasks", summary="新建任务", status_code=201)
    async def create_task(write: Writes, body: NewTask) -> Task:
        fields = {name: value for name, value in body.fields(office.zone).items() if value is not None}
        # Who names nobody to do it means the task's own person.
        with named(_TASK_NAMES if body.as_user is not None else {**_TASK_NAMES, "user_id": "owner"}):
            owner = _resolve_owner(write.actor, body.user_id)
            return Task.of(
                await tasks.create_task(office, body.of(write), owner, fields, group_id=body.group_id)
            )

    @router.get("/tasks/{task_id}", summary="一个任务")
    async def get_task(actor: WhoActs, task_id: ThingId) -> Task:
        return Task.of(await tasks.get_task(office, actor, row_id(task_id, "任务")))

    @router.patch("/tasks/{task_id}", summary="修改任务")
    async def update_task(write: Writes, task_id: ThingId, body: TaskFields) -> Task:
        fields = body.fields(office.zone)
        task = await tasks.get_task(office, write.actor, row_id(task_id, "任务"))
        with named(_TASK_NAMES):
            return Task.of(await tasks.update_task(office, body.of(write), task.owner, task.id, fields))

    @router.post("/tasks/{task_id}/complete", summary="完成任务；重复的到下一次")
    async def complete_task(write: Writes, task_id: ThingId, body: Body | None = None) -> Task:
        write = write if body is None else body.of(write)
        task = await tasks.get_task(office, write.actor, row_id(task_id, "任务"))
        return Task.of(await tasks.complete_task(office, write, task.owner, task.id))

    @router.delete("/tasks/{task_id}", summary="删除任务", status_code=204)
    async def delete_task(write: DeletesFor, task_id: ThingId) -> None:
        task = await tasks.get_task(office, write.actor, row_id(task_id, "任务"))
        await tasks.delete_task(office, write, task.owner, task.id)

    return router
