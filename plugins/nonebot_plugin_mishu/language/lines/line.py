"""One line of a group's talk as it is read: who said what, when, to whom. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A member's line in the talk. `at` is aware, in the configured zone."""

    id: str
    """The platform's id of the message."""
    at: datetime
    user_id: str
    name: str
    """Card or nickname of the speaker, for display and comparison."""
    text: str
    """In one form for reading (`language.text.fold`)."""
    mentions: tuple[str, ...] = ()
    """Ids of the members it @-mentions."""
    reply_to: str | None = None
    """The message it quotes."""
    files: tuple[str, ...] = ()
    """Names of the files in it."""
    bot: bool = False
    """Said by us: context only, never told again as the group's."""
    to_us: bool = False
    """Said to us: an order or a question of ours, no talk of the group's."""
