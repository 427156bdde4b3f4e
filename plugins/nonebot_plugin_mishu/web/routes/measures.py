"""Values of `/metrics`: counted since the start, or as of now. Of no framework."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

BOUNDS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0, 80.0)
"""Upper bounds, in seconds, under which replies are counted."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Counters are since the start of this process; the rest is now."""

    messages: Mapping[str, int] = field(default_factory=dict[str, int])
    """By who spoke: `member`, `bot`."""
    decisions: Mapping[tuple[str, bool], int] = field(default_factory=dict[tuple[str, bool], int])
    """By trigger and whether something was sent."""
    replies: tuple[int, ...] = (0,) * (len(BOUNDS) + 1)
    """Replies by their seconds from the message to the sent reply, one number a bound and one beyond."""
    reply_seconds: float = 0.0
    calls: Mapping[tuple[str, str, str], int] = field(default_factory=dict[tuple[str, str, str], int])
    """Model calls by name, model and outcome."""
    call_seconds: Mapping[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    """By name and model."""
    tokens: Mapping[tuple[str, str, str], int] = field(default_factory=dict[tuple[str, str, str], int])
    """By name, model, and `prompt` or `completion`."""
    reminders_sent: Mapping[bool, int] = field(default_factory=dict[bool, int])
    """By whether they were late."""
    overdue: tuple[int, float] | None = None
    """Reminders that are due and not sent, and for how many seconds the oldest; None where unknown."""
    queues: Mapping[str, int] = field(default_factory=dict[str, int])
    """`held` messages, `outbox` messages, `database_rows` and `database_jobs`."""
    database_errors: Mapping[str, int] = field(default_factory=dict[str, int])
    """By kind (`storage.engine.errors`)."""
    database_up: bool = True
    accounts: int = 0
    """QQ accounts that are connected."""
    conversations: int = 0
    """In memory."""


class Measured(Protocol):
    """Source of the measures."""

    async def measures(self) -> Measures:
        """All measures as of now; raises nothing."""
        ...
