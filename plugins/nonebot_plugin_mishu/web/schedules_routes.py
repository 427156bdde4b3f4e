"""`GET /api/groups/{id}/schedules`: a group's schedules. Imports FastAPI, as `app` does.

Where the contract is silent: deleted ones are not listed, past ones are; `end` is written as `time` is and is
that of the first occurrence; `recurrence` as in `explain --json`; people are their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from ..storage.records import Conversation
from ..storage.schedule_records import Schedule

_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
GroupId = Annotated[
    str, Path(alias="id", min_length=1, max_length=64, pattern=_PRINTABLE, description="群号")
]
SelfId = Annotated[
    str | None,
    Query(max_length=64, pattern=_PRINTABLE, description="哪个机器人账号，默认最近连接的那个"),
]


class SchedulesBackend(Protocol):
    """What the route needs of the running plugin."""

    def account_in(self, group_id: str) -> str | None:
        """As `Backend.account_in`."""
        ...

    async def schedules(self, conversation: Conversation) -> Sequence[Schedule]:
        """`storage.schedules.live`. May raise `BackendUnavailable`."""
        ...


class ScheduleBody(BaseModel):
    """One schedule; what does not apply is null."""

    id: int
    time: str = Field(description="YYYY-MM-DD HH:MM:SS，群所在时区的钟点；重复的是第一次")
    end: str | None = Field(description="YYYY-MM-DD HH:MM:SS")
    segment: str | None = Field(description="没说钟点时的时段，如 afternoon、all_day")
    description: str
    place: str | None
    recurrence: dict[str, Any] | None
    created_by: str
    joined: list[str]


def routes(backend: SchedulesBackend) -> APIRouter:
    """The route, to be included in the API."""
    router = APIRouter()

    @router.get("/groups/{id}/schedules", summary="群日程，先发生的在前")
    async def schedules(group_id: GroupId, self_id: SelfId = None) -> list[ScheduleBody]:
        account = self_id or backend.account_in(group_id)
        if account is None:
            return []
        found = await backend.schedules(Conversation(account, "group", group_id))
        return [ScheduleBody(**each.as_json()) for each in found]

    return router
