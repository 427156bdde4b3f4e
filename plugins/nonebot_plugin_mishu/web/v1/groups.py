"""`/api/v1`: groups, their members and settings, and what was done last taken back."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from ...services import groups, nudges, settings, undoing
from ...services.access.actor import sees_group
from ...services.office import Office
from ...services.paging import cut_page, decode_cursor
from ...services.refusals import missing
from ..acting import Origin, WhoActs
from ..api.values import Person
from ..schemas import at
from .shapes import Group, Listed, Member, Nudge, SettingChange, Settings, Undone
from .values import Body, Cursor, GroupId, Limit, UserId, V1Route, listed

_CHANGES = 1000
"""Changes of settings that are told of, the newest."""


class SettingsFields(Body):
    """Any part of the settings; what is left out stays, null goes back to what is configured."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"digest_time": "07:30", "features": {"插话": False}}]},
    )

    silence_words: list[str] = Field(default_factory=list, description="让秘书安静的词")
    speak_words: list[str] = Field(default_factory=list, description="让秘书再说话的词")
    wake_words: list[str] = Field(default_factory=list, description="叫秘书的词")
    features: dict[str, bool] = Field(default_factory=dict, description="要开关的功能；没给的不变")
    persona: str | None = Field(None, description="人设")
    listen: str | None = Field(None, description="听不听大家说的安排：off、present 或 always")
    digest_time: str | None = Field(None, description="日报几点发，HH:MM")
    weekly_time: str | None = Field(None, description="周报哪天几点发，如 MO 09:00")
    quiet_hours: str | None = Field(None, description="安静时段，如 23:00-08:00；null 是不设")


class NudgeFields(Body):
    """Whom to nudge, and what about."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"user_id": "902", "what": "交方案"}]}
    )

    user_id: Person = Field(description="催谁")
    what: str = Field("", max_length=40, description="催什么；不给就是两人之间没办完的事")
    money: bool = Field(False, description="催的是钱：金额按群里的账")


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(tags=["v1 群"], route_class=V1Route)

    @router.get("/groups", summary="知道的群，按群号")
    async def list_groups(actor: WhoActs, limit: Limit = 50, cursor: Cursor = None) -> Listed[Group]:
        page = await groups.list_groups(office, actor, limit=limit, after=decode_cursor(cursor))
        return listed(page, lambda each: Group.of(each, office.zone))

    @router.get("/groups/{group_id}", summary="一个群")
    async def get_group(actor: WhoActs, group_id: GroupId) -> Group:
        await office.require_group(actor, group_id)
        found = await groups.list_groups(office, actor, limit=1, after=None, only=group_id)
        if not found.rows or not sees_group(actor, group_id):
            raise missing("群")
        return Group.of(found.rows[0], office.zone)

    @router.get("/groups/{group_id}/members", summary="群成员，按号码")
    async def list_members(
        actor: WhoActs, group_id: GroupId, limit: Limit = 50, cursor: Cursor = None
    ) -> Listed[Member]:
        place = await office.require_group(actor, group_id)
        page = await groups.list_members(office, place, limit=limit, after=decode_cursor(cursor))
        return listed(page, lambda each: Member.of(each, group_id, office.zone))

    @router.get("/groups/{group_id}/members/{user_id}", summary="一个成员")
    async def get_member(actor: WhoActs, group_id: GroupId, user_id: UserId) -> Member:
        place = await office.require_group(actor, group_id)
        # Members are listed by id, so the page behind everything below it begins with them.
        page = await groups.list_members(office, place, limit=1, after=(user_id, -1))
        if not page.rows or page.rows[0].id != user_id:
            raise missing("成员")
        return Member.of(page.rows[0], group_id, office.zone)

    @router.get("/groups/{group_id}/settings", summary="群设置")
    async def get_settings(actor: WhoActs, group_id: GroupId) -> Settings:
        place = await office.require_group(actor, group_id)
        return Settings.model_validate(
            {"group_id": group_id, **asdict(await settings.load_settings(office, place))}
        )

    @router.patch(
        "/groups/{group_id}/settings", summary="改群设置，给几项改几项，null 是按配置来；群主和管理员"
    )
    async def update_settings(actor: WhoActs, group_id: GroupId, body: SettingsFields) -> Settings:
        place = await office.require_group(actor, group_id)
        given = body.said()
        named = body.as_user if actor.is_owner else None
        now = await settings.change_settings(office, actor, place, given, user_id=named)
        return Settings.model_validate({"group_id": group_id, **asdict(now)})

    @router.get("/groups/{group_id}/settings/changes", summary="谁在什么时候改了什么，新的在前")
    async def list_setting_changes(
        actor: WhoActs, group_id: GroupId, limit: Limit = 50, cursor: Cursor = None
    ) -> Listed[SettingChange]:
        place = await office.require_group(actor, group_id)
        found = await settings.list_changes(office, place, _CHANGES)
        # Numbered from the oldest on, so that what is added meanwhile moves no page.
        numbered = [(number - len(found), each) for number, each in enumerate(found)]
        page = cut_page(numbered, limit, decode_cursor(cursor), lambda each: ("", each[0]))
        return listed(
            page,
            lambda each: SettingChange(
                user_id=each[1].user_id or None,
                name=each[1].name,
                value=each[1].value,
                at=at(each[1].at, office.zone),
            ),
        )

    @router.post("/groups/{group_id}/nudges", summary="替自己在群里催一位成员，一天最多两次", status_code=201)
    async def nudge_member(actor: WhoActs, origin: Origin, group_id: GroupId, body: NudgeFields) -> Nudge:
        place = await office.require_group(actor, group_id)
        done = await nudges.nudge_member(
            office,
            actor,
            place,
            body.user_id,
            body.what,
            origin=origin,
            money=body.money,
            user_id=body.as_user,
        )
        return Nudge(user_id=body.user_id, text=done.text, at=at(done.at, office.zone))

    @router.post("/groups/{group_id}/undo", summary="撤销自己在这个群里十分钟内最后做的一件事")
    async def undo(actor: WhoActs, origin: Origin, group_id: GroupId, body: Body | None = None) -> Undone:
        place = await office.require_group(actor, group_id)
        whose = None if body is None else body.as_user
        return Undone(summary=await undoing.undo_newest(office, actor, place, origin=origin, user_id=whose))

    return router
