"""`/api/groups/{id}/schedules`: a group's calendar. Deleted ones are not listed, past ones are."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import AliasChoices, BaseModel, Field

from ...services.office import Office
from ...services.paging import Page, decode_cursor
from ...services.schedules import schedules
from ...services.schedules.schedules import Time
from ...storage.schedules.records import ScheduleRecord
from ..acting import WhoActs
from ..schemas import Instant
from ..v1.shapes import RecurrenceShape, Segment
from .values import (
    CommonBody,
    Cursor,
    DeletesFor,
    GroupId,
    Limit,
    Moment,
    RowId,
    SelfId,
    When,
    WritesFor,
    instant,
    written,
)

Occurrence = Annotated[
    str | None, Query(max_length=64, description="重复日程的哪一次：那一次的开始时刻，带时区偏移")
]


class ScheduleBody(BaseModel):
    """One schedule; what does not apply is null."""

    id: int
    time: str = Field(description="YYYY-MM-DD HH:MM:SS，群所在时区的钟点；重复的是第一次")
    end: str | None = Field(description="YYYY-MM-DD HH:MM:SS")
    segment: str | None = Field(description="没说钟点时的时段，如 afternoon、all_day")
    description: str
    place: str | None
    recurrence: dict[str, Any] | None
    created_by: str
    joined: list[str]


class TimeBody(BaseModel):
    """One occasion of a schedule; a moved one at its new time, a cancelled one at the old. All occasions
    of a series have its id."""

    id: int
    starts_at: Instant
    ends_at: Instant | None
    all_day: bool
    segment: str | None
    description: str
    place: str | None
    recurrence: dict[str, Any] | None
    exception: Literal["moved", "cancelled"] | None
    created_by: str
    joined: list[str]


class WrittenBody(ScheduleBody, TimeBody):
    """A schedule after a write, in both shapes."""


class ScheduleInput(BaseModel):
    """Fields of a schedule, the same in both generations of routes."""

    description: str | None = Field(None, max_length=200, description="什么事；新建时必填")
    starts_at: Moment | None = Field(None, description="开始，带时区偏移；新建时必填")
    ends_at: Moment | None = Field(None, description="结束；全天的是最后一天之后的零点；没有就不给")
    all_day: bool | None = Field(None, description="是不是全天的")
    segment: Segment | None = Field(None, description="不说钟点，只说时段")
    place: str | None = Field(None, max_length=100, description="地点")
    recurrence: RecurrenceShape | None = Field(None, description="怎么重复")
    until: date | None = Field(None, description="重复到哪天为止")
    lead_minutes: int | None = Field(None, ge=0, le=43_200, description="提前几分钟提醒")
    everybody: bool | None = Field(None, description="提醒全体成员；只有群主和管理员能设")


class ScheduleIn(ScheduleInput, CommonBody):
    """Fields of a schedule. In a PATCH what is left out stays."""

    starts_at: Moment | None = Field(None, validation_alias=AliasChoices("starts_at", "time"))
    ends_at: Moment | None = Field(None, validation_alias=AliasChoices("ends_at", "end"))


def schedule_json(schedule: ScheduleRecord) -> ScheduleBody:
    """A schedule of the list."""
    return ScheduleBody(**schedule.as_json())


def time_json(time: Time) -> TimeBody:
    """An occasion of the expanded list."""
    plain = time.schedule.as_json()
    kept = ("segment", "description", "place", "recurrence", "created_by", "joined")
    return TimeBody(
        id=time.id,
        starts_at=time.starts_at,
        ends_at=time.ends_at,
        all_day=time.schedule.plan.segment == schedules.ALL_DAY,
        exception=time.exception,
        **{name: plain[name] for name in kept},
    )


def written_json(schedule: ScheduleRecord) -> WrittenBody:
    """A schedule as the answer to a write."""
    time = time_json(schedules.first_time(schedule))
    return WrittenBody(**{**schedule.as_json(), **time.model_dump(mode="python")})


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["日程"])

    @router.get(
        "/groups/{id}/schedules",
        summary="群日程，先发生的在前；expand=true 列出每一次",
        response_model=None,
        responses={200: {"model": list[ScheduleBody] | list[TimeBody]}},
    )
    async def listed(
        actor: WhoActs,
        group_id: GroupId,
        first: Annotated[When, Query(alias="from")] = None,
        last: Annotated[When, Query(alias="to")] = None,
        expand: bool = False,
        limit: Limit = 200,
        cursor: Cursor = None,
        self_id: SelfId = None,
    ) -> Response:
        place = await office.find_visible_group(actor, group_id, self_id)
        since = instant("from", first, office.zone)
        until = instant("to", last, office.zone)
        after = decode_cursor(cursor)
        if place is None:
            return written(Page(()), schedule_json)
        if expand:
            times = await schedules.list_times(
                office, place, since=since, until=until, limit=limit, after=after
            )
            return written(times, time_json)
        found = await schedules.list_schedules(
            office, place, since=since, until=until, limit=limit, after=after
        )
        return written(found, schedule_json)

    @router.post("/groups/{id}/schedules", summary="新建日程", status_code=201)
    async def add(
        write: WritesFor, group_id: GroupId, body: ScheduleIn, self_id: SelfId = None
    ) -> WrittenBody:
        place = await office.require_group(write.actor, group_id, self_id)
        return written_json(await schedules.create_schedule(office, body.of(write), place, body.said()))

    @router.get("/groups/{id}/schedules/{sid}", summary="一个日程，或重复日程的某一次")
    async def read(
        actor: WhoActs, group_id: GroupId, sid: RowId, occurrence: Occurrence = None, self_id: SelfId = None
    ) -> WrittenBody:
        place = await office.require_group(actor, group_id, self_id)
        at = instant("occurrence", occurrence, office.zone)
        time = await schedules.get_time(office, place, sid, at)
        return WrittenBody(**{**time.schedule.as_json(), **time_json(time).model_dump(mode="python")})

    @router.patch("/groups/{id}/schedules/{sid}", summary="修改日程，或重复日程的某一次")
    async def change(
        write: WritesFor,
        group_id: GroupId,
        sid: RowId,
        body: ScheduleIn,
        occurrence: Occurrence = None,
        self_id: SelfId = None,
    ) -> WrittenBody:
        place = await office.require_group(write.actor, group_id, self_id)
        at = instant("occurrence", occurrence, office.zone)
        return written_json(
            await schedules.update_schedule(office, body.of(write), place, sid, body.said(), at)
        )

    @router.delete(
        "/groups/{id}/schedules/{sid}", summary="删除日程，或取消重复日程的某一次", status_code=204
    )
    async def remove(
        write: DeletesFor,
        group_id: GroupId,
        sid: RowId,
        occurrence: Occurrence = None,
        self_id: SelfId = None,
    ) -> None:
        place = await office.require_group(write.actor, group_id, self_id)
        at = instant("occurrence", occurrence, office.zone)
        await schedules.delete_schedule(office, write, place, sid, at)

    return router
