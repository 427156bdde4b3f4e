"""`/api/groups/{id}/polls`: votes, sign-ups, counts of a group, and the answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...services import polls
from ...services.office import Office
from ...services.polls import AnswerShown, OpenOrClosed, PollShown
from ...storage.polls.records import PollFields
from ..acting import WhoActs, Writes
from ..schemas import Instant, Shape, at
from .values import CommonBody, DeletesFor, GroupId, Moment, Person, RowId, SelfId

Kind = Literal["vote", "signup", "count"]
Option = Annotated[str, Field(min_length=1, max_length=40)]
Question = Annotated[str, Field(min_length=1, max_length=120, description="问什么")]
Options = Annotated[list[Option], Field(max_length=20, description="选项，按号排；只有投票有")]
Places = Annotated[int | None, Field(ge=1, le=999, description="名额，满了排候补；只有报名有")]
Closing = Annotated[Moment | None, Field(description="什么时候截止；没有就是有人说截止为止")]


class PollAnswerBody(Shape):
    """One answer; an anonymous poll lists none."""

    user_id: str | None = Field(description="null：只在接龙名单里有名字的人")
    name: str
    choice: int | None = Field(description="选项的号，从 1 数；不是投票则为 null")
    choices: list[int] = Field(description="选的全部选项，可以多选时不止一个")
    count: int = Field(description="人数或份数")
    waiting: bool = Field(description="在候补里")
    said_by: str | None = Field(description="替 TA 说的人；自己说的为 null")

    @classmethod
    def of(cls, each: AnswerShown) -> PollAnswerBody:
        return cls.take(
            each,
            choice=None if each.choice is None else each.choice + 1,
            choices=[number + 1 for number in each.choices],
            count=each.amount,
        )


class PollShape(BaseModel):
    """Fields of a poll, the same in both generations of routes."""

    kind: Kind = Field(description="vote：投票；signup：报名；count：统计份数")
    question: str = Field(description="问什么")
    options: list[str] = Field(description="选项，按号排；只有投票有")
    limit: int | None = Field(description="名额，满了排候补；只有报名有")
    closes_at: Instant | None = Field(description="什么时候截止；没有就是有人说截止为止")
    anonymous: bool = Field(description="记不记名；不记名的，谁也看不到谁投了什么")
    several: bool = Field(description="一人可以选几个")
    status: OpenOrClosed = Field(description="open：开着；closed：截止了")
    created_by: str | None = Field(description="谁发起的；被忘记了是 null")
    counts: list[int] = Field(description="每个选项的票数；不是投票是空的")
    total: int = Field(description="票数、占了名额的人数，或总份数")
    waiting: int = Field(description="候补几位")
    answers: list[PollAnswerBody] = Field(description="谁回了什么，先回的在前；不记名的没有")


def poll_values(shown: PollShown, office: Office) -> dict[str, Any]:
    """Values of the fields of `PollShape`."""
    poll, fields = shown.poll, shown.poll.fields
    return {
        "kind": fields.form,
        "question": fields.question,
        "options": list(fields.options),
        "limit": fields.places,
        "closes_at": None if fields.closes_at is None else at(fields.closes_at, office.zone),
        "anonymous": fields.anonymous,
        "several": fields.several,
        "status": "open" if poll.open else "closed",
        "created_by": poll.maker or None,
        "counts": list(shown.counts),
        "total": shown.total,
        "waiting": shown.waiting,
        "answers": [PollAnswerBody.of(each) for each in shown.answers],
    }


class PollBody(PollShape):
    """One poll; what does not apply is null."""

    id: int


class PollInput(BaseModel):
    """Fields of a poll to be made."""

    kind: Kind = Field(description="vote：投票；signup：报名；count：统计份数")
    question: Question
    options: Options = []
    limit: Places = None
    closes_at: Closing = None
    anonymous: bool = Field(False, description="不记名")
    several: bool = Field(False, description="一人可以选几个")

    def fields(self) -> PollFields:
        """The fields as the operation takes them."""
        return PollFields(
            self.kind,
            self.question,
            tuple(self.options),
            self.limit,
            None if self.closes_at is None else self.closes_at.timestamp(),
            self.anonymous,
            self.several,
        )


class AnswerInput(BaseModel):
    """Fields of an answer; the newest counts."""

    choice: int | None = Field(None, ge=1, le=20, description="投票选的号，从 1 数")
    count: int = Field(1, ge=0, le=99, description="报几个人，要几份；0 是收回")

    def answer(self) -> dict[str, Any]:
        """The arguments of the operation."""
        choice = None if self.choice is None else self.choice - 1
        return {"taken": self.count > 0, "choice": choice, "amount": max(self.count, 1)}


class PollIn(PollInput, CommonBody):
    """A poll to be made."""


class PollChange(CommonBody):
    """Changes; what is left out stays, null takes `limit` and `closes_at` away. `status`: `closed` ends it,
    `open` opens it again."""

    question: Question | None = None
    options: Options | None = None
    limit: Places = None
    closes_at: Closing = None
    status: OpenOrClosed | None = None


class AnswerIn(AnswerInput):
    """One's answer: `choice` of a vote, `count` of the others; `count` 0 takes it back."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person | None = None


def poll_json(shown: PollShown, office: Office) -> PollBody:
    """A poll as the routes give it."""
    return PollBody(id=shown.poll.id, **poll_values(shown, office))


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["统计"])

    @router.get("/groups/{id}/polls", summary="投票、报名、统计，新的在前")
    async def listed(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> Sequence[PollBody]:
        place = await office.find_visible_group(actor, group_id, self_id)
        if place is None:
            return []
        return [poll_json(each, office) for each in (await polls.list_polls(office, actor, place)).rows]

    @router.post("/groups/{id}/polls", summary="发起一个", status_code=201)
    async def add(write: Writes, group_id: GroupId, body: PollIn, self_id: SelfId = None) -> PollBody:
        place = await office.require_group(write.actor, group_id, self_id)
        return poll_json(await polls.create_poll(office, body.of(write), place, body.fields()), office)

    @router.get("/groups/{id}/polls/{pid}", summary="其中一个")
    async def one(actor: WhoActs, group_id: GroupId, pid: RowId, self_id: SelfId = None) -> PollBody:
        place = await office.require_group(actor, group_id, self_id)
        return poll_json(await polls.get_poll(office, actor, place, pid), office)

    @router.patch("/groups/{id}/polls/{pid}", summary="修改，截止（status: closed），或重开（open）")
    async def change(
        write: Writes, group_id: GroupId, pid: RowId, body: PollChange, self_id: SelfId = None
    ) -> PollBody:
        place = await office.require_group(write.actor, group_id, self_id)
        changes = poll_changes(body.said())
        return poll_json(await polls.update_poll(office, body.of(write), place, pid, changes), office)

    @router.delete("/groups/{id}/polls/{pid}", summary="删掉", status_code=204)
    async def delete(write: DeletesFor, group_id: GroupId, pid: RowId, self_id: SelfId = None) -> None:
        place = await office.require_group(write.actor, group_id, self_id)
        await polls.delete_poll(office, write, place, pid)

    @router.post("/groups/{id}/polls/{pid}/answers", summary="回答，一人一个，最新的算")
    async def answer(
        write: Writes, group_id: GroupId, pid: RowId, body: AnswerIn, self_id: SelfId = None
    ) -> PollBody:
        place = await office.require_group(write.actor, group_id, self_id)
        write = replace(write, user_id=body.user_id)
        return poll_json(await polls.answer_poll(office, write, place, pid, **body.answer()), office)

    return router


def poll_changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """Given fields of a request by the names of `PollFields`; null only takes away what may be missing."""
    names = {"limit": "places"}
    changes: dict[str, Any] = {
        names.get(name, name): value
        for name, value in given.items()
        if value is not None or name in ("limit", "closes_at")
    }
    if "options" in changes:
        changes["options"] = tuple(changes["options"])
    if changes.get("closes_at") is not None:
        changes["closes_at"] = changes["closes_at"].timestamp()
    return changes
