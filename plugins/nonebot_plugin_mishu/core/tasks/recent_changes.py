"""Recent changes by member, for a next line that refers to them.

In memory only, for lines that nobody called us for: after a restart such a line is talk.
"""

from __future__ import annotations

from typing import Final

from ...language.changes.right_behind import amends
from ...storage.records import Conversation
from ..message_context import MessageContext

WITHIN: Final = 120.0
"""Seconds after a change in which its member's next line may refer to it."""
_MOST: Final = 1000


class RecentChanges:
    """Last change of each member, by conversation: time (wall seconds) and reply."""

    def __init__(self) -> None:
        self._last: dict[tuple[Conversation, str], tuple[float, str]] = {}

    def note_change(self, job: MessageContext) -> None:
        """Note the change of a message, if any."""
        if not job.actions:
            return
        self._last.pop((job.conversation, job.user_id), None)
        while len(self._last) >= _MOST:
            self._last.pop(next(iter(self._last)))
        self._last[job.conversation, job.user_id] = (job.request.now, "\n".join(job.parts))

    def delete_changes(self, conversation: Conversation, user_id: str) -> None:
        """Delete a member's changes."""
        self._last.pop((conversation, user_id), None)

    def follows(self, conversation: Conversation, user_id: str, now: float) -> bool:
        """True if a member's line directly follows their last change."""
        found = self._last.get((conversation, user_id))
        return found is not None and 0 <= now - found[0] <= WITHIN

    def amends(self, conversation: Conversation, user_id: str, words: str, now: float) -> bool:
        """True if the line may correct the last change or add to it (地点302), by its form."""
        if not self.follows(conversation, user_id, now):
            return False
        return amends(words, self._last[conversation, user_id][1])
