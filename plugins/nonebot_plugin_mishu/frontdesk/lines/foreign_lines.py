"""Lines said to us that another plugin stopped or answered, or that quote its message through our account.

They are not answered as talk; work they ask of us is done, unless the line was stopped. The reason for a
silence is stored (`/秘书 为什么`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...clock import Clock
from ...core import Core
from ...secretary import Trigger, TurnItem
from ...storage.records import DecisionRecord, LedgerMessage
from ..reply_service import ReplyService
from ..rooms.room import Room

STOPPED: Final = "插件「{plugin}」接走了这句话，没轮到我"
ANSWERED: Final = "插件「{plugin}」答了，这句话又不是要我办的事"
QUOTED: Final = "引用的是别的插件发的话，又不是要我办的事"
SILENT: Final = "静音中，没有答"
LOST: Final = "别的插件拦下了这句话，没轮到我"


@dataclass(frozen=True, slots=True)
class TakenBy:
    """Whose a line is beside ours."""

    plugin: str
    whole: bool = False
    """It was a command of that plugin's, which answered it: nothing of it is ours but an answer to us."""


class TakenLines:
    """Decides which lines of other plugins are work for us too, and stores why the others are left."""

    def __init__(self, clock: Clock, core: Core, replies: ReplyService) -> None:
        self._clock = clock
        self._core = core
        self._replies = replies

    def is_work(self, item: TurnItem, by: TakenBy | None) -> bool:
        """True if a line taken by another plugin is work of ours too: an answer to us, an order, or
        addressed to us and more than talk."""
        if item.trigger is Trigger.ANSWER:
            return True
        if not item.trigger.obligation or item.bare:
            return False
        if self._core.awaits(item.message.conversation, item.user_id, item.words):
            return True
        if by is not None and by.whole:
            return False
        return item.trigger is Trigger.ORDER or not self._core.only_talk(item.words)

    async def leave(self, room: Room, message: LedgerMessage, trigger: Trigger, reason: str) -> None:
        """Note why a line was left: to another plugin, or in a silence."""
        state = room.seat.presence.state.value
        record = DecisionRecord(
            conversation=message.conversation,
            message_id=message.message_id,
            trigger=trigger.value,
            state_before=state,
            state_after=state,
            should_reply=False,
            strategy="",
            reason=reason,
            timings={},
            calls=[],
            tokens=0,
            at=self._clock.wall(),
            user_id=message.user_id,
        )
        await self._replies.store_decision(record, [message.message_id])
