"""Reminders as values: plain, immutable, free of the database. Times are wall seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..records import Conversation

ReminderState = Literal["waiting", "claimed", "sent", "done", "dropped"]

WALL = "%Y-%m-%d %H:%M"
"""Format of wall times."""


DIGEST = "digest"
"""The agent code of a group's daily digest, whose text is made when it is due."""
NOTICE = "notice"
"""The agent code of what was changed on a page while the group could not be told: said once it can."""
POLL = "polls"
"""The agent code of what a poll has to say later: its end, a call to those without a voice, a place that came
free. Its text is made when it is due."""
POLL_END = "end"
"""Text of the row at which a poll ends: set for a clock, as a reminder is."""
NUDGE = "nudges"
"""The agent code of what one member asks of another; its item is the task it is about, 0 for none."""
APART = (DIGEST, NOTICE, POLL, NUDGE)
"""Agent codes of what reminds of nothing: said in messages of its own, also where 提醒 is off."""


@dataclass(frozen=True, slots=True)
class NewReminder:
    """A reminder to be kept. Its text is composed now: nothing is asked when it is due.

    `due_at` is wall seconds; `wall` the wall time (YYYY-MM-DD HH:MM) in `zone` of the thing itself, which
    counts where the zone's rules change and for the next occurrence of `recurrence` (as `times.recurrence`);
    the reminder comes `lead_minutes` before it. The reminder's own wall time is taken too: `due_at` tells
    which of the two it is. `until` (YYYY-MM-DD) is the last day of the recurrence. `origin` names the
    reminder once and for ever: the same one is not added twice.
    """

    conversation: Conversation
    agent_code: str
    item_id: int
    user_ids: Sequence[str]
    text: str
    due_at: float
    wall: str
    zone: str
    everybody: bool = False
    recurrence: dict[str, Any] | None = None
    lead_minutes: int = 0
    """Minutes before the event."""
    until: str | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class ReminderRecord:
    """A reminder as it is kept."""

    id: int
    conversation: Conversation
    agent_code: str
    item_id: int
    user_ids: tuple[str, ...]
    everybody: bool
    text: str
    note: str | None
    """Remark on this occurrence (a holiday table that has ended)."""
    due_at: float
    wall: str
    """Of the thing itself; `anchor` is that of its first occurrence."""
    anchor: str
    zone: str
    recurrence: dict[str, Any] | None
    until: str | None
    lead_minutes: int
    state: ReminderState
    failures: int = 0
    """Sends that certainly failed."""
    unclear: int = 0
    """Sends of which nobody knows whether they arrived."""
    message_id: str | None = None
    closed_at: float | None = None
    origin: str | None = None
    """As in `NewReminder`."""
    held_back: bool = False
    """It was due where the platform took nothing unasked."""


@dataclass(frozen=True, slots=True)
class Following:
    """The next occurrence of a reminder."""

    due_at: float
    wall: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Backlog:
    """Due rows of a conversation: their number and first due time."""

    conversation: Conversation
    count: int
    first_due: float
    digests: int = 0
    """Number of rows that are `APART`."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """Rows of a conversation that could not be sent, with one reason."""

    reason: str
    count: int
    given_up: bool
    """They are not tried again."""


Next = Callable[[ReminderRecord, float], Following | None]
"""Pure: the next occurrence of a recurring reminder, seen at that moment; None for none."""
