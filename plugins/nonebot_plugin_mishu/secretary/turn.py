"""Input of the secretary: triggers, the messages that carry them, and one turn of work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..agents import Mention
from ..storage.records import Conversation, LedgerMessage


class Trigger(StrEnum):
    """Why a message reaches the secretary (product section 1, in the order they are looked for)."""

    SUMMON = "summon"
    ANSWER = "answer"
    ORDER = "order"
    ECHO = "echo"
    DENSE = "dense"
    OVERHEARD = "overheard"
    CHAT = "chat"

    @property
    def obligation(self) -> bool:
        """True if the speaker must get an answer: the item is held in order and never displaced."""
        return self in (Trigger.SUMMON, Trigger.ANSWER, Trigger.ORDER)

    @property
    def joins(self) -> bool:
        """True for an echo or dense talk: dropped if somebody waits for an answer."""
        return self in (Trigger.ECHO, Trigger.DENSE)


@dataclass(frozen=True, slots=True)
class TurnItem:
    """One triggering message."""

    trigger: Trigger
    message: LedgerMessage
    words: str
    """The sender's own words, without the @ of the bot."""
    quoted: LedgerMessage | None = None
    """The message it quotes, where we know it."""
    bare: bool = False
    """Nothing but an @ or a poke."""
    poke: bool = False
    """A poke: there is no message to quote."""
    heard_at: float = 0.0
    """Monotonic seconds."""
    work_only: bool = False
    """It is another plugin's: only what it asks of us as work is done."""
    superuser: bool = False
    """Said by a superuser of the instance."""
    mentions: tuple[Mention, ...] = ()
    """Members mentioned in it, without us."""
    members: tuple[Mention, ...] = ()
    """Members known by name at that time, the latest speaker first."""

    @property
    def id(self) -> str:
        """The platform's message id."""
        return self.message.message_id

    @property
    def user_id(self) -> str:
        """Sender's user id."""
        return self.message.user_id


@dataclass(frozen=True, slots=True)
class Turn:
    """One stretch of work of the secretary: a message, or several summons answered jointly.

    `context` is the ledger as it was when the turn began, oldest first: analysis and generation see the same
    lines whatever is said meanwhile. Behind the turn's own messages stands what was said while they waited,
    our replies to others among it, but nothing that waits for a turn of its own.
    """

    conversation: Conversation
    items: tuple[TurnItem, ...]
    context: tuple[LedgerMessage, ...]

    @property
    def lead(self) -> TurnItem:
        """The message that is quoted and that the trace names."""
        return self.items[0]

    @property
    def ids(self) -> list[str]:
        """Message ids of all items."""
        return [item.id for item in self.items]
