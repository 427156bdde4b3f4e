"""`GET /api/usage`: calls of models and their cost. Imports FastAPI, as `app` does.

`from` (included) and `to` (not included) are instants with an offset, or days, which begin at midnight in
our zone; without them it is the last 30 days. At most `MOST_DAYS`. `yuan` is null for a model without a
price."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from ...services.access.actor import sees_bot
from ...services.paging import cut_page, decode_cursor
from ...storage.records import Conversation
from ..acting import WhoActs, check_group
from ..api.values import PRINTABLE, Cursor, Limit, SelfId, instant, paged
from ..backend import Backend
from ..layers.handlers import ApiError
from ..v1.shapes import UsageShape

GroupId = Annotated[
    str | None, Query(min_length=1, max_length=64, pattern=PRINTABLE, description="只看这个群的")
]
When = Annotated[str | None, Query(max_length=64, description="日期，或带时区偏移的时刻")]
USUAL: Final = timedelta(days=30)
MOST_DAYS: Final = 92


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.get("/usage", summary="问了模型多少、花了多少，按天、模型和调用，旧的在前")
    async def usage(
        response: Response,
        actor: WhoActs,
        first: Annotated[When, Query(alias="from")] = None,
        last: Annotated[When, Query(alias="to")] = None,
        group_id: GroupId = None,
        self_id: SelfId = None,
        limit: Limit = 200,
        cursor: Cursor = None,
    ) -> Sequence[UsageShape]:
        if group_id is None and not sees_bot(actor):
            raise ApiError(403, "group_id：只能看自己群里的用量")
        if group_id is not None:
            check_group(actor, group_id)
        until = instant("to", last, backend.zone) or backend.now()
        since = instant("from", first, backend.zone) or until - USUAL
        if since > until:
            raise ApiError(422, "from：不能晚于 to", "from")
        if until - since > timedelta(days=MOST_DAYS):
            raise ApiError(422, f"from：离 to 不能超过 {MOST_DAYS} 天", "from")
        where = None
        if group_id is not None:
            account = await backend.account_in(group_id, self_id)
            if account is None:
                return []
            where = Conversation(account, "group", group_id)
        rows = list(enumerate(await backend.usage(since, until, where)))
        page = cut_page(rows, limit, decode_cursor(cursor), lambda each: ("", each[0]))
        return paged(response, page, lambda each: UsageShape.of(each[1]))

    return router
