"""`POST /api/ai/chat` and `GET /api/groups/{id}/frames`: talking to the secretary over HTTP, and its tasks.

Where the contract is silent: ids may be numbers in the request; a reply that would not be said (nothing to
say) is the empty string; a group that is not enabled is 403; of the frames at most `LISTED` are given, the
open ones first. Slots whose name starts with `_` are an agent's own notes and not shown.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from ...services.access.actor import governs
from ...storage.records import Conversation, FrameRecord
from ..acting import WhoActs, check_group, check_person
from ..api.values import PRINTABLE, GroupId, SelfId
from ..backend import Backend, HttpAnswer
from ..layers.handlers import ApiError
from ..schemas import Shape

LISTED = 100
LONGEST = 20_000
"""Characters of one message."""


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _said(value: str) -> str:
    if not any(character.isprintable() and not character.isspace() for character in value):
        raise ValueError("blank")  # nothing that anybody could see
    return value


Id = Annotated[
    str,
    BeforeValidator(_as_text),
    AfterValidator(_said),
    Field(min_length=1, max_length=64, pattern=PRINTABLE),
]


class ChatBody(BaseModel):
    """A line to the secretary."""

    model_config = ConfigDict(extra="forbid")

    message: Annotated[str, AfterValidator(_said)] = Field(min_length=1, description="说的话")
    user_id: Id = Field(description="谁说的")
    group_id: Id | None = Field(None, description="在哪个群里说；没有则是私聊")
    nickname: str | None = Field(None, max_length=100, description="怎么称呼")
    confirm: bool = Field(False, description="哪个请求体都可以带；这里没有作用，要确认就说「确认」")


class ActionBody(BaseModel):
    """A completed action, on disk."""

    tool: str
    arguments: dict[str, Any]
    result: Any


class ChatAnswer(Shape):
    """Reply and actions of the secretary."""

    reply: str
    status: Literal["completed", "awaiting_user", "canceled", "blocked"]
    task_id: str | None
    actions: list[ActionBody]

    @classmethod
    def of(cls, answer: HttpAnswer) -> Self:
        names = ("tool", "arguments", "result")
        return cls.take(answer, actions=[dict(zip(names, each, strict=True)) for each in answer.actions])


class FrameBody(Shape):
    """One task of `GET /api/groups/{id}/frames`."""

    task_id: str
    agent_code: str
    status: str
    priority: int
    user: str
    slots: dict[str, Any]
    missing_slots: list[str]

    @classmethod
    def of(cls, frame: FrameRecord) -> Self:
        slots = {name: value for name, value in frame.slots.items() if not name.startswith("_")}
        return cls.take(frame, user=frame.user_id, slots=slots)


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.post("/ai/chat", summary="和秘书说一句话")
    async def chat(actor: WhoActs, body: ChatBody) -> ChatAnswer:
        check_person(actor, body.user_id, body.group_id)
        if len(body.message) > LONGEST:
            raise ApiError(413, f"消息有 {len(body.message)} 字，最多 {LONGEST} 字")
        if body.group_id is not None and not backend.group_enabled(body.group_id):
            raise ApiError(403, "这个群没有启用")
        # A member is called what the platform called them: nobody signs with another's name.
        named = body.nickname if actor.is_owner else actor.name
        name = (named or "").strip() or "用户"
        return ChatAnswer.of(await backend.ask(body.group_id, body.user_id, name, body.message))

    @router.get("/groups/{id}/frames", summary="进行中和最近的任务")
    async def frames(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> list[FrameBody]:
        check_group(actor, group_id)
        account = await backend.account_in(group_id, self_id)
        if account is None:
            return []
        found = await backend.frames(Conversation(account, "group", group_id), limit=LISTED)
        shown = [each for each in found if governs(actor, group_id) or each.user_id == actor.user_id]
        return [FrameBody.of(each) for each in sorted(shown, key=lambda each: not each.open)]

    return router
