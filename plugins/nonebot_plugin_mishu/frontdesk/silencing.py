"""Silence: begun and lifted by words and by commands, kept on disk, stronger than anything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..clock import Clock
from ..config import Config
from ..language.addressing import spoken_commands
from ..language.addressing.called_names import is_word
from ..report import Report
from ..secretary import SendFailed
from ..storage import Storage, StorageError
from ..storage.records import Silence
from .lines.incoming_message import IncomingMessage
from .lines.reading import TriggerFinder
from .reply_service import SAY_TIMEOUT, ReplyService
from .rooms.room import Room
from .turns import Turns

SPEAKING_AGAIN = "我回来了，有事叫我。"
ADMINS_ONLY = "在这儿只有管理员能让我安静。"


class Silencing:
    """Begins and ends silences of conversations."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        replies: ReplyService,
        turns: Turns,
        reading: TriggerFinder,
        report: Report,
        on_lifted: Callable[[], None],
    ) -> None:
        self._reading = reading
        self._config = config
        self._clock = clock
        self._storage = storage
        self._replies = replies
        self._turns = turns
        self._report = report
        self._on_lifted = on_lifted
        """Called where a silence was ended before its time: reminders that waited for it are due."""

    async def handle_word(self, room: Room, heard: IncomingMessage) -> bool:
        """Act on a speak word or a silence word; True where the message was one and is dealt with."""
        if self.ends(room, heard):
            await self.lift(room)
            await self._answer(room, heard, SPEAKING_AGAIN, quoting=False)
            return True
        if self.begins(room, heard):
            await self.begin(room, self._config.frontdesk.silence_seconds, by_command=False)
            await self._replies.mark_processed(room.conversation, [heard.message_id])
            return True
        return await self._asked(room, heard)

    def ends(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a line ends the silence here, said by who may."""
        silence = room.settings.silence
        if silence is None or not self._silenced(room) or not self._meant(room, heard):
            return False
        said = is_word(heard.words, room.speak_words()) or self._reading.ends_silence(room, heard)
        return said and self._may(heard) and (not silence.by_command or is_admin(heard))

    def begins(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a line is a silence word, said by who may."""
        if self._silenced(room) or not is_word(heard.words, room.silence_words()):
            return False
        return self._meant(room, heard) and self._may(heard)

    def wish(self, room: Room, heard: IncomingMessage) -> spoken_commands.Quiet | None:
        """The silence that is wished for in plain words said to us."""
        if not self._meant(room, heard):
            return None
        now = self._clock.local(self._clock.wall())
        wish = spoken_commands.quiet(heard.words, self._reading.names(room), now, self._clock.zone)
        return wish if self._reading.called(room, heard) else None

    def _silenced(self, room: Room) -> bool:
        silence = room.settings.silence
        return silence is not None and silence.until > self._clock.wall()

    async def _asked(self, room: Room, heard: IncomingMessage) -> bool:
        """Act on a wish for silence that is said to us in plain words, and say for how long."""
        wish = None if self._silenced(room) else self.wish(room, heard)
        if wish is None:
            return False
        if not self._may(heard):
            await self._answer(room, heard, ADMINS_ONLY)
            return True
        seconds = self._config.frontdesk.silence_seconds if wish.seconds is None else wish.seconds
        stored = await self.begin(room, seconds, by_command=False)
        kept = "" if stored else "（没能存下，重启就不算了）"
        words = room.speak_words()
        earlier = f"叫我{words[0]}可以提前说话。" if words else ""
        await self._answer(room, heard, f"好，安静{lasting(seconds)}{kept}。{earlier}")
        return True

    async def begin(self, room: Room, seconds: float, *, by_command: bool) -> bool:
        """Silence the conversation at once; False where it could not be stored and ends with the process."""
        silence = Silence(until=self._clock.wall() + seconds, by_command=by_command)
        room.settings = replace(room.settings, silence=silence)
        await self._turns.drop_all(room, "静音了")
        try:
            await self._storage.settings.set_silence(room.conversation, silence)
        except StorageError as error:
            self._report("静音没有存下", error)
            return False
        return True

    async def lift(self, room: Room) -> bool:
        """End the silence; False where that could not be stored."""
        room.settings = replace(room.settings, silence=None)
        self._turns.announce_presence(room)
        self._on_lifted()
        try:
            await self._storage.settings.lift_silence(room.conversation)
        except StorageError as error:
            self._report("解除静音没有存下", error)
            return False
        return True

    async def mute(self, room: Room, seconds: float) -> None:
        """The platform lets us say nothing for so long (`group_ban`): a silence that only it can lift."""
        room.muted_until = self._clock.wall() + seconds
        await self._turns.drop_all(room, "被禁言了")

    def unmute(self, room: Room) -> None:
        """The platform lets us speak again."""
        room.muted_until = 0.0
        self._turns.announce_presence(room)
        self._on_lifted()

    def _meant(self, room: Room, heard: IncomingMessage) -> bool:
        return not heard.ats_others and self._says_it_to_us(room, heard)

    def _says_it_to_us(self, room: Room, heard: IncomingMessage) -> bool:
        """Text, the @ of the bot, and no quote but of the bot's own words."""
        if not all(part.kind in ("text", "at", "reply") for part in heard.segments):
            return False
        known = room.ledger.get(heard.reply_to)
        quoted = known.user_id if known is not None else heard.quote.user_id if heard.quote else None
        return heard.reply_to is None or quoted == heard.conversation.self_id

    def _may(self, heard: IncomingMessage) -> bool:
        return self._config.frontdesk.silence_by == "everyone" or is_admin(heard)

    async def _answer(self, room: Room, heard: IncomingMessage, text: str, *, quoting: bool = True) -> None:
        try:
            await self._replies.answer(room, heard.message_id, text, SAY_TIMEOUT, quoting=quoting)
        except SendFailed as error:
            self._report("没有说出去", error)


def lasting(seconds: float) -> str:
    """A time in words: 10分钟, 1小时30分钟, 2天."""
    left = max(1, round(seconds))
    if left >= 120:
        left = round(left / 60) * 60
    parts: list[str] = []
    for size, unit in ((86400, "天"), (3600, "小时"), (60, "分钟"), (1, "秒")):
        if left >= size:
            parts.append(f"{left // size}{unit}")
            left %= size
    return "".join(parts)


def is_admin(heard: IncomingMessage) -> bool:
    """True if the sender may give commands: group owner, admin, superuser, or a friend in private."""
    return heard.superuser or not heard.conversation.is_group or heard.role in ("owner", "admin")
