"""Group notices beside messages: recalls, mutes, the bot joining and leaving."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..agents.chat import INTRODUCTION
from ..config import Config
from ..report import Report
from ..secretary import PresenceEvent, SendFailed, Speech
from ..storage import Storage, StorageError
from ..storage.records import Conversation
from .commands.web_links import WebSessions
from .reply_service import SAY_TIMEOUT, ReplyService
from .rooms.room import REMEMBERED
from .rooms.rooms import Rooms
from .silencing import Silencing
from .turns import Turns

UNTIL_LIFTED = 365 * 86400.0
"""A mute of a whole group has no end of its own."""


class PlatformNotices:
    """Acts on notices. Each is called in a task of the front desk's."""

    def __init__(
        self,
        config: Config,
        storage: Storage,
        rooms: Rooms,
        replies: ReplyService,
        turns: Turns,
        silencing: Silencing,
        report: Report,
        web_sessions: WebSessions | None = None,
    ) -> None:
        self.offer: Callable[[str], Awaitable[bool]] = _nobody
        """Offers a group to other processes; whether there are any."""
        self.lost: Callable[[str], Awaitable[None]] = _ended
        """Ends what goes on in a group that was offered."""
        self._config = config
        self._storage = storage
        self._rooms = rooms
        self._replies = replies
        self._turns = turns
        self._silencing = silencing
        self._report = report
        self._web_sessions = web_sessions

    async def recalled(self, conversation: Conversation, message_id: str) -> None:
        """Take a recalled message out of prompts, turns and drafts, in memory and on disk."""
        if not self._enabled(conversation):
            return
        room = await self._rooms.opened(conversation)
        if message_id not in room.ledger:
            room.unheard[message_id] = None
            if len(room.unheard) > REMEMBERED:
                del room.unheard[next(iter(room.unheard))]
        elif (known := room.ledger.get(message_id)) is not None and known.recalled:
            return
        room.ledger.update([message_id], recalled=True, processed=True)
        self._turns.recall(room, message_id)
        try:
            await self._storage.ledger.mark_recalled(conversation, [message_id])
            await self._storage.ledger.mark_processed(conversation, [message_id])
        except StorageError as error:
            self._report("撤回没有存下", error)

    async def muted(self, conversation: Conversation, seconds: float | None) -> None:
        """The account on duty, or everybody, was muted, and no other of this process can speak there; `None`
        means until it is lifted."""
        if not self._enabled(conversation):
            return
        if await self.offer(conversation.peer):
            await self.lost(conversation.peer)
            return
        room = self._rooms.enter(conversation)
        await self._silencing.mute(room, UNTIL_LIFTED if seconds is None else seconds)

    async def unmuted(self, conversation: Conversation) -> None:
        """The mute was lifted."""
        room = self._rooms.find(conversation)
        if room is not None:
            self._silencing.unmute(room)

    async def joined(self, conversation: Conversation) -> None:
        """The bot came into a group: one short introduction."""
        if not self._enabled(conversation):
            return
        await self._rooms.opened(conversation)
        try:
            await self._replies.say(conversation, Speech(INTRODUCTION), SAY_TIMEOUT)
        except SendFailed as error:
            self._report("自我介绍没有发出去", error)

    async def came(self, conversation: Conversation, user_id: str, at: float) -> None:
        """Store when a member joined a group (wall seconds): older lines are not shown to them."""
        if not self._enabled(conversation):
            return
        try:
            await self._storage.joins.store_join(conversation, user_id, at)
        except StorageError as error:
            self._report("进群时间没有存下", error)

    async def went(self, conversation: Conversation, user_id: str) -> None:
        """A member left a group, or was removed: its pages are theirs no more."""
        await self._close_web_sessions(conversation, user_id, gone=True)

    async def standing_changed(self, conversation: Conversation, user_id: str) -> None:
        """Somebody was made an admin of a group, or is one no more."""
        await self._close_web_sessions(conversation, user_id, gone=False)

    async def _close_web_sessions(
        self, conversation: Conversation, user_id: str | None, *, gone: bool
    ) -> None:
        if self._web_sessions is None:
            return
        try:
            if gone or user_id is None:
                await self._web_sessions.close_here(conversation, user_id)
            else:
                await self._web_sessions.standing_changed(conversation, user_id)
        except StorageError as error:
            # What they are is asked of the platform within the hour all the same.
            self._report("网页没有退出", error)

    async def left(self, conversation: Conversation) -> None:
        """The bot was removed from a group: nothing goes on there, unless another process has an account in
        it."""
        if conversation.is_group and await self.offer(conversation.peer):
            await self.lost(conversation.peer)
            return
        room = self._rooms.find(conversation)
        if room is not None:
            # At once: who lets us in again and speaks is not to be dropped with what was before.
            await self._turns.drop_all(room, "不在群里了")
            room.seat.apply(PresenceEvent.INVALID)
            self._rooms.leave(room)
            await room.outbox.close()
        await self._close_web_sessions(conversation, None, gone=True)

    def _enabled(self, conversation: Conversation) -> bool:
        return not conversation.is_group or self._config.group_enabled(conversation.peer)


async def _nobody(_peer: str) -> bool:
    """No other process is there."""
    return False


async def _ended(_peer: str) -> None:
    """Nothing to end."""
