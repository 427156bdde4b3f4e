"""`/秘书 安静时段` and `我的安静时段`: hours in which the bot does not speak first."""

from __future__ import annotations

from ...storage import Storage
from ...storage.quiet.records import USUAL, QuietHours
from ..lines.incoming_message import IncomingMessage
from ..rooms.room import Room
from .parsing import Command
from .settings import SettingDesk


class QuietCommands:
    """Shows and sets quiet hours. Raises `StorageError`."""

    def __init__(self, storage: Storage, setting: SettingDesk) -> None:
        self._storage = storage
        self._setting = setting

    async def of_group(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Show, set or drop the quiet hours of the group."""
        if command.action == "看":
            kept = room.settings.quiet_hours
            if kept is None:
                return f"群里没设安静时段；{USUAL.shown} 我不催人。管理员说「安静时段 23:00-8:00」就设上。"
            return f"群里的安静时段是 {QuietHours.kept(kept).shown}。"
        hours = QuietHours.kept(command.value) if command.action == "设置" else None
        await self._setting.set_times(room, quiet_hours=None if hours is None else hours.as_kept())
        if hours is None:
            return "好，群里的安静时段取消了。"
        return (
            f"好，{hours.shown} 是群里的安静时段：我不主动说话，日报、催人等到结束再发；"
            "定了钟点的提醒照常。不要了就说「安静时段取消」。"
        )

    async def of_member(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Show, set or drop the speaker's own quiet hours."""
        where, member = room.conversation, heard.user_id
        if command.action == "看":
            kept = (await self._storage.member_quiet.of_members(where.self_id, [member])).get(member)
            return "你没设安静时段。" if kept is None else f"你的安静时段是 {kept.shown}。"
        hours = QuietHours.kept(command.value) if command.action == "设置" else None
        await self._setting.set_member_quiet(room, member, hours)
        if hours is None:
            return "好，你的安静时段取消了。"
        return (
            f"好，{hours.shown} 是你的安静时段：有人让我催你，等到结束再说；定了钟点的提醒照常。"
            "不要了就说「我的安静时段取消」。"
        )
