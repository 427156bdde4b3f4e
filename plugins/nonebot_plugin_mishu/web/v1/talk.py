"""`/api/v1`: the record of a group, and the usage of models."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from ...services.access.actor import Actor, sees_bot
from ...services.office import Office
from ...services.paging import Key, Page, cut_page, decode_cursor, encode_cursor
from ...services.refusals import forbidden, invalid, missing
from ...storage.records import Conversation, LedgerMessage
from ..acting import WhoActs
from ..api.values import PRINTABLE, instant
from ..backend import Backend, DayOfUsage
from ..routes.usage import MOST_DAYS, USUAL
from .shapes import Line, Listed, Usage
from .values import Cursor, From, GroupId, InGroup, Limit, ThingId, To, listed

_SAME_MOMENT = 200
"""Lines of one moment that may lie on both sides of the edge of a page."""
Words = Annotated[str | None, Query(max_length=100, description="要找的词，空格隔开的都要有")]
Speaker = Annotated[str | None, Query(max_length=64, pattern=PRINTABLE, description="谁说的")]


def routes(backend: Backend, office: Office) -> APIRouter:
    router = APIRouter(tags=["v1 群记录和用量"])

    async def came(actor: Actor, place: Conversation) -> float | None:
        """From when on somebody may read what was said; None: all of it."""
        return None if actor.is_owner else await backend.came(place, actor.user_id)

    @router.get("/groups/{group_id}/record", summary="群里说过的话，新的在前")
    async def list_record(
        actor: WhoActs,
        group_id: GroupId,
        q: Words = None,
        user_id: Speaker = None,
        first: From = None,
        last: To = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Line]:
        place = await office.require_group(actor, group_id)
        since, until = instant("from", first, office.zone), instant("to", last, office.zone)
        floor, after = await came(actor, place), decode_cursor(cursor)
        start = max(since.timestamp() if since is not None else 0.0, floor or 0.0)
        end = None if until is None else until.timestamp()
        if after is not None:
            end = _moment(after) + 1e-6  # what was said at that very moment may not have been on the page
        found = await backend.record_lines(
            place,
            words=(q or "").split(),
            user_id=user_id,
            since=start or None,
            until=end,
            limit=limit + 1 + (_SAME_MOMENT if after is not None else 0),
        )
        older = [each for each in found or () if after is None or each.order < (_moment(after), after[1])]
        rows = older[:limit]
        more = encode_cursor(_key(rows[-1])) if len(older) > limit and rows else None
        return listed(Page(rows, more), lambda each: Line.of(each, office.zone))

    @router.get("/groups/{group_id}/record/{line_id}", summary="群里说过的一句话")
    async def get_line(actor: WhoActs, group_id: GroupId, line_id: ThingId) -> Line:
        place = await office.require_group(actor, group_id)
        found = await backend.record_line(place, line_id)
        if found is None or found.time < (await came(actor, place) or 0.0):
            raise missing("消息")
        return Line.of(found, office.zone)

    @router.get("/usage", summary="问了模型多少、花了多少，按天、模型和调用，旧的在前")
    async def list_usage(
        actor: WhoActs,
        first: From = None,
        last: To = None,
        group_id: InGroup = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Usage]:
        until = instant("to", last, office.zone) or backend.now()
        since = instant("from", first, office.zone) or until - USUAL
        if since > until:
            raise invalid("from", "不能晚于 to")
        if until - since > timedelta(days=MOST_DAYS):
            raise invalid("from", f"离 to 不能超过 {MOST_DAYS} 天")
        where = await place_of(actor, group_id)
        rows = sorted(await backend.usage(since, until, where), key=_usage_key)
        return listed(cut_page(rows, limit, decode_cursor(cursor), _usage_key), _shape_usage)

    @router.get("/usage/{usage_id:path}", summary="一个模型、一种调用、一天的用量")
    async def get_usage(actor: WhoActs, usage_id: ThingId, group_id: InGroup = None) -> Usage:
        where = await place_of(actor, group_id)
        day = usage_id.partition(":")[0]
        if len(day) != len("2026-01-31"):
            raise missing("用量")
        since = instant("usage_id", day, office.zone)
        assert since is not None
        for each in await backend.usage(since, since + timedelta(days=1), where):
            if _usage_key(each)[0] == usage_id:
                return _shape_usage(each)
        raise missing("用量")

    async def place_of(actor: Actor, group_id: str | None) -> Conversation | None:
        if group_id is not None:
            return await office.require_group(actor, group_id)
        if not sees_bot(actor):
            raise forbidden("group_id：只能看自己群里的用量")
        return None

    return router


def _key(line: LedgerMessage) -> Key:
    return repr(line.time), line.receipt


def _moment(key: Key) -> float:
    try:
        return float(key[0])
    except ValueError:
        raise invalid("cursor", "不是上一页给出的值") from None


def _usage_key(row: DayOfUsage) -> Key:
    return f"{row.day}:{row.used.call}:{row.used.model}", 0


def _shape_usage(row: DayOfUsage) -> Usage:
    return Usage.of(row, id=_usage_key(row)[0])
