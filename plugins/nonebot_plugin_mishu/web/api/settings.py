"""`/api/groups/{id}/settings`: words, switches, persona, listening, times of digests; and who set what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ...services import settings
from ...services.office import Office
from ..acting import WhoActs
from ..schemas import Instant, at
from ..v1.shapes import SettingsShape
from .values import GroupId, Limit, Person, SelfId, WritesFor


class SettingsInput(BaseModel):
    """Any part; what is left out stays, null goes back to what is configured."""

    silence_words: list[str] = Field([], description="让秘书安静的词")
    speak_words: list[str] = Field([], description="让秘书再说话的词")
    wake_words: list[str] = Field([], description="叫秘书的词")
    features: dict[str, bool] = Field({}, description="要开关的功能；没给的不变")
    persona: str | None = Field(None, description="人设")
    listen: str | None = Field(None, description="听不听大家说的安排：off、present 或 always")
    digest_time: str | None = Field(None, description="日报几点发，HH:MM")
    weekly_time: str | None = Field(None, description="周报哪天几点发，如 MO 09:00")
    quiet_hours: str | None = Field(None, description="安静时段，如 23:00-08:00；null 是不设")


class SettingsIn(SettingsInput):
    """Any part of the settings, and who sets it."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person | None = None


class ChangeBody(BaseModel):
    """A change of a setting over HTTP or in the console; `user` is empty for the owner."""

    user: str
    name: str
    value: str
    at: Instant


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["设置"])

    @router.get("/groups/{id}/settings", summary="群设置")
    async def read(actor: WhoActs, group_id: GroupId, self_id: SelfId = None) -> SettingsShape:
        place = await office.require_group(actor, group_id, self_id)
        return SettingsShape.take(await settings.load_settings(office, place))

    @router.put("/groups/{id}/settings", summary="改群设置，给几项改几项；群主和管理员")
    async def write(
        write: WritesFor, group_id: GroupId, body: SettingsIn, self_id: SelfId = None
    ) -> SettingsShape:
        place = await office.require_group(write.actor, group_id, self_id)
        given: dict[str, Any] = body.model_dump(exclude_unset=True, exclude={"user_id"})
        write = replace(write, user_id=body.user_id or write.user_id)
        return SettingsShape.take(await settings.change_settings(office, write, place, given))

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
