"""The counter: the front desk as the secretary sees it. Speaking, claiming, and noting things down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..clock import Clock
from ..secretary import SendFailed, Speech
from ..storage import Storage, StorageError
from ..storage.records import Conversation, DecisionRecord, LedgerMessage
from .platform import Platform
from .room import Room
from .triggers import FOLLOW_UP
from .views import Audience


class Counter:
    """Implements `secretary.Desk` over rooms, storage and platform.

    A database in trouble does not make the secretary mute: what could not be written is reported, kept in
    memory where that is possible, and the answer still goes out.
    """

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        platform: Platform,
        audience: Audience,
        bot_name: str,
        enter: Callable[[Conversation], Room],
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._platform = platform
        self._audience = audience
        self.bot_name = bot_name
        self._enter = enter
        self._report = report
        self._claimed_in_memory: set[tuple[str, str]] = set()

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        """Through the conversation's outbox; nothing is said in a silence."""
        room = self._enter(conversation)
        if room.silenced_until(self._clock.wall()) is not None:
            raise SendFailed("静音中")
        sent = await room.outbox.say(speech, timeout)
        if speech.answers:
            self._answered(room, speech)
            try:
                await self._storage.claims.sent(conversation.self_id, speech.answers, sent)
            except StorageError as error:
                self._report("没有记下回复的消息号", error)
        return sent

    async def tell(self, room: Room, speech: Speech, timeout: float) -> None:
        """Answer a command: through the same outbox, also in a silence."""
        await room.outbox.say(speech, timeout)

    async def transmit(self, room: Room, speech: Speech) -> str:
        """Send through the platform and put our own line into the ledger. The outbox calls it."""
        sent = await self._platform.send(room.conversation, speech, self.bot_name)
        line = LedgerMessage(
            conversation=room.conversation,
            message_id=sent,
            time=self._clock.wall(),
            receipt=self._clock.receipt(),
            user_id=room.conversation.self_id,
            name=self.bot_name,
            role="member",
            text=speech.text,
            segments=[{"type": "text", "data": {"text": speech.text}}],
            reply_to=speech.quote,
            is_bot=True,
            processed=True,
        )
        if room.ledger.append(line):
            self._storage.ledger.append(line)
        return sent

    async def claim(self, conversation: Conversation, message_ids: Sequence[str]) -> bool:
        """Claim the first of the messages, and with it the turn; on disk before this returns True."""
        wanted = {(conversation.self_id, message_id) for message_id in message_ids}
        if wanted & self._claimed_in_memory:
            return False
        try:
            claimed = await self._storage.claims.claim(conversation.self_id, message_ids)
        except StorageError as error:
            self._report("回复没有登记上，仍然回复", error)
            self._claimed_in_memory |= wanted
            return True
        return message_ids[0] in claimed

    async def obliged(self, message: LedgerMessage) -> None:
        """Note on disk that this message must be answered, so that a new process would."""
        try:
            await self._storage.ledger.mark_addressed(message.conversation, [message.message_id])
        except StorageError as error:
            self._report("待答标记没有存下", error)

    async def processed(self, conversation: Conversation, message_ids: Sequence[str]) -> None:
        """Mark as processed in memory and on disk."""
        room = self._enter(conversation)
        room.ledger.update(message_ids, processed=True)
        try:
            await self._storage.ledger.mark_processed(conversation, message_ids)
        except StorageError as error:
            self._report("处理标记没有存下", error)

    async def captioned(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        """Keep captions in memory and on disk."""
        room = self._enter(message.conversation)
        room.ledger.update([message.message_id], captions=list(captions))
        try:
            await self._storage.ledger.set_captions(message.conversation, message.message_id, captions)
        except StorageError as error:
            self._report("图片说明没有存下", error)

    async def decided(self, record: DecisionRecord) -> None:
        """Store the decision and tell the audience."""
        try:
            record = replace(record, id=await self._storage.decisions.add(record))
        except StorageError as error:
            self._report("决策没有存下", error)
        self._audience.decision_made(record)

    def persona(self, conversation: Conversation) -> str | None:
        """The persona admins set."""
        return self._enter(conversation).settings.persona

    def allows(self, conversation: Conversation, feature: str) -> bool:
        """Whether a feature is on."""
        return self._enter(conversation).allows(feature)

    def _answered(self, room: Room, speech: Speech) -> None:
        until = self._clock.monotonic() + FOLLOW_UP
        for message_id in speech.answers:
            said = room.ledger.get(message_id)
            if said is not None:
                room.replied[said.user_id] = until
