"""One conversation at the front desk: its ledger, its held messages, the secretary's seat, its settings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ...agents import Mention
from ...config import Config
from ...language.following.quiet_hours import QuietOrder
from ...secretary import TALK_FEATURE, ConversationSeat, LockToken, Turn, TurnItem
from ...storage.quiet.records import QuietHours
from ...storage.records import Conversation, ConversationSettings, LedgerMessage, WordKind
from ..commands.parsing import OFF_AT_FIRST
from ..hold import Hold
from ..lines.ledger import LedgerWindow
from ..lines.triggers import FOLLOW_UP
from ..outbox import Outbox
from .arrivals import Arrivals

_NOW = (float("inf"), 0)
"""An order behind everything that was heard."""
REMEMBERED = 200
"""Members, and recalled ids, remembered per conversation for a moment."""
UNHANDED = 10
"""Lines that call us and were not handed over, remembered per conversation."""


@dataclass(eq=False, slots=True)
class RunningTurn:
    """The turn being worked on, and what ends it."""

    turn: Turn
    token: LockToken
    worker: asyncio.Task[object] | None
    timer: asyncio.TimerHandle


@dataclass(eq=False)
class Room:
    """Everything in memory about one conversation. Times in `expects` and `replied` are monotonic seconds."""

    conversation: Conversation
    config: Config
    seat: ConversationSeat
    outbox: Outbox
    ledger: LedgerWindow
    used_at: float
    hold: Hold = field(default_factory=Hold)
    arrivals: Arrivals = field(default_factory=Arrivals)
    settings: ConversationSettings = field(default_factory=ConversationSettings)
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    left: bool = False
    """It was taken out of memory: whoever waited for it to be loaded finds nothing to do here."""
    reading_troubles: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while 状态 reads why reminders could not be sent."""
    early: dict[str, int] = field(default_factory=dict[str, int])
    """Heard before the ledger was loaded, with their receipts: whether they are new is known only then, since
    one that was on disk before has a receipt of its own."""
    duplicates: set[str] = field(default_factory=lambda: set())
    """Heard early and found to be known from before."""
    unheard: dict[str, None] = field(default_factory=dict[str, None])
    """Ids recalled before their message was heard: it may still be on its way (pitfalls 24 and 59)."""
    expects: dict[str, float] = field(default_factory=dict[str, float])
    """Members who called us and said nothing else: their next line until then is a summons."""
    replied: dict[str, float] = field(default_factory=dict[str, float])
    """Members we replied to: their next line until then may be an order."""
    forgetting: dict[str, float] = field(default_factory=dict[str, float])
    """Members who were asked whether they are to be forgotten: until then (monotonic) they may confirm."""
    hours_set: dict[str, tuple[QuietOrder, float]] = field(
        default_factory=dict[str, tuple[QuietOrder, float]]
    )
    """By member: the quiet hours they set last, and until when (monotonic) a line amends them."""
    unhanded: dict[str, LedgerMessage] = field(default_factory=dict[str, LedgerMessage])
    """Lines that call us and were not handed over yet: other plugins come first, and may keep them."""
    ours_before: dict[str, bool] = field(default_factory=dict[str, bool])
    """By the id of a message of our account that memory does not know: whether the database has it as ours,
    or another plugin sent it."""
    muted_until: float = 0.0
    """Wall seconds until which the platform lets us say nothing."""
    work: RunningTurn | None = None

    def idle(self, now: float) -> bool:
        """True if nothing is going on here at `now` (wall seconds), so that it may leave memory."""
        quiet = not self.seat.lock.busy and not len(self.hold) and self.outbox.idle
        return (
            quiet
            and self.loaded.is_set()
            and self.seat.presence.state == "absent"
            and self.muted_until <= now
        )

    def silenced_until(self, now: float) -> float | None:
        """Until when (wall seconds) nothing is said here, None where we may speak."""
        silence = self.settings.silence
        until = max(silence.until if silence is not None else 0.0, self.muted_until)
        return until if until > now else None

    def quiet(self, at: datetime) -> bool:
        """True in the quiet hours of this conversation, when nothing unasked is said."""
        kept = self.settings.quiet_hours
        return kept is not None and QuietHours.kept(kept).until(at) is not None

    def silence_words(self) -> list[str]:
        """The configured silence words as admins changed them."""
        return self._words("silence", self.config.frontdesk.silence_words)

    def speak_words(self) -> list[str]:
        """The configured speak words as admins changed them."""
        return self._words("speak", self.config.frontdesk.speak_words)

    @property
    def listen(self) -> str:
        """When plans are overheard here: `off`, `present` or `always`."""
        return self.settings.listen or self.config.schedule.listen

    def names(self, nicknames: Sequence[str]) -> list[str]:
        """Names of the bot in this conversation: NICKNAME, and wake words as admins changed them."""
        return [*nicknames, *self._words("wake", self.config.frontdesk.wake_words)]

    def members(self) -> tuple[Mention, ...]:
        """Members known by name, the latest speaker first, at most `REMEMBERED`. None in private: a
        friend's conversation has no others."""
        if not self.conversation.is_group:
            return ()
        return tuple(Mention(user_id, name) for user_id, name in self.ledger.members(REMEMBERED))

    def allows(self, feature: str) -> bool:
        """True if a feature is on; most are until they are switched off."""
        usual = self.config.secretary.chat if feature == TALK_FEATURE else feature not in OFF_AT_FIRST
        return self.settings.features.get(feature, usual)

    def note_called(self, message: LedgerMessage) -> None:
        """A line calls us, and has not been handed over yet."""
        self.unhanded[message.message_id] = message
        while len(self.unhanded) > UNHANDED:
            del self.unhanded[next(iter(self.unhanded))]

    def note_quoted(self, message_id: str, *, ours: bool) -> None:
        """Note whether a message of our account that is not in memory is ours."""
        self.ours_before[message_id] = ours
        while len(self.ours_before) > REMEMBERED:
            del self.ours_before[next(iter(self.ours_before))]

    def context(self, items: Sequence[TurnItem]) -> tuple[LedgerMessage, ...]:
        """Frozen ledger for a turn: with its messages in any case, without later ones that wait for a turn of
        their own. A held message is answered in sight of the replies made meanwhile."""
        newest = max(item.message.order for item in items)
        found = tuple(said for said in self.ledger.context(_NOW) if said.order <= newest or not _waits(said))
        known = {said.message_id for said in found}
        missing = [item.message for item in items if item.id not in known and not item.poke]
        return (*sorted(missing, key=lambda said: said.order), *found) if missing else found

    def _words(self, kind: WordKind, configured: Sequence[str]) -> list[str]:
        removed = self.settings.removed_words.get(kind, [])
        added = self.settings.added_words.get(kind, [])
        return list(dict.fromkeys([*(word for word in configured if word not in removed), *added]))


def _waits(said: LedgerMessage) -> bool:
    return said.addressed and not said.processed and not said.is_bot


def remember(members: dict[str, float], user_id: str, now: float) -> None:
    """Note a member in `expects` or `replied`, from `now` on (monotonic seconds) for `FOLLOW_UP` seconds."""
    for known in [known for known, until in members.items() if until <= now]:
        del members[known]
    if len(members) < REMEMBERED or user_id in members:
        members[user_id] = now + FOLLOW_UP
