"""`/api/v1`: votes, sign-ups and counts of a group."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from ...services import polls
from ...services.office import Office
from ...services.paging import decode_cursor
from ...services.polls import OpenOrClosed, PollShown
from ..acting import WhoActs, Writes
from ..api.polls import (
    AnswerInput,
    Closing,
    Options,
    Places,
    PollInput,
    PollShape,
    Question,
    poll_changes,
    poll_values,
)
from ..api.values import Moment
from ..schemas import Instant, at
from .shapes import Listed, example, examples
from .values import Body, Cursor, DeletesFor, GroupId, Limit, ThingId, V1Route, listed, row_id

_POLL: Final = "统计"
OpenIn = Annotated[OpenOrClosed | None, Query(description="开着的或截止了的；不给则都要")]


class Poll(PollShape):
    """A vote, a sign-up or a count."""

    model_config = example(
        id="3",
        group_id="777001",
        kind="vote",
        question="周六还是周日去爬山",
        options=["周六", "周日"],
        limit=None,
        closes_at="2026-11-20T22:00:00.000+08:00",
        anonymous=False,
        several=False,
        status="open",
        created_by="101",
        created_at="2026-11-18T10:00:00.000+08:00",
        closed_at=None,
        counts=[0, 1],
        total=1,
        waiting=0,
        answers=[
            {
                "user_id": "102",
                "name": "小雅",
                "choice": 2,
                "choices": [2],
                "count": 1,
                "waiting": False,
                "said_by": None,
            }
        ],
    )

    id: str = Field(description="编号")
    group_id: str = Field(description="在哪个群里")
    created_at: Instant = Field(description="什么时候发起的")
    closed_at: Instant | None = Field(description="什么时候截止的；还开着是 null")

    @classmethod
    def of(cls, shown: PollShown, office: Office) -> Poll:
        poll = shown.poll
        return cls(
            id=str(poll.id),
            group_id=poll.conversation.peer,
            created_at=at(poll.created_at, office.zone),
            closed_at=None if poll.closed_at is None else at(poll.closed_at, office.zone),
            **poll_values(shown, office),
        )


class NewPoll(PollInput, Body):
    """A poll to be made."""

    model_config = examples(
        {
            "as_user": "101",
            "kind": "vote",
            "question": "周六还是周日去爬山",
            "options": ["周六", "周日"],
            "closes_at": "2026-11-20T22:00:00+08:00",
        },
        {"as_user": "101", "kind": "signup", "question": "周六羽毛球", "limit": 8},
    )


class PollChanges(Body):
    """Changes of a poll. What is left out stays, and null takes `limit` and `closes_at` away."""

    question: Question | None = None
    options: Options | None = None
    limit: Places = None
    closes_at: Closing = None


class Reopening(Body):
    """How an ended poll is opened again."""

    closes_at: Moment | None = Field(None, description="新的截止时间；不给，过了的那个就不要了")


class Voice(AnswerInput, Body):
    """One's answer; the newest counts."""

    model_config = examples({"as_user": "102", "choice": 2}, {"as_user": "102", "count": 2})


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["v1 统计"], route_class=V1Route)

    @router.get("/groups/{group_id}/polls", summary="投票、报名、统计，新的在前")
    async def list_polls(
        actor: WhoActs, group_id: GroupId, status: OpenIn = None, limit: Limit = 50, cursor: Cursor = None
    ) -> Listed[Poll]:
        place = await office.require_group(actor, group_id)
        page = await polls.list_polls(
            office, actor, place, status=status, limit=limit, after=decode_cursor(cursor)
        )
        return listed(page, lambda each: Poll.of(each, office))

    @router.post("/groups/{group_id}/polls", summary="发起一个", status_code=201)
    async def create_poll(write: Writes, group_id: GroupId, body: NewPoll) -> Poll:
        place = await office.require_group(write.actor, group_id)
        return Poll.of(await polls.create_poll(office, body.of(write), place, body.fields()), office)

    @router.get("/groups/{group_id}/polls/{poll_id}", summary="一个投票、报名或统计")
    async def get_poll(actor: WhoActs, group_id: GroupId, poll_id: ThingId) -> Poll:
        place = await office.require_group(actor, group_id)
        return Poll.of(await polls.get_poll(office, actor, place, row_id(poll_id, _POLL)), office)

    @router.patch("/groups/{group_id}/polls/{poll_id}", summary="修改还开着的")
    async def update_poll(write: Writes, group_id: GroupId, poll_id: ThingId, body: PollChanges) -> Poll:
        place = await office.require_group(write.actor, group_id)
        number, changes = row_id(poll_id, _POLL), poll_changes(body.said())
        return Poll.of(await polls.update_poll(office, body.of(write), place, number, changes), office)

    @router.post("/groups/{group_id}/polls/{poll_id}/answers", summary="回答；一人一个，最新的算")
    async def answer_poll(write: Writes, group_id: GroupId, poll_id: ThingId, body: Voice) -> Poll:
        place = await office.require_group(write.actor, group_id)
        number = row_id(poll_id, _POLL)
        return Poll.of(
            await polls.answer_poll(office, body.of(write), place, number, **body.answer()), office
        )

    @router.post("/groups/{group_id}/polls/{poll_id}/close", summary="截止")
    async def close_poll(
        write: Writes, group_id: GroupId, poll_id: ThingId, body: Body | None = None
    ) -> Poll:
        place = await office.require_group(write.actor, group_id)
        number, write = row_id(poll_id, _POLL), write if body is None else body.of(write)
        return Poll.of(await polls.update_poll(office, write, place, number, {"status": "closed"}), office)

    @router.post("/groups/{group_id}/polls/{poll_id}/reopen", summary="把截止了的重开")
    async def reopen_poll(
        write: Writes, group_id: GroupId, poll_id: ThingId, body: Reopening | None = None
    ) -> Poll:
        place = await office.require_group(write.actor, group_id)
        changes = {"status": "open", **({} if body is None else poll_changes(body.said()))}
        number, write = row_id(poll_id, _POLL), write if body is None else body.of(write)
        return Poll.of(await polls.update_poll(office, write, place, number, changes), office)

    @router.delete("/groups/{group_id}/polls/{poll_id}", summary="删掉，连同回答", status_code=204)
    async def delete_poll(write: DeletesFor, group_id: GroupId, poll_id: ThingId) -> None:
        place = await office.require_group(write.actor, group_id)
        await polls.delete_poll(office, write, place, row_id(poll_id, _POLL))

    return router
