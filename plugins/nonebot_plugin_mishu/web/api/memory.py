"""`/api/users/{id}/memory`: memories of a person, listed and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from ...services import memory
from ...services.office import Office
from ...services.paging import decode_cursor
from ..acting import WhoActs
from ..schemas import Instant, Shape, at
from .values import Confirm, Cursor, InGroup, Limit, UserId, paged


class MemoryBody(Shape):
    """One memory."""

    id: str
    kind: Literal["digest", "summary"] = Field(description="digest：对话的摘要；summary：办过的一件事")
    group_id: str | None = Field(description="在哪个群里；null 是私下的")
    text: str
    at: Instant


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["记忆"])

    @router.get("/users/{id}/memory", summary="记得一个人的什么，逐条")
    async def listed(
        response: Response,
        actor: WhoActs,
        user_id: UserId,
        group_id: InGroup = None,
        limit: Limit = 200,
        cursor: Cursor = None,
    ) -> Sequence[MemoryBody]:
        page = await memory.list_memories(
            office, actor, user_id, group_id=group_id, limit=limit, after=decode_cursor(cursor)
        )
        return paged(
            response,
            page,
            lambda each: MemoryBody.take(
                each,
                group_id=each.conversation.peer if each.conversation.is_group else None,
                at=at(each.at, office.zone),
            ),
        )

    @router.delete("/users/{id}/memory", summary="忘掉一条（item）或全部", status_code=204)
    async def forget(
        actor: WhoActs,
        user_id: UserId,
        group_id: InGroup = None,
        item: Annotated[str | None, Query(max_length=40, description="只忘这一条")] = None,
        confirm: Confirm = False,
    ) -> None:
        await memory.forget(office, actor, user_id, group_id=group_id, item=item, confirm=confirm)

    return router
