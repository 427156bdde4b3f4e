"""Carries out `/秘书 …` commands and answers each with one line. They work while silenced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from ...report import Report
from ...secretary import SendFailed
from ...storage import StorageError
from ..lines.incoming_message import IncomingMessage
from ..reply_service import SAY_TIMEOUT, ReplyService
from ..rooms.room import Room
from ..silencing import is_admin
from .decisions import DecisionCommands
from .parsing import Command, Verb
from .personal import LEFT_ALONE, PersonalDesk
from .quiet_hours import QuietCommands
from .silences import SilenceCommands
from .status import StatusCommands
from .switches import SettingCommands
from .web_links import WebDesk

RunCommand = Callable[[Room, IncomingMessage, Command], Awaitable[str]]
"""Runs a command; the reply for the conversation it was given in. Raises `StorageError`."""

NOT_ALLOWED = "这个只有群主和管理员能改。"
OWN_INSTEAD = "只管你自己的话，说「我的安静时段 22:00-8:00」。"
NOT_STORED = "现在存不进去，没改成，过会儿再试。"
NOT_READ = "现在读不出来，过会儿再试。"
BEGUN = "这条命令被重启打断了，改没改成不敢说。{look}看一眼，没成就再发一遍。"
BEGUN_TWICE = "这条命令两次都被重启打断了，先不试了，过会儿再发一遍。"
_LOOK_AT_STATE = "发「/秘书 状态」"
_LOOK: dict[Verb, str] = {
    "静音词": "发「/秘书 静音词 列表」",
    "唤醒词": "发「/秘书 唤醒词 列表」",
    "开关": "发「/秘书 开关 列表」",
    "日报": "发「/秘书 开关 列表」",
    "周报": "发「/秘书 开关 列表」",
    "安静时段": "说「安静时段」",
    "我的安静时段": "说「我的安静时段」",
    "确认忘记": "发「/秘书 导出」",
}
"""Where a member sees whether a command was done."""


def command_table(
    *,
    status: StatusCommands,
    decisions: DecisionCommands,
    silences: SilenceCommands,
    settings: SettingCommands,
    quiet: QuietCommands,
    personal: PersonalDesk,
    web: WebDesk,
) -> dict[Verb, RunCommand]:
    """Commands by verb."""
    return {
        "帮助": status.help,
        "状态": status.status,
        "用量": status.usage,
        "为什么": decisions.why,
        "网页": web.run,
        "导出": personal.export,
        "忘记我": personal.forget,
        "确认忘记": personal.confirmed,
        "闭嘴": silences.silence,
        "说话": silences.speak,
        "静音词": settings.words,
        "唤醒词": settings.words,
        "开关": settings.switch,
        "人设": settings.persona,
        "日报": settings.daily,
        "周报": settings.weekly,
        "安静时段": quiet.of_group,
        "我的安静时段": quiet.of_member,
    }


class CommandDesk:
    """Runs the commands of a table. Whatever a line says was changed is on disk before it is said."""

    def __init__(
        self,
        table: Mapping[Verb, RunCommand],
        replies: ReplyService,
        personal: PersonalDesk,
        report: Report,
    ) -> None:
        self._table = table
        self._replies = replies
        self._personal = personal
        self._report = report

    async def run(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """Carry out a command and answer it."""
        if command.for_admins and not is_admin(heard):
            text = NOT_ALLOWED + (OWN_INSTEAD if command.verb == "安静时段" else "")
        elif command.problem is not None:
            text = command.problem
        else:
            try:
                text = await self._table[command.verb](room, heard, command)
            except StorageError as error:
                self._report("命令没有办成", error)
                reading = command.verb in ("为什么", "用量", "导出", "忘记我")
                text = NOT_READ if reading else NOT_STORED
        await self.tell(room, heard, text)
        await self.finish(room, heard, command)

    async def answer_cut_off(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """Answer a command that a restart cut off: one that changes something, or one begun twice. Nobody
        knows its result, and it is not run again."""
        text = BEGUN.format(look=_LOOK.get(command.verb, _LOOK_AT_STATE)) if command.writes else BEGUN_TWICE
        await self.tell(room, heard, text)
        await self.finish(room, heard, command)

    async def finish(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """Finish an answered command: the line that confirmed a forgetting is forgotten as the last one."""
        if command.verb != "确认忘记":
            return
        try:
            await self._personal.forget_line(room, heard)
        except StorageError as error:
            self._report("「确认忘记」这句没有删掉", error)

    async def leave_alone(self, room: Room, heard: IncomingMessage) -> None:
        """Answer a member who was asked whether to be forgotten and would rather not."""
        room.forgetting.pop(heard.user_id, None)
        await self.tell(room, heard, LEFT_ALONE)

    async def tell(self, room: Room, heard: IncomingMessage, text: str) -> None:
        """Answer a line at once, past turns and silences."""
        try:
            await self._replies.answer(room, heard.message_id, text, SAY_TIMEOUT)
        except SendFailed as error:
            self._report("命令的答复没有发出去", error)
