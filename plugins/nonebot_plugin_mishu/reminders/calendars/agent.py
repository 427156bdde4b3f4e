"""The agent that hands out calendars: the file into the conversation, and the address to subscribe to."""

from __future__ import annotations

from ...agents import AgentSpec, Announcer, Clause, Intent, Match, TaskContext, TaskDispatch, TaskResult
from ...language.calendar_files import asks_for_own, is_for_all, wants_calendar
from .calendars import CalendarDesk

CODE = "calendar"
HANDED = "日历私聊发给你了。"
NOT_HANDED = "日历私聊发不到你那里，群里不方便贴。加我好友再说一次。"


def rules(clause: Clause) -> Match | None:
    """A wish for the calendar as a file or as an address."""
    return Match("share", weight=4) if wants_calendar(clause.text) else None


class CalendarAgent:
    """Gives what is planned now as a file, and the address to subscribe to, to whoever asks. In a group they
    go to that member in private; what is planned is the group's, unless one's own is asked for."""

    def __init__(self, desk: CalendarDesk, announcer: Announcer) -> None:
        self._desk = desk
        self._announcer = announcer

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name="日历",
            intents=(
                Intent("share", "要日历文件或订阅地址", ("导出日历", "把群日程发成日历文件"), own_mood=True),
            ),
            boundary="只把已有的日程做成日历文件或给出订阅地址，不增删日程。",
            handler=self.handle,
            rules=rules,
            insertable=True,
            feature="日程",
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Hand it over, and say in the group no more than that."""
        here, actor = context.conversation, context.actor.user_id
        own = not here.is_group or asks_for_own(context.text)
        user_id = actor if own else ""
        file = await self._desk.calendar_file(here, user_id)
        address = await self._desk.address(here, user_id, actor)
        if here.is_group and not own and is_for_all(context.text):
            sent = await self._announcer.give_file(here, *file)
            said = f"群日程发到群文件了：{file[0]}。" if sent else "文件发不到群里。"
        elif here.is_group:

            def compose_private(with_file: bool) -> str:
                return _compose_reply(with_file, file[0], address)

            handed = await self._announcer.hand_over(here, actor, compose_private, file)
            sent = handed.file
            said = HANDED if handed else NOT_HANDED
        else:
            sent = await self._announcer.give_file(here, *file)
            said = _compose_reply(sent, file[0], address)
        context.acted("share_calendar", {}, {"address": address, "file": sent})
        return TaskResult(dispatch.task_id, "completed", user_response=said)


def _compose_reply(sent: bool, name: str, address: str) -> str:
    file = f"日历文件 {name} 发你了。" if sent else "日历文件发不出去。"
    if not address:
        return f"{file}这里没开网页，订阅不了。"
    return f"{file}订阅地址：\n{address}\n谁拿到都能看，别外传。"
