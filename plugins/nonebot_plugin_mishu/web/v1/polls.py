"""`/api/v1`: votes, sign-ups and counts of a group."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from ...services import polls
from ...services.office import Office
from ...services.paging import decode_cursor
from ...services.polls import OpenOrClosed, PollShown
from ...storage.polls.records import PollFields
from ..acting import Origin, WhoActs
from ..api.polls import Kind, Option, PollAnswerBody, poll_changes
from ..schemas import Instant, at
from .shapes import Listed, example
from .values import (
    AsUser,
    Body,
    Confirm,
    Cursor,
    GroupId,
    Limit,
    Moment,
    ThingId,
    V1Route,
    listed,
    row_id,
)

_POLL: Final = "统计"
_QUESTION: Final = "问什么"
_OPTIONS: Final = "选项，按号排；只有投票有"
_LIMIT: Final = "名额，满了排候补；只有报名有"
_CLOSES: Final = "什么时候截止；没有就是有人说截止为止"
Question = Annotated[str, Field(min_length=1, max_length=120)]
OpenIn = Annotated[OpenOrClosed | None, Query(description="开着的或截止了的；不给则都要")]


class Poll(BaseModel):
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
    kind: Kind = Field(description="vote：投票；signup：报名；count：统计份数")
    question: str = Field(description=_QUESTION)
    options: list[str] = Field(description=_OPTIONS)
    limit: int | None = Field(description=_LIMIT)
    closes_at: Instant | None = Field(description=_CLOSES)
    anonymous: bool = Field(description="记不记名；不记名的，谁也看不到谁投了什么")
    several: bool = Field(description="一人可以选几个")
    status: OpenOrClosed = Field(description="open：开着；closed：截止了")
    created_by: str | None = Field(description="谁发起的；被忘记了是 null")
    created_at: Instant = Field(description="什么时候发起的")
    closed_at: Instant | None = Field(description="什么时候截止的；还开着是 null")
    counts: list[int] = Field(description="每个选项的票数；不是投票是空的")
    total: int = Field(description="票数、占了名额的人数，或总份数")
    waiting: int = Field(description="候补几位")
    answers: list[PollAnswerBody] = Field(description="谁回了什么，先回的在前；不记名的没有")

    @classmethod
    def of(cls, shown: PollShown, office: Office) -> Poll:
        """From a poll as pages show it."""
        poll, fields, zone = shown.poll, shown.poll.fields, office.zone
        return cls(
            id=str(poll.id),
            group_id=poll.conversation.peer,
            kind=fields.form,
            question=fields.question,
            options=list(fields.options),
            limit=fields.places,
            closes_at=None if fields.closes_at is None else at(fields.closes_at, zone),
            anonymous=fields.anonymous,
            several=fields.several,
            status="open" if poll.open else "closed",
            created_by=poll.maker or None,
            created_at=at(poll.created_at, zone),
            closed_at=None if poll.closed_at is None else at(poll.closed_at, zone),
            counts=list(shown.counts),
            total=shown.total,
            waiting=shown.waiting,
            answers=[PollAnswerBody.of(each) for each in shown.answers],
        )


class NewPoll(Body):
    """A poll to be made."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "as_user": "101",
                    "kind": "vote",
                    "question": "周六还是周日去爬山",
                    "options": ["周六", "周日"],
                    "closes_at": "2026-11-20T22:00:00+08:00",
                },
                {"as_user": "101", "kind": "signup", "question": "周六羽毛球", "limit": 8},
            ]
        },
    )

    kind: Kind = Field(description="vote：投票；signup：报名；count：统计份数")
    question: Question = Field(description=_QUESTION)
    options: list[Option] = Field(default_factory=list[str], max_length=20, description=_OPTIONS)
    limit: int | None = Field(None, ge=1, le=999, description=_LIMIT)
    closes_at: Moment | None = Field(None, description=_CLOSES)
    anonymous: bool = Field(False, description="不记名")
    several: bool = Field(False, description="一人可以选几个")


class PollChanges(Body):
    """Changes of a poll. What is left out stays, and null takes `limit` and `closes_at` away."""

    question: Question | None = Field(None, description=_QUESTION)
    options: list[Option] | None = Field(None, max_length=20, description=f"{_OPTIONS}；有人投了只能往后加")
    limit: int | None = Field(None, ge=1, le=999, description=_LIMIT)
    closes_at: Moment | None = Field(None, description=_CLOSES)


class Reopening(Body):
    """How an ended poll is opened again."""

    closes_at: Moment | None = Field(None, description="新的截止时间；不给，过了的那个就不要了")


class Ending(Body):
    """Person an owner ends a poll for."""


class Voice(Body):
    """One's answer; the newest counts."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"as_user": "102", "choice": 2}, {"as_user": "102", "count": 2}]},
    )

    choice: int | None = Field(None, ge=1, le=20, description="投票选的号，从 1 数")
    count: int = Field(1, ge=0, le=99, description="报几个人，要几份；0 是收回")


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
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
    async def create_poll(actor: WhoActs, origin: Origin, group_id: GroupId, body: NewPoll) -> Poll:
        place = await office.require_group(actor, group_id)
        closes_at = None if body.closes_at is None else body.closes_at.timestamp()
        fields = PollFields(
            body.kind,
            body.question,
            tuple(body.options),
            body.limit,
            closes_at,
            body.anonymous,
            body.several,
        )
        made = await polls.create_poll(office, actor, place, fields, origin=origin, user_id=body.as_user)
        return Poll.of(made, office)

    @router.get("/groups/{group_id}/polls/{poll_id}", summary="一个投票、报名或统计")
    async def get_poll(actor: WhoActs, group_id: GroupId, poll_id: ThingId) -> Poll:
        place = await office.require_group(actor, group_id)
        return Poll.of(await polls.get_poll(office, actor, place, row_id(poll_id, _POLL)), office)

    @router.patch("/groups/{group_id}/polls/{poll_id}", summary="修改还开着的")
    async def update_poll(actor: WhoActs, group_id: GroupId, poll_id: ThingId, body: PollChanges) -> Poll:
        place = await office.require_group(actor, group_id)
        number, changes = row_id(poll_id, _POLL), poll_changes(body.said())
        changed = await polls.update_poll(office, actor, place, number, changes, user_id=body.as_user)
        return Poll.of(changed, office)

    @router.post("/groups/{group_id}/polls/{poll_id}/answers", summary="回答；一人一个，最新的算")
    async def answer_poll(
        actor: WhoActs, origin: Origin, group_id: GroupId, poll_id: ThingId, body: Voice
    ) -> Poll:
        place = await office.require_group(actor, group_id)
        answered = await polls.answer_poll(
            office,
            actor,
            place,
            row_id(poll_id, _POLL),
            taken=body.count > 0,
            choice=None if body.choice is None else body.choice - 1,
            amount=max(body.count, 1),
            origin=origin,
            user_id=body.as_user,
        )
        return Poll.of(answered, office)

    @router.post("/groups/{group_id}/polls/{poll_id}/close", summary="截止")
    async def close_poll(
        actor: WhoActs, group_id: GroupId, poll_id: ThingId, body: Ending | None = None
    ) -> Poll:
        place = await office.require_group(actor, group_id)
        by = None if body is None else body.as_user
        number = row_id(poll_id, _POLL)
        ended = await polls.update_poll(office, actor, place, number, {"status": "closed"}, user_id=by)
        return Poll.of(ended, office)

    @router.post("/groups/{group_id}/polls/{poll_id}/reopen", summary="把截止了的重开")
    async def reopen_poll(
        actor: WhoActs, group_id: GroupId, poll_id: ThingId, body: Reopening | None = None
    ) -> Poll:
        place = await office.require_group(actor, group_id)
        changes = {"status": "open", **({} if body is None else poll_changes(body.said()))}
        by = None if body is None else body.as_user
        number = row_id(poll_id, _POLL)
        return Poll.of(await polls.update_poll(office, actor, place, number, changes, user_id=by), office)

    @router.delete("/groups/{group_id}/polls/{poll_id}", summary="删掉，连同回答", status_code=204)
    async def delete_poll(
        actor: WhoActs, group_id: GroupId, poll_id: ThingId, confirm: Confirm = False, as_user: AsUser = None
    ) -> None:
        place = await office.require_group(actor, group_id)
        await polls.delete_poll(
            office, actor, place, row_id(poll_id, _POLL), user_id=as_user, confirm=confirm
        )

    return router
