"""`/api/groups` and `/api/groups/{id}/members`."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from ...services import groups
from ...services.office import Office
from ...services.paging import decode_cursor
from ..acting import WhoActs
from ..schemas import Instant, at
from .values import Cursor, GroupId, Limit, SelfId, paged


class GroupBody(BaseModel):
    """One group."""

    id: str
    name: str | None = Field(description="群名；账号没有连接时不知道，是 null")
    self_ids: list[str] = Field(description="哪些机器人账号在里面")
    member_count: int = Field(description="成员数；账号没有连接时是最近说过话的人数")
    presence: str
    last_message_at: Instant | None
    enabled: bool

    @classmethod
    def of(cls, group: groups.GroupEntry, zone: ZoneInfo) -> GroupBody:
        """From the operation's value."""
        return cls(
            id=group.id,
            name=group.name,
            self_ids=list(group.self_ids),
            member_count=group.member_count,
            presence=group.presence,
            last_message_at=None if group.last_message_at is None else at(group.last_message_at, zone),
            enabled=group.enabled,
        )


class MemberBody(BaseModel):
    """One member of a group."""

    id: str
    name: str
    role: str
    last_spoke_at: Instant | None

    @classmethod
    def of(cls, member: groups.MemberEntry, zone: ZoneInfo) -> MemberBody:
        """From the operation's value."""
        spoke = None if member.last_spoke_at is None else at(member.last_spoke_at, zone)
        return cls(id=member.id, name=member.name, role=member.role, last_spoke_at=spoke)


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(tags=["群"])

    @router.get("/groups", summary="知道的群，按群号")
    async def listed(
        response: Response, actor: WhoActs, limit: Limit = 200, cursor: Cursor = None
    ) -> Sequence[GroupBody]:
        page = await groups.list_groups(office, actor, limit=limit, after=decode_cursor(cursor))
        return paged(response, page, lambda each: GroupBody.of(each, office.zone))

    @router.get("/groups/{id}/members", summary="群成员，按号码")
    async def members(
        response: Response,
        actor: WhoActs,
        group_id: GroupId,
        limit: Limit = 200,
        cursor: Cursor = None,
        self_id: SelfId = None,
    ) -> Sequence[MemberBody]:
        place = await office.require_group(actor, group_id, self_id)
        page = await groups.list_members(office, place, limit=limit, after=decode_cursor(cursor))
        return paged(response, page, lambda each: MemberBody.of(each, office.zone))

    return router
