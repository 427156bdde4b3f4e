"""The actor of a request, as routes get it. Imports FastAPI, as `app` does."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from fastapi import Depends, Request

from ..services.access.actor import Actor, Write, sees_group, sees_person
from .layers.guard import ACTOR
from .layers.handlers import ApiError
from .layers.idempotency import ORIGIN


def actor_of(request: Request) -> Actor:
    """The actor that the guard put into the request; without one 403."""
    found = request.scope.get(ACTOR)
    if not isinstance(found, Actor):
        raise ApiError(403, "没有权限")
    return found


def origin_of(request: Request) -> str:
    """Origin of a write: the same for every repetition of the request (`idempotency`)."""
    found = request.scope.get(ORIGIN)
    return found if isinstance(found, str) else f"http:{uuid4().hex}"


def check_group(actor: Actor, group_id: str) -> None:
    """403 unless the actor may see the group."""
    if not sees_group(actor, group_id):
        raise ApiError(403, "这不是你所在的群")


def check_person(actor: Actor, user_id: str, group_id: str | None) -> None:
    """403 unless the actor may read or speak as this person in the group."""
    if not sees_person(actor, user_id):
        raise ApiError(403, "只能是自己")
    if not actor.is_owner and group_id != actor.group_id:
        raise ApiError(403, "这不是你所在的群")


Origin = Annotated[str, Depends(origin_of)]
"""A parameter of a route: the name of the work."""
WhoActs = Annotated[Actor, Depends(actor_of)]
"""A parameter of a route: who acts."""


def write_of(actor: WhoActs, origin: Origin) -> Write:
    """The write that a request asks for; for whom stands in its body (`of`)."""
    return Write(actor, origin)


Writes = Annotated[Write, Depends(write_of)]
"""A parameter of a route: the write."""
