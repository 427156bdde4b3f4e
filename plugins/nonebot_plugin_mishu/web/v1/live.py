"""`/api/v1/groups/{group_id}/events`: what happens in a group, live, and what was missed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Request, Response

from ...events import BotEvent
from ...services.office import Office
from ...services.refusals import missing
from ...storage.records import Conversation
from ..acting import WhoActs
from ..backend import Backend
from ..routes.stream import LiveStreams, frame
from ..schemas import at
from .shapes import Event
from .values import GroupId, ThingId

_ABOUT = """server-sent events。每个事件有 `id`、`event`（哪种）和 `data`（一个 Event）。
先来一个 `ready`，它的 id 就是现在；断开后带着最后的 id（请求头 `Last-Event-ID`，浏览器的 EventSource
会自己带）重新连接，漏掉的会补上；补不全时来一个 `reset`，这时应重新读列表。没有事件时每 15 秒有一行注释。
浏览器的 EventSource 带不了令牌，用 fetch 读流。"""
LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=64, description="最后收到的事件的 id")
]


def routes(backend: Backend, office: Office, streams: LiveStreams) -> APIRouter:
    router = APIRouter(tags=["v1 实时事件"])

    def make_event(news: BotEvent) -> Event:
        return Event.of(news, backend.events.id_of(news.number), office.zone)

    def shaped(news: BotEvent) -> bytes:
        event = make_event(news)
        return frame(event.kind, event.model_dump(mode="json"), event.id)

    def notice(kind: Literal["ready", "reset"], place: Conversation) -> bytes:
        event = Event(
            id=backend.events.newest,
            group_id=place.peer,
            kind=kind,
            action=None,
            thing_id=None,
            user_id=None,
            at=at(office.clock.wall(), office.zone),
            data=None,
        )
        return frame(event.kind, event.model_dump(mode="json"), event.id)

    @router.get(
        "/groups/{group_id}/events",
        summary="实时事件",
        description=_ABOUT,
        response_class=Response,
        responses={200: {"content": {"text/event-stream": {}}, "description": "server-sent events"}},
    )
    async def stream_events(
        request: Request, actor: WhoActs, group_id: GroupId, last_event_id: LastEventId = None
    ) -> Response:
        place = await office.require_group(actor, group_id)

        async def begin() -> tuple[bytes, Callable[[BotEvent], bool]]:
            # What is published from here on the listener hears; what was before stands in what is kept.
            known = int(backend.events.newest.rpartition("-")[2])
            missed = backend.events.after(last_event_id) if last_event_id is not None else []
            if missed is None:
                opening = notice("reset", place)
            else:
                here = [news for news in missed if news.conversation == place]
                opening = b"".join(map(shaped, here)) + notice("ready", place)
            return opening, lambda news: news.conversation == place and news.number > known

        return await streams.open(request, actor, backend.listen, begin, shaped)

    @router.get("/groups/{group_id}/events/{event_id}", summary="刚才的一个事件；只留最近的")
    async def get_event(actor: WhoActs, group_id: GroupId, event_id: ThingId) -> Event:
        place = await office.require_group(actor, group_id)
        found = backend.events.find(event_id)
        if found is None or found.conversation != place:
            raise missing("事件")
        return make_event(found)

    return router
