"""`GET /api/ai/messages`: dialogue of a member and the secretary (M1).

Where the contract is silent: ids may be anything printable, `limit` is 1–1000 (50), `before` is the id of
a message of this route, 422 outside. It makes no difference which of our accounts was spoken to."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ...storage.records import RoundSide
from ..acting import WhoActs, check_person
from ..api.values import PRINTABLE
from ..backend import Backend
from ..schemas import Instant, Shape, at

UserId = Annotated[str, Query(min_length=1, max_length=64, pattern=PRINTABLE, description="谁的对话")]
GroupId = Annotated[
    str | None,
    Query(min_length=1, max_length=64, pattern=PRINTABLE, description="在哪个群里；没有则是私聊"),
]
Limit = Annotated[int, Query(ge=1, le=1000, description="最多几条，取最新的")]
Before = Annotated[int | None, Query(ge=1, lt=2**63, description="只要这条之前的")]


class TurnBody(Shape):
    """One message of a conversation with the secretary."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    created_at: Instant

    @classmethod
    def of(cls, turn: RoundSide, zone: ZoneInfo) -> Self:
        return cls.take(turn, id=str(turn.id), created_at=at(turn.at, zone))


class ConversationBody(BaseModel):
    """Messages, oldest first."""

    messages: list[TurnBody]


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.get("/ai/messages", summary="和秘书的对话，旧的在前")
    async def messages(
        actor: WhoActs, user_id: UserId, group_id: GroupId = None, limit: Limit = 50, before: Before = None
    ) -> ConversationBody:
        check_person(actor, user_id, group_id)
        found = await backend.turns(user_id, group_id, limit=limit, before=before)
        return ConversationBody(messages=[TurnBody.of(turn, backend.zone) for turn in found])

    return router
