"""Sent reminders in memory: their message ids, and members who were just reminded."""

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
    """Bounded record of sent reminders. Times are wall seconds."""

    def __init__(self) -> None:
        self._messages: OrderedDict[tuple[Conversation, str], None] = OrderedDict()
        self._members: OrderedDict[tuple[Conversation, str], tuple[float, str]] = OrderedDict()
        """When a member was reminded last, and of what."""

    def note_sent(
        self, where: Conversation, message_id: str, rows: Iterable[ReminderRecord], at: float
    ) -> None:
        """Record a message that was the reminder of these rows."""
        self._messages[where, message_id] = None
        rows = list(rows)
        for user_id in dict.fromkeys(user for row in rows for user in row.user_ids):
            self._members.pop((where, user_id), None)
            self._members[where, user_id] = at, " ".join(row.text for row in rows if user_id in row.user_ids)
        for kept in (self._messages, self._members):
            while len(kept) > REMEMBERED:
                kept.popitem(last=False)

    def of_member(self, where: Conversation, user_id: str, now: float) -> bool:
        """True when a member was just reminded, so that their next line may answer."""
        return self.reminded(where, user_id, None, now) == "recent"

    def answered(self, where: Conversation, user_id: str) -> None:
        """The member has answered, or spoken of something else."""
        self._members.pop((where, user_id), None)

    def reminded(
        self, where: Conversation, user_id: str, quoted: str | None, now: float
    ) -> Literal["quoted", "recent"] | None:
        """`quoted` for a line that quotes a reminder, `recent` for a sender who was just reminded."""
        if quoted is not None:
            return "quoted" if (where, quoted) in self._messages else None
        last = self._members.get((where, user_id))
        return "recent" if last is not None and 0 <= now - last[0] <= RECENT else None

    def about(self, where: Conversation, user_id: str) -> str:
        """Items a member was reminded of last; empty where nothing is known."""
        return self._members.get((where, user_id), (0.0, ""))[1]
