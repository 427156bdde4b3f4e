"""`/api/groups/{id}/settings`: words, switches, persona, listening, times of digests; and who set what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...services import settings
from ...services.office import Office
from ..acting import WhoActs
from ..schemas import Instant, at
from .values import GroupId, Limit, Person, SelfId, Whose


class SettingsBody(BaseModel):
    """Settings in force in a group."""

    silence_words: list[str]
    speak_words: list[str]
    wake_words: list[str]
    features: dict[str, bool]
    persona: str | None
    listen: str
    digest_time: str = Field(description="HH:MM")
    weekly_time: str = Field(description="星期和时间，如 MO 09:00")
    quiet_hours: str | None = Field(description="安静时段，如 23:00-08:00")


class SettingsIn(BaseModel):
    """Any part; what is left out stays, null goes back to what is configured."""

    model_config = ConfigDict(extra="forbid")

    silence_words: list[str] = Field(default_factory=list)
    speak_words: list[str] = Field(default_factory=list)
    wake_words: list[str] = Field(default_factory=list)
    features: dict[str, bool] = Field(default_factory=dict)
    persona: str | None = None
    listen: str | None = None
    digest_time: str | None = None
    weekly_time: str | None = None
    quiet_hours: str | None = None
    user_id: Person | None = None


class ChangeBody(BaseModel):
    """A change of a setting over HTTP or in the console; `user` is empty for the owner."""

    user: str
    name: str
    value: str
    at: Instant


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(tags=["设置"])

    @router.get("/groups/{id}/settings", summary="群设置")
    async def read(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> SettingsBody:
        place = await office.require_group(actor, group_id, self_id)
        return SettingsBody(**asdict(await settings.load_settings(office, place)))

    @router.put("/groups/{id}/settings", summary="改群设置，给几项改几项；群主和管理员")
    async def write(
        actor: WhoActs, group_id: GroupId, body: SettingsIn, user: Whose = None, self_id: SelfId = None
    ) -> SettingsBody:
        place = await office.require_group(actor, group_id, self_id)
        given: dict[str, Any] = body.model_dump(exclude_unset=True, exclude={"user_id"})
        named = body.user_id or user if actor.is_owner else None
        return SettingsBody(
            **asdict(await settings.change_settings(office, actor, place, given, user_id=named))
        )

    @router.get("/groups/{id}/settings/changes", summary="谁在什么时候改了什么，新的在前")
    async def changes(
        actor: WhoActs, group_id: GroupId, limit: Limit = 50, self_id: SelfId = None
    ) -> Sequence[ChangeBody]:
        place = await office.require_group(actor, group_id, self_id)
        found = await settings.list_changes(office, place, limit)
        return [
            ChangeBody(user=each.user_id, name=each.name, value=each.value, at=at(each.at, office.zone))
            for each in found
        ]

    return router
