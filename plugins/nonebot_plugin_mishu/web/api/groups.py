"""`/api/groups` and `/api/groups/{id}/members`."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Response

from ...services import groups
from ...services.office import Office
from ...services.paging import decode_cursor
from ..acting import WhoActs
from ..v1.shapes import Group, MemberShape
from .values import Cursor, GroupId, Limit, SelfId, paged


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["群"])

    @router.get("/groups", summary="知道的群，按群号")
    async def listed(
        response: Response, actor: WhoActs, limit: Limit = 200, cursor: Cursor = None
    ) -> Sequence[Group]:
        page = await groups.list_groups(office, actor, limit=limit, after=decode_cursor(cursor))
        return paged(response, page, lambda each: Group.of(each, office.zone))

    @router.get("/groups/{id}/members", summary="群成员，按号码")
    async def members(
        response: Response,
        actor: WhoActs,
        group_id: GroupId,
        limit: Limit = 200,
        cursor: Cursor = None,
        self_id: SelfId = None,
    ) -> Sequence[MemberShape]:
        place = await office.require_group(actor, group_id, self_id)
        page = await groups.list_members(office, place, limit=limit, after=decode_cursor(cursor))
        return paged(response, page, lambda each: MemberShape.of(each, office.zone))

    return router
