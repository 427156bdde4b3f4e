"""The left side: the groups, who is in the one shown, whom one speaks as, and the bot's own menu."""

from __future__ import annotations

from typing import Protocol

from nicegui import ui

from .group import SELF_ID, Group, Member
from .parts import avatar, box, button, role_tag, text
from .session import Session

MUTE_SECONDS = 60


class Seat(Protocol):
    """Where one sits: which group the page shows, and as whom it speaks."""

    @property
    def group(self) -> Group:
        """The group shown."""
        ...

    @property
    def speaker(self) -> int:
        """The member one speaks as."""
        ...

    @property
    def unread(self) -> set[int]:
        """Other groups in which something was said since the page showed them."""
        ...

    def take(self, group: Group, speaker: int | None = None) -> None:
        """Go to a group, or become another member."""
        ...


class Roster:
    """Groups and members; draws itself anew at every change of them."""

    def __init__(self, session: Session, seat: Seat) -> None:
        self._session = session
        self._seat = seat
        self._box = box("pg-side")

    def show(self) -> None:
        """Draw it."""
        group = self._seat.group
        self._box.clear()
        with self._box:
            with box("pg-places"):
                with box("pg-heading"):
                    text("群")
                    button(
                        "", "pg-icon", self._found, title="新建一个群并邀请秘书", mark="new-group", sign="add"
                    )
                for each in self._session.world.groups.values():
                    self._group(each)
            with box("pg-people"):
                with box("pg-heading"):
                    text("成员 · 点选以其身份发言")
                    button("", "pg-icon", self._join, title="有人进群", mark="join", sign="person_add")
                self._bot(group)
                for member in group.members.values():
                    self._member(group, member)

    def _group(self, group: Group) -> None:
        on = "on" if group is self._seat.group else ""
        with box(f"pg-group {on}", "button").on("click", lambda _: self._seat.take(group)) as row:
            row.props["type"] = "button"
            row.props["aria-pressed"] = "true" if on else "false"
            row.props["data-group"] = str(group.group_id)
            avatar(group.group_id, group.name[:1], "square small")
            text(group.name, "pg-name")
            if group.group_id in self._seat.unread:
                box("pg-dot info").props["data-mark"] = "unread"

    def _member(self, group: Group, member: Member) -> None:
        on = "on" if member.user_id == self._seat.speaker else ""
        with box(f"pg-member {on}", "button") as row:
            row.props["type"] = "button"
            row.props["aria-pressed"] = "true" if on else "false"
            row.props["data-member"] = member.name
            row.props["title"] = f"{member.name}（{member.user_id}），右键有更多"
            row.on("click", lambda _: self._seat.take(group, member.user_id))
            avatar(member.user_id, member.name)
            text(member.name, "pg-name")
            role_tag(member.role)
            if member.role == "owner":
                return  # an owner stays one, and stays
            with ui.context_menu():
                role = "取消管理员" if member.role == "admin" else "设为管理员"
                ui.menu_item(role, lambda: self._session.promote(group, member.user_id))
                ui.menu_item("退群", lambda: self._leave(group, member.user_id))

    def _bot(self, group: Group) -> None:
        world = self._session.world
        with box("pg-member", "button") as row:
            row.props["type"] = "button"
            row.props["data-mark"] = "bot"
            row.props["title"] = f"{world.bot_name}（{SELF_ID}）：点开菜单"
            avatar(SELF_ID, world.bot_name)
            text(world.bot_name, "pg-name")
            if not group.bot_inside:
                text("不在群里", "pg-tag")
            elif group.muted_until > world.now():
                text("禁言中", "pg-tag")
            else:
                text("机器人", "pg-tag bot")
                role_tag(group.bot_role)
            with ui.menu():
                self._bot_menu(group)

    def _bot_menu(self, group: Group) -> None:
        session, seat = self._session, self._seat
        if not group.bot_inside:
            ui.menu_item("邀请进群", lambda: session.invite_bot(group, seat.speaker))
            return
        ui.menu_item("戳一戳", lambda: session.poke(group, seat.speaker))
        leader = next((each.user_id for each in group.members.values() if each.role == "owner"), seat.speaker)
        if group.muted_until > session.world.now():
            ui.menu_item("解除禁言", lambda: session.mute_bot(group, leader, 0))
        else:
            ui.menu_item(f"禁言 {MUTE_SECONDS} 秒", lambda: session.mute_bot(group, leader, MUTE_SECONDS))
        role = "取消管理员" if group.bot_role == "admin" else "设为管理员"
        ui.menu_item(role, lambda: session.promote_bot(group))
        ui.menu_item("移出本群", lambda: session.remove_bot(group, leader))

    async def _found(self) -> None:
        number = len(self._session.world.groups) + 1
        self._seat.take(await self._session.found_group(f"新群 {number}"))

    async def _join(self) -> None:
        group = self._seat.group
        await self._session.join(group, self._seat.speaker)

    async def _leave(self, group: Group, user_id: int) -> None:
        await self._session.leave(group, user_id)
        if self._seat.speaker == user_id:
            self._seat.take(group)
