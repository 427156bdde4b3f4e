"""`/api/groups/{id}/free`: when the members of a group are free and when busy."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from ...services.office import Office
from ...services.schedules.free_time import FreeTimes, find_free_times
from ..acting import WhoActs
from ..schemas import Instant, Shape
from .values import PRINTABLE, GroupId, SelfId, When, instant


class FreeSpanBody(Shape):
    """A span in which all who are known are free."""

    begins: Instant = Field(serialization_alias="from", description="从什么时候")
    ends: Instant = Field(serialization_alias="to", description="到什么时候")
    unknown: list[str] = Field(description="什么都没记过、有没有空不知道的人")


class BusyBody(BaseModel):
    """A stretch in which a member is busy; with what is not told."""

    user: str = Field(description="谁")
    begins: Instant = Field(serialization_alias="from", description="从什么时候")
    ends: Instant = Field(serialization_alias="to", description="到什么时候")


class FreeBody(BaseModel):
    """When members of a group are free, and when busy."""

    spans: list[FreeSpanBody] = Field(description="知道的人都有空的时间，先到的在前")
    busy: list[BusyBody] = Field(description="谁什么时候有事，不说是什么事")

    @classmethod
    def of(cls, found: FreeTimes) -> FreeBody:
        return cls(
            spans=[FreeSpanBody.take(each) for each in found.spans],
            busy=[BusyBody(user=each.user_id, begins=each.begins, ends=each.ends) for each in found.busy],
        )


FreeFrom = Annotated[When, Query(alias="from", description="从哪天或哪一刻起，默认现在")]
FreeTo = Annotated[When, Query(alias="to", description="到哪天或哪一刻为止（不含），默认七天后")]
Minutes = Annotated[int | None, Query(description="至少几分钟，1–1440")]
Users = Annotated[
    str | None, Query(max_length=4000, pattern=PRINTABLE, description="谁，号码用逗号隔开；不给是所有成员")
]


def people(given: str | None) -> list[str] | None:
    """Numbers of `users`; None where it is not given."""
    return None if given is None else [each.strip() for each in given.split(",") if each.strip()]


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["日程"])

    @router.get("/groups/{id}/free", summary="成员什么时候都有空，谁什么时候有事；这个群的成员都能看")
    async def find_free(
        actor: WhoActs,
        group_id: GroupId,
        first: FreeFrom = None,
        last: FreeTo = None,
        minutes: Minutes = None,
        users: Users = None,
        self_id: SelfId = None,
    ) -> FreeBody:
        since, until = instant("from", first, office.zone), instant("to", last, office.zone)
        place = await office.find_visible_group(actor, group_id, self_id)
        if place is None:
            return FreeBody(spans=[], busy=[])
        return FreeBody.of(
            await find_free_times(
                office, actor, place, since=since, until=until, minutes=minutes, users=people(users)
            )
        )

    return router
