"""The agent that hands out calendars: the file into the conversation, and the address to subscribe to."""

from __future__ import annotations

import re

from ..agents import AgentSpec, Announcer, Clause, Errand, Intent, Match, TaskDispatch, TaskResult
from .calendars import CalendarDesk

CODE = "calendar"
_ASKED = re.compile(
    r"(?:导出|下载|订阅|发|给|要|生成|分享).{0,8}(?:日历|ics)|日历.{0,4}(?:文件|订阅|地址|链接|导出)|\.ics",
    re.IGNORECASE,
)
_MINE = re.compile(r"我的|个人|自己")


def rules(clause: Clause) -> Match | None:
    """A wish for the calendar as a file or as an address."""
    return Match("share", weight=4) if _ASKED.search(clause.text) else None


class CalendarAgent:
    """Sends what is planned now as a file. In a group it is the group's, unless one's own is asked for."""

    def __init__(self, desk: CalendarDesk, announcer: Announcer) -> None:
        self._desk = desk
        self._announcer = announcer

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name="日历",
            intents=(Intent("share", "要日历文件或订阅地址", ("导出日历", "把群日程发成日历文件")),),
            boundary="只把已有的日程做成日历文件或给出订阅地址，不增删日程。",
            handler=self.handle,
            rules=rules,
            insertable=True,
            feature="日程",
        )

    async def handle(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        """Send the file and tell the address. One's own calendar is only told in private."""
        here = errand.conversation
        own = not here.is_group or _MINE.search(errand.text) is not None
        if own and here.is_group:
            return TaskResult(
                dispatch.task_id, "completed", user_response="你自己的日历请私聊我要，群里只发群日程。"
            )
        user_id = errand.actor.user_id if own else ""
        name, content = await self._desk.calendar_file(here, user_id)
        address = await self._desk.address(here, user_id)
        sent = await self._announcer.give_file(here, name, content)
        errand.acted("share_calendar", {}, {"address": address, "file": sent})
        told = f"日历文件 {name} 发上来了。" if sent else "文件发不出去。"
        return TaskResult(
            dispatch.task_id,
            "completed",
            user_response=f"{told}订阅地址是机器人的网址加上 {address}，知道它的人都能看，请别外传。",
        )
