"""`GET /health`: state of the bot, its database and its model, for a container's health check."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter

from ...services.access.actor import sees_bot
from ..acting import WhoActs
from ..backend import Backend
from ..schemas import HealthBody

PATH: Final = "/health"


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.get(PATH, summary="是否正常")
    async def health(actor: WhoActs) -> HealthBody:
        found = await backend.health()
        if not sees_bot(actor):
            # Which accounts there are is no group's business, but which of them is in the own one.
            here = await backend.account_in(actor.group_id or "")
            found = replace(found, bots=[each for each in found.bots if each == here])
        return HealthBody.take(found)

    return router
