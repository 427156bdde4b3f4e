"""`/api/v1/groups/{group_id}/events`: what happens in a group, live, and what was missed meanwhile."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Header, Request, Response

from ...events import BotEvent
from ...services.access.actor import Actor
from ...services.office import Office
from ...services.refusals import missing
from ...storage.records import Conversation
from ..acting import WhoActs
from ..backend import Backend
from ..layers.gate import AGAIN, judge_again
from ..layers.handlers import ApiError
from ..routes.stream import EventStream, Stopping, StreamListener, frame
from ..routes.stream_places import StreamPlaces, TooMany
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


class Places(Protocol):
    """Shared state of live streams: places, and the server's wish to stop."""

    @property
    def places(self) -> StreamPlaces: ...
    @property
    def stopping(self) -> Stopping: ...
    @property
    def most(self) -> int: ...
    @property
    def heartbeat(self) -> float: ...


def routes(backend: Backend, office: Office, shared: Places) -> APIRouter:
    """The routes, to be included in the API."""
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
        doubted = asyncio.Event()
        try:
            give_back = shared.places.take_place(actor, shared.most, doubted.set)
        except TooMany as why:
            raise ApiError(429, str(why)) from None
        listener = StreamListener(backend.listen())
        try:
            await listener.start()
        except BaseException:
            give_back()
            raise
        # What is published from here on the listener hears; what was before stands in what is kept.
        known = backend.events.newest
        missed = backend.events.after(last_event_id) if last_event_id is not None else []
        opening = b"retry: 2000\n\n"
        if missed is None:
            opening += notice("reset", place)
        else:
            mine = [news for news in missed if news.conversation == place]
            opening += b"".join(shaped(news) for news in mine) + notice("ready", place)
        behind = int(known.rpartition("-")[2])

        def wanted(news: BotEvent) -> bool:
            return news.conversation == place and news.number > behind

        async def allowed() -> bool:
            found = await judge_again(request.scope)
            return isinstance(found, Actor) and found.group_id == actor.group_id

        return EventStream(
            listener,
            wanted,
            opening,
            stopping=shared.stopping,
            heartbeat=shared.heartbeat,
            allowed=allowed if AGAIN in request.scope else None,
            doubted=doubted,
            on_end=give_back,
            shape=shaped,
        )

    @router.get("/groups/{group_id}/events/{event_id}", summary="刚才的一个事件；只留最近的")
    async def get_event(actor: WhoActs, group_id: GroupId, event_id: ThingId) -> Event:
        place = await office.require_group(actor, group_id)
        found = backend.events.find(event_id)
        if found is None or found.conversation != place:
            raise missing("事件")
        return make_event(found)

    return router
