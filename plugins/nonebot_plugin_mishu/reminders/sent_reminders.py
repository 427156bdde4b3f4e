"""Which messages were reminders, and who was reminded a moment ago: known without asking the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Literal

from ..storage.records import Conversation
from ..storage.reminders.records import ReminderRecord

RECENT = 600.0
"""Seconds in which the next line of who was reminded may answer."""
REMEMBERED = 5000
"""Messages and members kept, the newest; the database knows the older ones."""


class SentReminders:
    """Bounded notes of what was said. Times are wall seconds."""

    def __init__(self) -> None:
        self._messages: OrderedDict[tuple[Conversation, str], None] = OrderedDict()
        self._members: OrderedDict[tuple[Conversation, str], float] = OrderedDict()

    def note(self, where: Conversation, message_id: str, rows: Iterable[ReminderRecord], at: float) -> None:
        """A message that reminded of these rows."""
        self._messages[where, message_id] = None
        for user_id in dict.fromkeys(user for row in rows for user in row.user_ids):
            self._members.pop((where, user_id), None)
            self._members[where, user_id] = at
        for kept in (self._messages, self._members):
            while len(kept) > REMEMBERED:
                kept.popitem(last=False)

    def of_member(self, where: Conversation, user_id: str, now: float) -> bool:
        """Whether a member was reminded a moment ago, so that their next line may answer."""
        return self.reminded(where, user_id, None, now) == "recent"

    def answered(self, where: Conversation, user_id: str) -> None:
        """The member has answered, or spoken of something else."""
        self._members.pop((where, user_id), None)

    def reminded(
        self, where: Conversation, user_id: str, quoted: str | None, now: float
    ) -> Literal["quoted", "recent"] | None:
        """Whether a line quotes a reminder, or its sender was reminded a moment ago."""
        if quoted is not None:
            return "quoted" if (where, quoted) in self._messages else None
        at = self._members.get((where, user_id))
        return "recent" if at is not None and 0 <= now - at <= RECENT else None
