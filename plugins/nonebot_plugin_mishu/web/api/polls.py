"""`/api/groups/{id}/polls`: votes, sign-ups, counts of a group, and the answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...services import polls
from ...services.office import Office
from ...services.polls import AnswerShown, PollShown
from ...storage.polls.records import PollFields
from ..acting import Origin, WhoActs
from ..schemas import Instant, at
from .values import CommonBody, Confirm, GroupId, Moment, Person, RowId, SelfId, Whose

Kind = Literal["vote", "signup", "count"]
Option = Annotated[str, Field(min_length=1, max_length=40)]


class PollAnswerBody(BaseModel):
    """One voice; an anonymous poll lists none."""

    user_id: str | None = Field(description="null：只在接龙名单里有名字的人")
    name: str
    choice: int | None = Field(description="选项的号，从 1 数；不是投票则为 null")
    choices: list[int] = Field(description="选的全部选项，可以多选时不止一个")
    count: int = Field(description="人数或份数")
    waiting: bool = Field(description="在候补里")
    said_by: str | None = Field(description="替 TA 说的人；自己说的为 null")

    @classmethod
    def of(cls, each: AnswerShown) -> PollAnswerBody:
        """From a voice as pages show it."""
        return cls(
            user_id=each.user_id,
            name=each.name,
            choice=None if each.choice is None else each.choice + 1,
            choices=[each_of + 1 for each_of in each.choices],
            count=each.amount,
            waiting=each.waiting,
            said_by=each.said_by,
        )


class PollBody(BaseModel):
    """One poll; what does not apply is null."""

    id: int
    kind: Kind = Field(description="vote：投票；signup：报名；count：统计份数")
    question: str
    options: list[str]
    limit: int | None = Field(description="名额，满了排候补")
    closes_at: Instant | None
    anonymous: bool
    several: bool = Field(description="一人可以选几个")
    status: Literal["open", "closed"]
    created_by: str | None
    counts: list[int] = Field(description="每个选项的票数")
    total: int = Field(description="票数、占了名额的人数，或总份数")
    waiting: int = Field(description="候补几位")
    answers: list[PollAnswerBody] = Field(description="不记名的没有")


class PollIn(CommonBody):
    """A poll to be made."""

    kind: Kind
    question: Annotated[str, Field(min_length=1, max_length=120)]
    options: list[Option] = Field(default_factory=list[str], max_length=20)
    limit: int | None = Field(None, ge=1, le=999)
    closes_at: Moment | None = None
    anonymous: bool = False
    several: bool = Field(False, description="一人可以选几个")


class PollChange(CommonBody):
    """Changes; what is left out stays, null takes `limit` and `closes_at` away. `status`: `closed` ends it,
    `open` opens it again."""

    question: Annotated[str, Field(min_length=1, max_length=120)] | None = None
    options: list[Option] | None = Field(None, max_length=20)
    limit: int | None = Field(None, ge=1, le=999)
    closes_at: Moment | None = None
    status: Literal["open", "closed"] | None = None


class AnswerIn(BaseModel):
    """One's voice: `choice` of a vote, `count` of the others; `count` 0 takes it back."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person | None = None
    choice: int | None = Field(None, ge=1, le=20, description="选项的号，从 1 数")
    count: int = Field(1, ge=0, le=99)


def poll_json(shown: PollShown, office: Office) -> PollBody:
    """A poll as the routes give it."""
    poll, fields = shown.poll, shown.poll.fields
    return PollBody(
        id=poll.id,
        kind=fields.form,
        question=fields.question,
        options=list(fields.options),
        limit=fields.places,
        closes_at=None if fields.closes_at is None else at(fields.closes_at, office.zone),
        anonymous=fields.anonymous,
        several=fields.several,
        status="open" if poll.open else "closed",
        created_by=poll.maker or None,
        counts=list(shown.counts),
        total=shown.total,
        waiting=shown.waiting,
        answers=[PollAnswerBody.of(each) for each in shown.answers],
    )


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(tags=["统计"])

    @router.get("/groups/{id}/polls", summary="投票、报名、统计，新的在前")
    async def listed(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> Sequence[PollBody]:
        place = await office.find_visible_group(actor, group_id, self_id)
        if place is None:
            return []
        return [poll_json(each, office) for each in (await polls.list_polls(office, actor, place)).rows]

    @router.post("/groups/{id}/polls", summary="发起一个", status_code=201)
    async def add(
        actor: WhoActs, origin: Origin, group_id: GroupId, body: PollIn, self_id: SelfId = None
    ) -> PollBody:
        place = await office.require_group(actor, group_id, self_id)
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
        made = await polls.create_poll(office, actor, place, fields, origin=origin, user_id=body.user_id)
        return poll_json(made, office)

    @router.get("/groups/{id}/polls/{pid}", summary="其中一个")
    async def one(actor: WhoActs, group_id: GroupId, pid: RowId, self_id: SelfId = None) -> PollBody:
        place = await office.require_group(actor, group_id, self_id)
        return poll_json(await polls.get_poll(office, actor, place, pid), office)

    @router.patch("/groups/{id}/polls/{pid}", summary="修改，截止（status: closed），或重开（open）")
    async def change(
        actor: WhoActs, group_id: GroupId, pid: RowId, body: PollChange, self_id: SelfId = None
    ) -> PollBody:
        place = await office.require_group(actor, group_id, self_id)
        changed = await polls.update_poll(
            office, actor, place, pid, poll_changes(body.said()), user_id=body.user_id
        )
        return poll_json(changed, office)

    @router.delete("/groups/{id}/polls/{pid}", summary="删掉", status_code=204)
    async def delete(
        actor: WhoActs,
        group_id: GroupId,
        pid: RowId,
        user_id: Whose = None,
        confirm: Confirm = False,
        self_id: SelfId = None,
    ) -> None:
        place = await office.require_group(actor, group_id, self_id)
        await polls.delete_poll(office, actor, place, pid, user_id=user_id, confirm=confirm)

    @router.post("/groups/{id}/polls/{pid}/answers", summary="回答，一人一个，最新的算")
    async def answer(
        actor: WhoActs, origin: Origin, group_id: GroupId, pid: RowId, body: AnswerIn, self_id: SelfId = None
    ) -> PollBody:
        place = await office.require_group(actor, group_id, self_id)
        answered = await polls.answer_poll(
            office,
            actor,
            place,
            pid,
            taken=body.count > 0,
            choice=None if body.choice is None else body.choice - 1,
            amount=max(body.count, 1),
            origin=origin,
            user_id=body.user_id,
        )
        return poll_json(answered, office)

    return router


def poll_changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """Given fields of a request by the names of `PollFields`."""
    changes: dict[str, Any] = {}
    for name, value in given.items():
        match name:
            case "limit":
                changes["places"] = value
            case "closes_at":
                changes["closes_at"] = None if value is None else value.timestamp()
            case "options" if value is not None:
                changes["options"] = tuple(value)
            case "question" | "status" if value is not None:
                changes[name] = value
            case _:
                pass
    return changes
