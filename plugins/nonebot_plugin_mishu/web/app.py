"""The HTTP API as a FastAPI application, mounted by `mounting` at `/api` (`contracts.md`, HTTP API).

This module imports FastAPI: it is itself imported only where the driver's app is one.

Where the contract is silent: without `self_id` a route means the account `Backend.account_in` names; a
group of which no account is known has the presence of an absent secretary and empty lists; `limit` is
1–200 (20) for decisions and 1–1000 (100) for messages, 422 outside; a stream opens with the present
presence, and one more than `MAX_STREAMS` at a time, or than one person or group may have, is 429.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, FastAPI, Query, Request, Response, Security
from fastapi.security import HTTPBearer
from pydantic import SecretStr
from starlette.responses import HTMLResponse

from ..events import BotEvent
from ..services.access.actor import Actor
from ..services.office import Office
from ..services.paging import decode_cursor, make_page
from ..storage.records import Conversation
from . import docs_page, document
from .acting import WhoActs, check_group
from .api import books, free_time, groups, memory, polls, schedules, settings, tasks
from .api.values import PRINTABLE, Cursor, GroupId, SelfId, paged
from .backend import Backend, PresenceView
from .layers import handlers
from .layers.forwarded import Proxies
from .layers.gate import SessionReader, TokenReader
from .layers.stack import surround
from .mounting import MOUNT_PATH
from .routes import chat as chat_routes
from .routes import corrections, turns, usage
from .routes import health as health_route
from .routes import record as record_routes
from .routes.stream import HEARTBEAT, LiveStreams, frame
from .schemas import DecisionBody, ErrorBody, MessageBody, PresenceBody, presence_json
from .v1.routes import v1_routes


class StreamSessions(SessionReader, Protocol):
    """Sessions that tell when some ended (`services.access.sessions.Sessions`)."""

    def on_doubt(self, doubt: Callable[[str | None], None]) -> None:
        """Call `doubt` with the group, or None for any, whenever sessions ended or changed."""
        ...


_ABOUT = """前台、秘书、账本与各智能体的接口。新写的程序用 `/v1` 下面的：每样东西一个样子，编号都是字符串，
时间为带时区偏移的 ISO 8601，日期是 YYYY-MM-DD，金额是两位小数的字符串。

谁：带 `Authorization: Bearer 令牌` 的是机器人的主人（没有设置令牌时是本机）；
主人的写操作，在 `/v1` 里用 `as_user`、在先前的接口里用 `user_id` 写明是替谁做的。
列表：`{"items": [...], "next_cursor": ...}`，next_cursor 不是 null 就带着 `cursor` 再要一页。
错误：`{"error": {"code", "message"}}`，422 有 `field`；
409 有 `question` 的带 `confirm` 再发一次就是回答“是”。
重发：写操作带 `Idempotency-Key`，同样的请求只做一次。
读操作有 `ETag`，带 `If-None-Match` 没有变就是 304。"""
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": description}
    for status, description in {
        401: "需要令牌",
        403: "令牌不对，或不是本机的请求",
        413: "请求体太大",
        422: "参数不合法，消息里写明哪一个",
        503: "数据库或服务暂时不可用",
    }.items()
}


def create_app(
    backend: Backend,
    *,
    token: SecretStr | None,
    heartbeat: float = HEARTBEAT,
    office: Office | None = None,
    sessions: StreamSessions | None = None,
    proxies: Proxies | None = None,
    origins: Sequence[str] = (),
    tokens: TokenReader | None = None,
) -> FastAPI:
    """The application, guarded and with its own error shapes and OpenAPI. `heartbeat` in seconds.

    `office` does what the routes of groups, calendars, tasks, books, settings and memory ask for; without it
    they are not there. `sessions` knows the cookies of pages, `tokens` those of members' programs, `proxies`
    whose word on a request counts. Pages of `origins` may read answers in a browser (CORS), with a token of
    their own.
    """
    bearer = HTTPBearer(auto_error=False, description="MISHU__WEB__TOKEN；没有设置时只回答本机的请求")
    app = FastAPI(
        title="Mishu 秘书",
        description=_ABOUT,
        version=_version(),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=_ERRORS,
        # As seen from the document, so that it holds below a proxy's path too.
        servers=[{"url": f"..{MOUNT_PATH}"}],
        root_path_in_servers=False,
        dependencies=[Security(bearer)],
    )
    handlers.install(app)
    streams = app.state.streams = LiveStreams(heartbeat)
    if sessions is not None:
        sessions.on_doubt(streams.places.doubt)
    app.include_router(health_route.routes(backend))
    app.include_router(_add_routes(backend, streams))
    app.include_router(chat_routes.routes(backend))
    app.include_router(turns.routes(backend))
    app.include_router(corrections.routes(backend))
    app.include_router(usage.routes(backend))
    app.include_router(record_routes.routes(backend))
    if office is not None:
        for room in (groups, schedules, free_time, tasks, books, settings, memory, polls):
            app.include_router(room.routes(office))
        app.include_router(v1_routes(backend, office, streams))
    app.include_router(_add_docs(app))
    surround(
        app, token=token, office=office, sessions=sessions, proxies=proxies, origins=origins, tokens=tokens
    )
    app.openapi = _complete_document(app)
    return app


def _complete_document(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """The document of the application, made once and completed."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = document.complete(plain())
        return app.openapi_schema

    return openapi


def _add_docs(app: FastAPI) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/docs")
    @router.get("/docs/")
    async def docs() -> HTMLResponse:
        headers = {"Content-Security-Policy": docs_page.POLICY, "X-Content-Type-Options": "nosniff"}
        return HTMLResponse(docs_page.render_page(app.openapi()), headers=headers)

    return router


def _version() -> str:
    try:
        return version("nonebot-plugin-mishu")
    except PackageNotFoundError:
        return "0"


def _add_routes(backend: Backend, streams: LiveStreams) -> APIRouter:
    router = APIRouter()

    async def conversation(actor: Actor, group_id: str, self_id: str | None) -> Conversation | None:
        check_group(actor, group_id)
        account = await backend.account_in(group_id, self_id)
        return None if account is None else Conversation(account, "group", group_id)

    async def view(place: Conversation | None) -> PresenceView:
        return PresenceView() if place is None else await backend.presence(place)

    @router.get("/groups/{id}/presence", summary="秘书在这个群的状态")
    async def presence(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> PresenceBody:
        return PresenceBody.of(await view(await conversation(actor, group_id, self_id)), backend.zone)

    @router.get("/groups/{id}/decisions", summary="最近的决定，新的在前")
    async def decisions(
        response: Response,
        actor: WhoActs,
        group_id: GroupId,
        self_id: SelfId = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 20,
        cursor: Cursor = None,
    ) -> Sequence[DecisionBody]:
        after = decode_cursor(cursor)
        place = await conversation(actor, group_id, self_id)
        if place is None:
            return []
        before = None if after is None else after[1]
        records = await backend.decisions(place, limit=limit + 1, before=before)
        page = make_page(records, limit, lambda record: ("", record.id))
        return paged(response, page, lambda record: DecisionBody.of(record, backend.zone))

    @router.get("/groups/{id}/messages", summary="账本，旧的在前")
    async def messages(
        actor: WhoActs,
        group_id: GroupId,
        self_id: SelfId = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        after: Annotated[
            str | None, Query(max_length=64, pattern=PRINTABLE, description="只要这条消息之后的")
        ] = None,
    ) -> list[MessageBody]:
        place = await conversation(actor, group_id, self_id)
        if place is None:
            return []
        since = await backend.came(place, actor.user_id) if not actor.is_owner else None
        records = await backend.messages(place, limit=limit, after=after)
        if since is not None:
            records = [record for record in records if record.time >= since]
        return [MessageBody.of(record, backend.zone) for record in records]

    @router.get(
        "/groups/{id}/events",
        summary="实时事件：presence、decision、draft、schedule、task、transaction、reminder、settings",
        response_class=Response,
        responses={
            200: {"content": {"text/event-stream": {}}, "description": "server-sent events"},
            429: {"model": ErrorBody, "description": "同时监听的太多"},
        },
    )
    async def events(request: Request, actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> Response:
        check_group(actor, group_id)

        async def begin() -> tuple[bytes, Callable[[BotEvent], bool]]:
            place = await conversation(actor, group_id, self_id)

            def wanted(news: BotEvent) -> bool:
                if place is not None:
                    return news.conversation == place
                return news.conversation.is_group and news.conversation.peer == group_id

            return frame("presence", presence_json(await view(place), backend.zone)), wanted

        return await streams.open(
            request, actor, backend.listen, begin, lambda news: frame(news.kind, news.data)
        )

    return router
