"""Speaking up without having been asked: reminders, expired drafts, digests (`agents.Announcer`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..agents import Handed, NotAnnounced
from ..clock import Clock
from ..config import Config
from ..secretary import Button, SendFailed, Speech
from ..storage.records import Conversation
from .platform import Platform
from .private_delivery import Privately
from .reply_service import ReplyService
from .rooms.rooms import Rooms


class Announcing:
    """One of the ways to the outbox. A silence holds here too; nothing of it moves the presence."""

    def __init__(
        self, config: Config, clock: Clock, rooms: Rooms, replies: ReplyService, platform: Platform
    ) -> None:
        self._config = config
        self._clock = clock
        self._rooms = rooms
        self._replies = replies
        self._platform = platform
        self._privately = Privately(rooms, replies, platform)

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
        """Say it; the platform's message id. Raises `NotAnnounced`."""
        if not self._listens(conversation):
            raise NotAnnounced("这个群没有启用")
        if not self.connected(conversation):
            raise NotAnnounced("账号没有连接")
        try:
            await self._rooms.opened(conversation)
            shown = tuple(Button(label, says) for label, says in buttons)
            speech = Speech(text, mentions=tuple(mentions), everybody=everybody, buttons=shown)
            return await self._replies.say(conversation, speech, timeout)
        except SendFailed as error:
            raise NotAnnounced(str(error), perhaps=error.perhaps, not_now=error.not_now) from None
        except TimeoutError:
            raise NotAnnounced("会话没有读出来") from None

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Hand a file to the conversation; False where the platform refuses or cannot."""
        return await self._platform.give_file(conversation, name, content)

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        """Give one member what is theirs alone (`agents.Announcer`)."""
        return await self._privately.hand_over(conversation, user_id, told, file)

    def publishes_as(self, conversation: Conversation) -> str | None:
        """Our account that can put something among the group's announcements."""
        if not self._platform.means(conversation).announcements:
            return None
        return self._platform.speaker(conversation)

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Put a text among the group's announcements. Raises `NotAnnounced`."""
        try:
            await self._platform.publish(conversation, text)
        except SendFailed as error:
            raise NotAnnounced(str(error), perhaps=error.perhaps) from None

    def silent_until(self, conversation: Conversation) -> float | None:
        """Wall seconds until which nothing may be said there. Of a conversation in memory; `announce` asks
        the database where it is not."""
        room = self._rooms.find(conversation)
        return None if room is None else room.silenced_until(self._clock.wall())

    def connected(self, conversation: Conversation) -> bool:
        """True if an account can speak there now."""
        return self._platform.can_speak(conversation)

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        """True if a feature is on there."""
        try:
            return (await self._rooms.opened(conversation)).allows(feature)
        except TimeoutError:
            return True

    def _listens(self, conversation: Conversation) -> bool:
        return not conversation.is_group or self._config.group_enabled(conversation.peer)
