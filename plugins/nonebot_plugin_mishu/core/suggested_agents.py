"""Agents that a task suggested for its member's next line (`TaskResult.handoff_suggestion`). In memory."""

from __future__ import annotations

from typing import Final

from ..storage.records import Conversation

MOST: Final = 1000
"""Members with a suggestion that are remembered."""


class SuggestedAgents:
    """Codes of suggested agents, by member."""

    def __init__(self) -> None:
        self._codes: dict[tuple[Conversation, str], str] = {}

    def note(self, conversation: Conversation, user_id: str, code: str) -> None:
        """Remember a suggestion until the member's next line."""
        while len(self._codes) >= MOST:
            del self._codes[next(iter(self._codes))]
        self._codes[conversation, user_id] = code

    def of(self, conversation: Conversation, user_id: str) -> str | None:
        """The agent suggested to a member; None if none."""
        return self._codes.get((conversation, user_id))

    def forget(self, conversation: Conversation, user_id: str) -> None:
        """Drop the suggestion to a member."""
        self._codes.pop((conversation, user_id), None)
