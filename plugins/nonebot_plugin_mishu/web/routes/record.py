"""`GET /api/groups/{id}/record`: a group's record searched, or summed up. Imports FastAPI, as `app` does.

Where the contract is silent: `from` and `to` are days or moments (ISO 8601, our zone where none is named), a
day stands for its midnight; without `q` and `user` the newest lines of the span; lines come newest first, at
most `limit` (50, 1–200). A digest is of today where no span is named. A group nobody ever saw is 404.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ...storage.records import Conversation, LedgerMessage
from ..acting import WhoActs, check_group
from ..api.values import PRINTABLE, GroupId, SelfId
from ..backend import Backend
from ..layers.handlers import ApiError
from ..schemas import Instant, Shape, at

Words = Annotated[str | None, Query(max_length=100, description="要找的词，空格隔开的都要有")]
User = Annotated[str | None, Query(max_length=64, pattern=PRINTABLE, description="谁说的")]
From = Annotated[str | None, Query(alias="from", max_length=40, description="从哪天或哪一刻起")]
To = Annotated[str | None, Query(max_length=40, description="到哪天或哪一刻，不含")]


class LineBody(Shape):
    """One line of the record."""

    id: str
    user: str
    name: str
    time: Instant
    text: str

    @classmethod
    def of(cls, said: LedgerMessage, zone: ZoneInfo) -> LineBody:
        return cls.take(said, id=said.message_id, user=said.user_id, time=at(said.time, zone))


class SentenceBody(BaseModel):
    """One sentence, with the ids of the lines it rests on."""

    text: str
    lines: list[str]


class DigestBody(BaseModel):
    """A span summed up."""

    sentences: list[SentenceBody]


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.get("/groups/{id}/record", summary="群记录：找说过的话，或总结一段时间")
    async def record(
        actor: WhoActs,
        group_id: GroupId,
        q: Words = None,
        from_: From = None,
        to: To = None,
        user: User = None,
        digest: Annotated[bool, Query(description="true：总结，而不是找")] = False,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        self_id: SelfId = None,
    ) -> list[LineBody] | DigestBody:
        check_group(actor, group_id)
        account = await backend.account_in(group_id, self_id)
        since, until = _moment("from", from_, backend.zone), _moment("to", to, backend.zone)
        if account is None:
            raise ApiError(404, "没有见过这个群")
        place = Conversation(account, "group", group_id)
        if not actor.is_owner and (came := await backend.came(place, actor.user_id)) is not None:
            since = max(came, since or came)
        if digest:
            told = await backend.record_digest(place, since=since, until=until)
            if told is None:
                raise ApiError(404, "没有见过这个群")
            return DigestBody(sentences=[SentenceBody(text=text, lines=list(lines)) for text, lines in told])
        found = await backend.record_lines(
            place, words=(q or "").split(), user_id=user, since=since, until=until, limit=limit
        )
        if found is None:
            raise ApiError(404, "没有见过这个群")
        return [LineBody.of(each, backend.zone) for each in found]

    return router


def _moment(name: str, given: str | None, zone: ZoneInfo) -> float | None:
    """Wall seconds of a day or a moment. Raises 422, which names the parameter."""
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given.replace(" ", "+"))
    except ValueError:
        raise ApiError(422, f"{name} 要写成 2026-05-20 或 2026-05-20T15:00:00+08:00", name) from None
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)).timestamp()
