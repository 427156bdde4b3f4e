"""Lines that an agent's handler sends to others than its speaker: an approver, a member, another group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..agents import Announcer, NotAnnounced
from ..report import Report
from ..storage.records import Conversation
from ..truth.reply_length import cut_reply
from .safety.gate import may_say

MOST: Final = 5
"""Most lines to others in one handler call."""
_TIMEOUT: Final = 10.0


class TaskNotices:
    """The lines of one call of a handler. What may not be said, or where we are silenced, is not sent."""

    def __init__(
        self,
        announcer: Announcer,
        conversation: Conversation,
        feature: str | None,
        agent: str,
        report: Report,
    ) -> None:
        self._announcer = announcer
        self._conversation = conversation
        self._feature = feature
        self._agent = agent
        self._report = report
        self._left = MOST
        self.message_ids: list[str] = []
        """The lines that went into this conversation: a quote of one is of the task's question."""

    async def to_member(self, user_id: str, text: str, *, privately: bool = False) -> bool:
        """Send a line to a member of the conversation; True if it was sent."""
        if not self._may(self._conversation, text):
            return False
        if privately:
            handed = await self._announcer.hand_over(self._conversation, user_id, lambda _: cut_reply(text))
            return handed.words
        mentions = [user_id] if self._conversation.is_group else []
        sent = await self._announce(self._conversation, text, mentions)
        if sent is not None:
            self.message_ids.append(sent)
        return sent is not None

    async def to_group(self, group_id: str, text: str, mentions: Sequence[str] = ()) -> bool:
        """Send a line into another group of the same account; True if it was sent."""
        there = replace(self._conversation, kind="group", peer=group_id)
        if not self._may(there, text):
            return False
        if self._feature is not None and not await self._announcer.allows(there, self._feature):
            return False
        return await self._announce(there, text, mentions) is not None

    def _may(self, there: Conversation, text: str) -> bool:
        if not text.strip() or not self._left or not may_say(text):
            return False
        self._left -= 1
        return self._announcer.silent_until(there) is None

    async def _announce(self, there: Conversation, text: str, mentions: Sequence[str]) -> str | None:
        try:
            return await self._announcer.announce(
                there, cut_reply(text.strip()), mentions=mentions, timeout=_TIMEOUT
            )
        except NotAnnounced as error:
            self._report(f"智能体 {self._agent} 的话没有说出去", error)
            return None
