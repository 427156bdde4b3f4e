"""The actor of a request, as routes get it. Imports FastAPI, as `app` does."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from ..operations.actor import Actor
from .guard import ACTOR
from .handlers import ApiError


def actor_of(request: Request) -> Actor:
    """Whom the guard let pass. A request that passed no guard is nobody's: 403."""
    found = request.scope.get(ACTOR)
    if not isinstance(found, Actor):
        raise ApiError(403, "没有权限")
    return found


WhoActs = Annotated[Actor, Depends(actor_of)]
"""A parameter of a route: who acts."""
