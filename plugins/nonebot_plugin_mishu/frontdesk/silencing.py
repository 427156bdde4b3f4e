"""Silence: begun and lifted by words and by commands, kept on disk, stronger than anything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..clock import Clock
from ..config import Config
from ..secretary import SendFailed, Speech
from ..storage import Storage, StorageError
from ..storage.records import Silence
from .commands import plain_words
from .lines.incoming_message import IncomingMessage
from .lines.reading import TriggerFinder
from .lines.words import is_word
from .reply_service import ReplyService
from .rooms.room import Room
from .turns import Turns

SPEAKING_AGAIN = "我回来了，有事叫我。"
ADMINS_ONLY = "在这儿只有管理员能让我安静。"
SAY_TIMEOUT = 30.0


class Silencing:
    """Begins and ends silences of conversations."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        counter: ReplyService,
        turns: Turns,
        reading: TriggerFinder,
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._reading = reading
        self._config = config
        self._clock = clock
        self._storage = storage
        self._counter = counter
        self._turns = turns
        self._report = report
        self.lifted: Callable[[], None] = lambda: None
        """Called where a silence was ended before its time: what waited for that may look again."""

    async def heard(self, room: Room, heard: IncomingMessage) -> bool:
        """Act on a speak word or a silence word; True where the message was one and is dealt with."""
        if heard.ats_others or not self._says_it_to_us(room, heard):
            return False
        silence = room.settings.silence
        silenced = silence is not None and silence.until > self._clock.wall()
        speak = is_word(heard.words, room.speak_words())
        if silenced and (speak or self._reading.ends_silence(room, heard)):
            if self._may(heard) and (silence is None or not silence.by_command or is_admin(heard)):
                await self.lift(room)
                await self._counter.processed(room.conversation, [heard.message_id])
                await self._say(room, Speech(SPEAKING_AGAIN))
                return True
            return False
        if not silenced and is_word(heard.words, room.silence_words()) and self._may(heard):
            await self.begin(room, self._config.frontdesk.silence_seconds, by_command=False)
            await self._counter.processed(room.conversation, [heard.message_id])
            return True
        return not silenced and await self._asked(room, heard)

    async def _asked(self, room: Room, heard: IncomingMessage) -> bool:
        """Act on a wish for silence that is said to us in plain words, and say for how long."""
        names = self._reading.names(room)
        now = self._clock.local(self._clock.wall())
        wish = plain_words.quiet(heard.words, names, now, self._clock.zone)
        if wish is None or not self._reading.called(room, heard):
            return False
        await self._counter.processed(room.conversation, [heard.message_id])
        quote = heard.message_id if room.conversation.is_group else None
        if not self._may(heard):
            await self._say(room, Speech(ADMINS_ONLY, quote=quote))
            return True
        seconds = self._config.frontdesk.silence_seconds if wish.seconds is None else wish.seconds
        stored = await self.begin(room, seconds, by_command=False)
        kept = "" if stored else "（没能存下，重启就不算了）"
        words = room.speak_words()
        earlier = f"叫我{words[0]}可以提前说话。" if words else ""
        try:
            await self._counter.tell(
                room, Speech(f"好，安静{lasting(seconds)}{kept}。{earlier}", quote=quote), SAY_TIMEOUT
            )
        except SendFailed as error:
            self._report("没有说出去", error)
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
        self._turns.tell(room)
        self.lifted()
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
        self._turns.tell(room)
        self.lifted()

    def _says_it_to_us(self, room: Room, heard: IncomingMessage) -> bool:
        """Text, the @ of the bot, and no quote but of the bot's own words."""
        if not all(part.kind in ("text", "at", "reply") for part in heard.segments):
            return False
        known = room.ledger.get(heard.reply_to)
        quoted = known.user_id if known is not None else heard.quote.user_id if heard.quote else None
        return heard.reply_to is None or quoted == heard.conversation.self_id

    def _may(self, heard: IncomingMessage) -> bool:
        return self._config.frontdesk.silence_by == "everyone" or is_admin(heard)

    async def _say(self, room: Room, speech: Speech) -> None:
        try:
            await self._counter.say(room.conversation, speech, SAY_TIMEOUT)
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
