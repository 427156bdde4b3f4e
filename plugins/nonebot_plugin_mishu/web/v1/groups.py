"""`/api/v1`: groups, their members and settings, and what was done last taken back."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from ...services import groups, nudges, settings, undoing
from ...services.access.actor import sees_group
from ...services.office import Office
from ...services.paging import cut_page, decode_cursor
from ...services.refusals import missing
from ..acting import WhoActs, Writes
from ..api.settings import SettingsInput
from ..api.values import Person
from ..schemas import at
from .shapes import Group, Listed, Member, Nudge, SettingChange, Settings, Undone, examples
from .values import Body, Cursor, GroupId, Limit, UserId, V1Route, listed

_CHANGES = 1000
"""Changes of settings that are told of, the newest."""


class SettingsFields(SettingsInput, Body):
    """Any part of the settings; what is left out stays, null goes back to what is configured."""

    model_config = examples({"digest_time": "07:30", "features": {"插话": False}})


class NudgeFields(Body):
    """Whom to nudge, and what about."""

    model_config = examples({"user_id": "902", "what": "交方案"})

    user_id: Person = Field(description="催谁")
    what: str = Field("", max_length=40, description="催什么；不给就是两人之间没办完的事")
    money: bool = Field(False, description="催的是钱：金额按群里的账")


def routes(office: Office) -> APIRouter:
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
        return listed(page, lambda each: Member.of(each, office.zone, group_id=group_id))

    @router.get("/groups/{group_id}/members/{user_id}", summary="一个成员")
    async def get_member(actor: WhoActs, group_id: GroupId, user_id: UserId) -> Member:
        place = await office.require_group(actor, group_id)
        # Members are listed by id, so the page behind everything below it begins with them.
        page = await groups.list_members(office, place, limit=1, after=(user_id, -1))
        if not page.rows or page.rows[0].id != user_id:
            raise missing("成员")
        return Member.of(page.rows[0], office.zone, group_id=group_id)

    @router.get("/groups/{group_id}/settings", summary="群设置")
    async def get_settings(actor: WhoActs, group_id: GroupId) -> Settings:
        place = await office.require_group(actor, group_id)
        return Settings.take(await settings.load_settings(office, place), group_id=group_id)

    @router.patch(
        "/groups/{group_id}/settings", summary="改群设置，给几项改几项，null 是按配置来；群主和管理员"
    )
    async def update_settings(write: Writes, group_id: GroupId, body: SettingsFields) -> Settings:
        place = await office.require_group(write.actor, group_id)
        now = await settings.change_settings(office, body.of(write), place, body.said())
        return Settings.take(now, group_id=group_id)

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
    async def nudge_member(write: Writes, group_id: GroupId, body: NudgeFields) -> Nudge:
        place = await office.require_group(write.actor, group_id)
        done = await nudges.nudge_member(
            office, body.of(write), place, body.user_id, body.what, money=body.money
        )
        return Nudge(user_id=body.user_id, text=done.text, at=at(done.at, office.zone))

    @router.post("/groups/{group_id}/undo", summary="撤销自己在这个群里十分钟内最后做的一件事")
    async def undo(write: Writes, group_id: GroupId, body: Body | None = None) -> Undone:
        place = await office.require_group(write.actor, group_id)
        write = write if body is None else body.of(write)
        return Undone(summary=await undoing.undo_newest(office, write, place))

    return router
