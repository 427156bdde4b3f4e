"""Private delivery of one member's data, wherever they asked for it (pitfall 77)."""

from __future__ import annotations

from collections.abc import Callable

from ..agents import Handed
from ..secretary import SendFailed, Speech
from ..storage.records import Conversation
from .platform import Platform
from .reply_service import SAY_TIMEOUT, ReplyService
from .rooms.rooms import Rooms

SENT = "私聊发给你了，只有你看得到。"
NOT_SENT = "私聊发不到你那里，群里不方便贴。加我好友再说一次，或者直接私聊我。"
KEPT = "[只发给本人的内容]"
"""Ledger text in place of the content: a copy in the private conversation would outlive the member's
forgetting in the group."""


class Privately:
    """Hands things to members through the outbox of their private conversation, also while silenced: it is
    the answer to what they asked."""

    def __init__(self, rooms: Rooms, replies: ReplyService, platform: Platform) -> None:
        self._rooms = rooms
        self._replies = replies
        self._platform = platform

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        """Send a file and then a text to one member alone; the parts that arrived. `told` makes the text,
        given whether the file went."""
        alone = Conversation(self._platform.speaker(conversation), "private", user_id)
        given = file is not None and await self._platform.give_file(alone, *file)
        via = conversation.peer if conversation.is_group else None
        return Handed(given, await self._say(alone, told(given), via))

    async def give_file(self, conversation: Conversation, file: tuple[str, bytes]) -> bool:
        """A file into a conversation that is the member's own already."""
        return await self._platform.give_file(conversation, *file)

    async def _say(self, alone: Conversation, text: str, via: str | None) -> bool:
        """As a friend, else through the group. What may have arrived is not said twice."""
        try:
            room = await self._rooms.opened(alone)
        except TimeoutError:
            return False
        for group in [None] if via is None else [None, via]:
            try:
                await self._replies.say_despite_silence(
                    room, Speech(text, via=group, noted=KEPT), SAY_TIMEOUT
                )
            except SendFailed as error:
                if error.perhaps:
                    return False
            else:
                return True
        return False
