"""Reading a heard message against what is known of its conversation: which trigger, if any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import islice
from typing import Final, Protocol

from ...agents import Mention
from ...clock import Clock
from ...config import Config
from ...core import TOGETHER, Core
from ...language.addressing import spoken_commands
from ...language.addressing.called_names import is_word, names_one, uncalled
from ...language.following.quiet_hours import quiet_order
from ...secretary import PLAN_LINES, TALK_FEATURE, PresenceState, Trigger, TurnItem, find_agreed_plan
from ...storage import StorageError
from ...storage.records import LedgerMessage
from ..commands import parsing
from ..commands.parsing import SLASH, Command, CommandStarts, quiet_command
from ..platform import Platform
from ..rooms.crowd import CrowdRules
from ..rooms.room import Room, remember
from .incoming_message import IncomingMessage
from .triggers import TriggerFacts, called, detect, is_bare

RECALLED = "[消息已撤回]"


class Interest(IntEnum):
    """Result of the quick first check of a message."""

    NONE = 0
    """Nothing can come of it: it is only stored."""
    CHATTER = 1
    """Talk while we watch, and nothing else."""
    MATTERS = 2


SAFETY_FEATURE: Final = "安全"
"""The feature by which an emergency is answered, whoever it was said to."""


class KnownLines(Protocol):
    """Line queries of the database: `storage.ledger.queries`."""

    async def exists(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """Those of `message_ids` that stand in the ledger. Raises `StorageError`."""
        ...


class TriggerFinder:
    """Finds triggers with everything that is in memory; no lock, no database, no model."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        core: Core,
        platform: Platform,
        nicknames: Sequence[str],
        starts: CommandStarts = SLASH,
    ) -> None:
        self._starts = starts
        self._clock = clock
        self._core = core
        self._platform = platform
        self._nicknames = tuple(nicknames)
        secretary = config.secretary
        self._crowd = CrowdRules(
            echo_count=secretary.echo_count,
            echo_window=secretary.echo_window,
            dense_count=secretary.dense_count,
            dense_people=secretary.dense_people,
            dense_window=secretary.dense_window,
        )
        self._window = max(secretary.echo_window, secretary.dense_window)

    def glance(self, room: Room, heard: IncomingMessage, message: LedgerMessage, silenced: bool) -> Interest:
        """A quick look at every message: whether anything can come of it now."""
        if not heard.obeyed:
            return Interest.NONE
        if parsing.parse(heard.words, starts=self._starts) is not None:
            return Interest.MATTERS
        if is_word(heard.words, [*room.silence_words(), *room.speak_words()]):
            return Interest.MATTERS
        if heard.user_id in room.forgetting:
            return Interest.MATTERS
        if silenced:
            ends = self.ends_silence(room, heard) or self.emergency_reply(room, heard, message) is not None
            return Interest.MATTERS if ends else Interest.NONE
        if heard.user_id in room.expects or self._quotes_unknown(room, heard):
            return Interest.MATTERS
        trigger = self._trigger(room, heard, message)
        if trigger is None:
            return Interest.NONE
        return Interest.CHATTER if trigger is Trigger.CHAT else Interest.MATTERS

    def passes_over(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a line read as chatter a moment ago still is, and falls into a cooldown (product section
        2).

        Then that is all there is to do with it: no turn, no task. Else nothing has happened.
        """
        if not room.loaded.is_set() or len(room.hold):
            return False
        now = self._clock.monotonic()
        message = room.ledger.get(heard.message_id)
        if message is None or message.recalled or room.silenced_until(self._clock.wall()) is not None:
            return False
        addressed = heard.user_id in room.expects or room.replied.get(heard.user_id, 0.0) > now
        if addressed or self._core.asks(heard.conversation, heard.user_id):
            return False
        return room.seat.skip(heard.message_id)

    def item(self, room: Room, heard: IncomingMessage, message: LedgerMessage) -> TurnItem | None:
        """The message with its trigger; None where it is only stored."""
        trigger = self._trigger(room, heard, message)
        if heard.obeyed:
            room.expects.pop(heard.user_id, None)
        if trigger is None:
            return None
        bare = trigger is Trigger.SUMMON and heard.conversation.is_group and is_bare(heard, self.names(room))
        if bare:
            self.expect(room, heard.user_id)
        quoted = self._quoted(room, heard)
        return TurnItem(
            trigger,
            message,
            uncalled(heard.words_among(room.ledger.name_of), self.names(room)),
            quoted,
            bare=bare,
            heard_at=heard.heard_at,
            superuser=heard.superuser,
            mentions=mentioned(heard, room),
            members=room.members(),
        )

    def called(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a message is said to us: by an @, a quote of ours, a name, in private, or after a call."""
        quoted = self._quoted(room, heard)
        expected = room.expects.get(heard.user_id, 0.0) > self._clock.monotonic()
        return expected or called(heard, self.names(room), quoted is not None and quoted.is_bot)

    async def look_up_quote(self, room: Room, heard: IncomingMessage, ledger: KnownLines) -> None:
        """Ask the database whose a quoted message of our account is, where memory does not tell: everything
        that we send stands in the ledger, what other plugins send through our account does not. What stands
        above a button of ours is ours, also where it is too old to be known."""
        if not self._quotes_unknown(room, heard) or heard.quote is None or heard.pressed:
            return
        asked = heard.quote.message_id
        try:
            ours = bool(await ledger.exists(heard.conversation.self_id, [asked]))
        except StorageError:
            return  # as long as nobody can tell, it is ours, and whoever quotes it is answered
        room.note_quoted(asked, ours=ours)

    def quotes_another_plugin(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a line quotes another plugin's message from our account, and calls us only by the @ that
        QQ adds to such a quote."""
        quote = heard.quote
        if quote is None or quote.user_id != heard.conversation.self_id or not heard.conversation.is_group:
            return False
        quoted = self._quoted(room, heard)
        if quoted is None or quoted.is_bot or quoted.user_id != heard.conversation.self_id:
            return False
        return heard.calls_us <= 1 and not names_one(heard.words, self.names(room))

    def _quotes_unknown(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a line quotes a message of our account whose author is not in memory."""
        quote = heard.quote
        if quote is None or quote.user_id != heard.conversation.self_id:
            return False
        return quote.message_id not in room.ours_before and self._known(room, heard) is None

    def names(self, room: Room) -> list[str]:
        """Names of the bot in this conversation."""
        return room.names([*self._nicknames, *self._platform.names_of(room.conversation)])

    def ends_silence(self, room: Room, heard: IncomingMessage) -> bool:
        """True if somebody tells us in plain words that we may speak again."""
        return spoken_commands.speak_again(heard.words, self.names(room)) and self.called(room, heard)

    def emergency_reply(self, room: Room, heard: IncomingMessage, message: LedgerMessage) -> str | None:
        """Local reply to an emergency, in any presence state and in a silence; None for any other line, or
        if the feature 安全 is off."""
        if not heard.obeyed or not room.allows(SAFETY_FEATURE):
            return None
        return self._core.emergency_reply(message, heard.words, room.ledger.since(message.time - TOGETHER))

    def spoken_command(self, room: Room, heard: IncomingMessage, now: float) -> Command | None:
        """Command in plain words (别说话了, 导出我的数据). Commands for one's own data have to call us by
        name; the answer to 忘记我 does not. In a silence only that answer is read; `now` in wall seconds."""
        if heard.ats_others:
            return None
        names = self.names(room)
        if spoken_commands.confirms_forgetting(heard.words, names):
            waits = heard.user_id in room.forgetting
            return Command("确认忘记") if waits or self.called(room, heard) else None
        if room.silenced_until(now) is not None:
            return None
        hours = quiet_order(heard.words, names)
        if hours is not None and self.called(room, heard):
            return quiet_command(hours, private=not heard.conversation.is_group)
        wanted = "忘记我" if spoken_commands.forget_me(heard.words, names) else None
        wanted = "导出" if wanted is None and spoken_commands.export_mine(heard.words, names) else wanted
        return Command(wanted) if wanted is not None and self.called(room, heard) else None

    def leaves_it(self, room: Room, heard: IncomingMessage) -> bool:
        """True if a member cancels a forgetting that waits for confirmation."""
        waits = room.forgetting.get(heard.user_id, 0.0) > self._clock.monotonic()
        return waits and not heard.ats_others and spoken_commands.leaves_it(heard.words, self.names(room))

    def expect(self, room: Room, user_id: str) -> None:
        """Take a member's next line within a minute as a summons: they called us and said nothing else."""
        remember(room.expects, user_id, self._clock.monotonic())

    def _trigger(self, room: Room, heard: IncomingMessage, message: LedgerMessage) -> Trigger | None:
        return detect(
            heard,
            message,
            self._facts(room, heard, message),
            lambda: room.ledger.since(message.time - self._window),
            self._platform.accounts(),
            self._crowd,
            lambda words: self._core.alarms(message, words, room.ledger.since(message.time - TOGETHER)),
            self._core.reads_as_order,
            lambda words: (
                self._core.overhears(heard.conversation, heard.user_id, words, message.time)
                or self._agrees(room, message)
            ),
        )

    def _agrees(self, room: Room, message: LedgerMessage) -> bool:
        """True if a line agrees to a plan that members made in the lines before it."""
        newest = islice(room.ledger.since(message.time - TOGETHER), PLAN_LINES)
        before = [said for said in newest if said.message_id != message.message_id]
        return find_agreed_plan([*reversed(before), message], self._clock.local(message.time)) is not None

    def _facts(self, room: Room, heard: IncomingMessage, message: LedgerMessage) -> TriggerFacts:
        now = self._clock.monotonic()
        presence = room.seat.presence
        quoted = self._quoted(room, heard)
        rested = presence.may_join(now, room.seat.rules) or (
            room.seat.lock.busy
            and presence.may_speak_up(now, room.seat.rules)  # it waits, and is joined after
        )
        awake = not room.quiet(self._clock.local(self._clock.wall()))
        rested = rested and awake and heard.conversation.is_group
        talks = room.allows(TALK_FEATURE)
        may_join = rested and talks and room.allows("插话")
        quotes_bot = quoted is not None and quoted.is_bot
        overhears = awake and self._overhears(room, presence.state)
        return TriggerFacts(
            state=presence.state if not _faded(room, now) else PresenceState.ABSENT,
            names=self.names(room),
            awaited=self._core.awaits(heard.conversation, heard.user_id, heard.words),
            polled=heard.conversation.is_group
            and room.allows("统计")
            and self._core.votes(heard.conversation, heard.user_id, heard.words, mentions=heard.ats_others),
            asked=may_join and self._core.asks(heard.conversation, heard.user_id),
            is_talk=self._core.only_talk,
            amends=lambda words: self._core.amends(heard.conversation, heard.user_id, words, message.time),
            overhears=overhears,
            expected=room.expects.get(heard.user_id, 0.0) > now,
            replied_to=room.replied.get(heard.user_id, 0.0) > now,
            quotes_bot=quotes_bot,
            may_echo=rested and talks and room.allows("复读"),
            may_join=may_join,
            lively=may_join
            and room.ledger.may_be_dense(
                message.time - self._crowd.dense_window,
                self._crowd.dense_count,
                self._crowd.dense_people,
                self._platform.accounts(),
            ),
            watches=room.allows(SAFETY_FEATURE),
            # Without talk there are still the plans that members make together.
            may_chat=awake and room.allows("插话") and (talks or overhears),
        )

    def _overhears(self, room: Room, state: PresenceState) -> bool:
        """True if schedules are listened for here now (LISTEN; product section 4)."""
        if room.listen == "off" or not room.conversation.is_group or not room.allows("日程监听"):
            return False
        return room.listen == "always" or state is not PresenceState.ABSENT

    def _quoted(self, room: Room, heard: IncomingMessage) -> LedgerMessage | None:
        """The quoted message: from our ledger, else as the platform told it."""
        known = self._known(room, heard)
        if known is not None and known.recalled:
            return replace(known, text=RECALLED, segments=[], captions=[])
        if known is not None or heard.quote is None:
            return known
        quote = heard.quote
        own = quote.user_id == heard.conversation.self_id
        return LedgerMessage(
            conversation=heard.conversation,
            message_id=quote.message_id,
            time=0.0,
            receipt=0,
            user_id=quote.user_id,
            name=quote.name,
            role="member",
            text=quote.text,
            is_bot=own and room.ours_before.get(quote.message_id, True),
        )

    def _known(self, room: Room, heard: IncomingMessage) -> LedgerMessage | None:
        """The quoted message as memory has it."""
        known = room.ledger.get(heard.reply_to)
        quote = heard.quote
        if known is not None or quote is None:
            return known
        if not quote.user_id:  # a bot's, of which the platform tells words alone: ours, if we said them
            return room.ledger.said_by(heard.conversation.self_id, quote.text)
        # Another account of ours may have sent or heard it, under an id of its own.
        in_group = heard.conversation.is_group
        return room.ledger.said_by(quote.user_id, quote.text) if in_group else None


def mentioned(heard: IncomingMessage, room: Room) -> tuple[Mention, ...]:
    """The members mentioned in a message, without us, each once."""
    others = dict.fromkeys(
        part.value
        for part in heard.segments
        if part.kind == "at" and part.value != heard.conversation.self_id
    )
    return tuple(Mention(member, room.ledger.name_of(member) or "群友") for member in others)


def _faded(room: Room, now: float) -> bool:
    presence = room.seat.presence
    return (
        presence.state is PresenceState.OBSERVING
        and now >= presence.active_at + room.seat.rules.observing_timeout
    )
