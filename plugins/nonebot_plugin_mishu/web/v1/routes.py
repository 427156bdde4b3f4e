"""All routes of `/api/v1`, under names of operations that stay."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.routing import APIRoute

from ...services.office import Office
from ..backend import Backend
from . import calendar, groups, imports, live, money, polls, talk

PREFIX = "/v1"


def _operation_id(route: APIRoute) -> str:
    return route.name


def v1_routes(backend: Backend, office: Office, streams: live.Places) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(prefix=PREFIX, generate_unique_id_function=_operation_id)
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
