"""Reading a heard message against what is known of its conversation: which trigger, if any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..clock import Clock
from ..config import Config
from ..core import Core
from ..secretary import Item, State, Trigger
from ..storage.records import LedgerMessage
from . import commands
from .crowd import CrowdRules
from .heard import Heard
from .platform import Platform
from .room import Room, remember
from .triggers import Facts, detect, is_bare
from .words import is_word

RECALLED = "[消息已撤回]"


class Reading:
    """Finds triggers with everything that is in memory; no lock, no database, no model."""

    def __init__(
        self, config: Config, clock: Clock, core: Core, platform: Platform, nicknames: Sequence[str]
    ) -> None:
        self._clock = clock
        self._core = core
        self._platform = platform
        self._nicknames = tuple(nicknames)
        self._speak_words = config.frontdesk.speak_words
        secretary = config.secretary
        self._crowd = CrowdRules(
            echo_count=secretary.echo_count,
            echo_window=secretary.echo_window,
            dense_count=secretary.dense_count,
            dense_people=secretary.dense_people,
            dense_window=secretary.dense_window,
        )
        self._window = max(secretary.echo_window, secretary.dense_window)

    def matters(self, room: Room, heard: Heard, message: LedgerMessage, silenced: bool) -> bool:
        """A quick look at every message: whether anything can come of it now."""
        if not heard.obeyed:
            return False
        if commands.parse(heard.words) is not None:
            return True
        if is_word(heard.words, [*room.silence_words(), *self._speak_words]):
            return True
        if silenced:
            return False
        return heard.user_id in room.expects or self._trigger(room, heard, message) is not None

    def item(self, room: Room, heard: Heard, message: LedgerMessage) -> Item | None:
        """The message with its trigger; None where it is only stored."""
        trigger = self._trigger(room, heard, message)
        if heard.obeyed:
            room.expects.pop(heard.user_id, None)
        if trigger is None:
            return None
        bare = (
            trigger is Trigger.SUMMON
            and heard.conversation.is_group
            and is_bare(heard, room.names(self._nicknames))
        )
        if bare:
            self.expect(room, heard.user_id)
        quoted = self._quoted(room, heard)
        return Item(trigger, message, heard.words, quoted, bare=bare, heard_at=heard.heard_at)

    def expect(self, room: Room, user_id: str) -> None:
        """A member called us and said nothing else: the next line within a minute is a summons."""
        remember(room.expects, user_id, self._clock.monotonic())

    def _trigger(self, room: Room, heard: Heard, message: LedgerMessage) -> Trigger | None:
        return detect(
            heard,
            message,
            self._facts(room, heard, message),
            lambda: room.ledger.since(message.time - self._window),
            self._platform.accounts(),
            self._crowd,
            self._core.reads_as_order,
        )

    def _facts(self, room: Room, heard: Heard, message: LedgerMessage) -> Facts:
        now = self._clock.monotonic()
        presence = room.seat.presence
        quoted = self._quoted(room, heard)
        rested = presence.may_join(now, room.seat.rules) or (
            room.seat.lock.busy and presence.rested(now, room.seat.rules)  # it waits, and is joined after
        )
        may_join = rested and heard.conversation.is_group and room.allows("复读")
        quotes_bot = quoted is not None and quoted.user_id == heard.conversation.self_id
        return Facts(
            state=presence.state if not _faded(room, now) else State.ABSENT,
            names=room.names(self._nicknames),
            awaited=self._core.awaits(heard.conversation, heard.user_id),
            expected=room.expects.get(heard.user_id, 0.0) > now,
            replied_to=room.replied.get(heard.user_id, 0.0) > now,
            quotes_bot=quotes_bot,
            may_join=may_join,
            lively=may_join
            and room.ledger.may_be_dense(
                message.time - self._crowd.dense_window,
                self._crowd.dense_count,
                self._crowd.dense_people,
                self._platform.accounts(),
            ),
            may_chat=room.allows("插话"),
        )

    def _quoted(self, room: Room, heard: Heard) -> LedgerMessage | None:
        """The quoted message: from our ledger, else as the platform told it."""
        known = room.ledger.get(heard.reply_to)
        if known is not None and known.recalled:
            return replace(known, text=RECALLED, segments=[], captions=[])
        if known is not None or heard.quote is None:
            return known
        quote = heard.quote
        return LedgerMessage(
            conversation=heard.conversation,
            message_id=quote.message_id,
            time=0.0,
            receipt=0,
            user_id=quote.user_id,
            name=quote.name,
            role="member",
            text=quote.text,
            is_bot=quote.user_id == heard.conversation.self_id,
        )


def _faded(room: Room, now: float) -> bool:
    presence = room.seat.presence
    return presence.state is State.OBSERVING and now >= presence.active_at + room.seat.rules.observing_timeout
