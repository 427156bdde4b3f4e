"""Recognition of answers to reminders: by the quoted message, or because the sender was just reminded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from ..language.answers.reminder_replies import LONGEST, read
from ..storage.records import Conversation
from ..storage.reminders.queries import Reminders
from .sent_reminders import SentReminders


class Recognition:
    """Implements what the core asks of reminders. After a restart quotes are looked up in the database."""

    def __init__(
        self, told: SentReminders, reminders: Reminders, zone: ZoneInfo, wall: Callable[[], float]
    ) -> None:
        self._told = told
        self._reminders = reminders
        self._zone = zone
        self._wall = wall

    def answers(self, conversation: Conversation, user_id: str, words: str) -> bool:
        """True when an unaddressed line plainly answers a reminder its sender just got. Memory only."""
        now = self._wall()
        if len(words) > LONGEST or not self._told.of_member(conversation, user_id, now):
            return False
        about = self._told.about(conversation, user_id)
        at = datetime.fromtimestamp(now, self._zone)
        return read(words, at, self._zone, quoted=False, about=about) is not None

    def about(self, conversation: Conversation, user_id: str) -> str:
        """Items a member was reminded of last. Memory only."""
        return self._told.about(conversation, user_id)

    async def by(
        self, conversation: Conversation, user_id: str, quoted_id: str | None
    ) -> Literal["quoted", "recent"] | None:
        """`quoted` for a line that quotes a reminder, `recent` for a sender who just got one. Raises
        `StorageError`."""
        found = self._told.reminded(conversation, user_id, quoted_id, self._wall())
        if found is None and quoted_id is not None:
            return "quoted" if await self._reminders.by_message(conversation, quoted_id) else None
        return found
