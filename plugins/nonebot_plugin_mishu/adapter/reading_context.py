"""Context of an event that is read, the same for every platform."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """Context for reading a message, beside the event."""

    receipt: int
    heard_at: float
    accounts: Collection[str]
    superusers: Collection[str]
    home: str | None = None
    """Under which account of ours the group is kept; None: under the one that hears it."""
    kept_id: Callable[[str], str] = str
    """Under which id a message is kept that this account knows by an id."""
