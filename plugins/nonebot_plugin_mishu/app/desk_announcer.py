"""The announcer agents get before there is a front desk: it speaks through the desk once that is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..agents import Announcer, Handed, NotAnnounced
from ..storage.records import Conversation


class VoiceOfDesk:
    """Implements `agents.Announcer` over whatever `announcer` gives at the moment of speaking."""

    def __init__(self, announcer: Callable[[], Announcer | None]) -> None:
        self._announcer = announcer

    async def announce(
        self,
        conversation: Conversation,
        text: str,
        *,
        mentions: Sequence[str] = (),
        everybody: bool = False,
        timeout: float = 30.0,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> str:
        """As `Announcer.announce`."""
        desk = self._announcer()
        if desk is None:
            raise NotAnnounced("前台没有开")
        return await desk.announce(
            conversation, text, mentions=mentions, everybody=everybody, timeout=timeout, buttons=buttons
        )

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """As `Announcer.give_file`."""
        desk = self._announcer()
        return desk is not None and await desk.give_file(conversation, name, content)

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        """As `Announcer.hand_over`."""
        desk = self._announcer()
        return Handed() if desk is None else await desk.hand_over(conversation, user_id, told, file)

    def publishes_as(self, conversation: Conversation) -> str | None:
        """As `Announcer.publishes_as`."""
        desk = self._announcer()
        return conversation.self_id if desk is None else desk.publishes_as(conversation)

    async def publish(self, conversation: Conversation, text: str) -> None:
        """As `Announcer.publish`."""
        desk = self._announcer()
        if desk is None:
            raise NotAnnounced("前台没有开")
        await desk.publish(conversation, text)

    def silent_until(self, conversation: Conversation) -> float | None:
        """As `Announcer.silent_until`."""
        desk = self._announcer()
        return None if desk is None else desk.silent_until(conversation)

    def connected(self, conversation: Conversation) -> bool:
        """As `Announcer.connected`."""
        desk = self._announcer()
        return desk is not None and desk.connected(conversation)

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        """As `Announcer.allows`."""
        desk = self._announcer()
        return desk is None or await desk.allows(conversation, feature)
