"""`/秘书 网页 [退出]`: a link to the pages, sent to the member alone; or the member's pages closed."""

from __future__ import annotations

from typing import Protocol

from ...agents import Handed
from ...storage.records import Conversation, Role
from ..lines.incoming_message import IncomingMessage
from ..private_delivery import NOT_SENT, Privately
from ..rooms.room import Room
from ..silencing import is_admin
from .parsing import Command

LEAVE = "退出"
SENT = "网页的链接私聊发给你了，5 分钟内打开。"
IN_GROUP_ONLY = "网页是一个群一个群看的：在那个群里发「/秘书 网页」，链接会私聊发给你。"
NOTHING_OPEN = "没有打开着的网页，没用的链接也作废了。"
NO_PAGES = "这里没开网页，机器人的主人装上 nonebot-plugin-mishu[console] 就有。"
_LINK = """\
这个群的网页：{link}
5 分钟内打开，只能打开一次，别转给别人；打开后 12 小时内都能用。
不用了就发「/秘书 网页 退出」。"""


class WebSessions(Protocol):
    """Opens and closes web sessions. Each method may raise `StorageError`."""

    async def invite(self, place: Conversation, user_id: str, name: str, role: Role) -> str | None:
        """A link that opens the group's pages once, with this member's rights; None: there are no pages."""
        ...

    async def take_back(self, link: str) -> None:
        """The link reached nobody: it opens nothing any more."""
        ...

    async def close_all(self, user_id: str) -> int:
        """Close whatever this person has open; how many."""
        ...

    async def standing_changed(self, place: Conversation, user_id: str) -> None:
        """Read a member's role anew: the platform told that it changed."""
        ...

    async def close_here(self, place: Conversation, user_id: str | None = None) -> None:
        """Somebody left a group, or we did (nobody named): what was opened of it is closed."""
        ...


class WebDesk:
    """Hands out links. Nothing of them is ever said in a group."""

    def __init__(self, web_sessions: WebSessions | None, privately: Privately) -> None:
        self._web_sessions = web_sessions
        self._privately = privately

    async def run(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Run the command; return the reply for the conversation it was given in. Raises `StorageError`."""
        if self._web_sessions is None:
            return NO_PAGES
        if command.action == LEAVE:
            closed = await self._web_sessions.close_all(heard.user_id)
            return f"好，{closed} 处打开的网页都退出了。" if closed else NOTHING_OPEN
        if not room.conversation.is_group:
            return IN_GROUP_ONLY
        role: Role = "admin" if is_admin(heard) and heard.role == "member" else heard.role
        link = await self._web_sessions.invite(room.conversation, heard.user_id, heard.name, role)
        if link is None:
            return NO_PAGES
        handed = Handed(False, False)
        try:
            told = _LINK.format(link=link)
            handed = await self._privately.hand_over(room.conversation, heard.user_id, lambda _: told)
        finally:
            if not handed:
                await self._web_sessions.take_back(link)
        return SENT if handed else NOT_SENT
