"""All routes of `/api/v1`, under names of operations that stay."""

from __future__ import annotations

from fastapi import APIRouter

from ...services.office import Office
from ..backend import Backend
from ..routes.stream import LiveStreams
from . import calendar, groups, imports, live, money, polls, talk

PREFIX = "/v1"


def v1_routes(backend: Backend, office: Office, streams: LiveStreams) -> APIRouter:
    router = APIRouter(prefix=PREFIX, generate_unique_id_function=lambda route: route.name)
    for each in (
        groups.routes(office),
        calendar.routes(office),
        money.routes(office),
        polls.routes(office),
        imports.routes(office),
        talk.routes(backend, office),
        live.routes(backend, office, streams),
    ):
        router.include_router(each)
    return router
