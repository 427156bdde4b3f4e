"""What admins change at run time, per conversation (contracts, Commands in a group)."""

from __future__ import annotations

from .records import Conversation, ConversationSettings, Silence, WordKind


class Settings:
    """Persona, features, words and silence. Every change is on disk when its call returns."""

    async def load(self, conversation: Conversation) -> ConversationSettings:
        """Everything set for a conversation; the defaults where nothing is."""
        raise NotImplementedError

    async def set_persona(self, conversation: Conversation, persona: str | None) -> None:
        """Set the persona; `None` goes back to the configured one."""
        raise NotImplementedError

    async def set_feature(self, conversation: Conversation, feature: str, on: bool) -> None:
        """Switch a feature."""
        raise NotImplementedError

    async def add_word(self, conversation: Conversation, kind: WordKind, word: str) -> None:
        """Add a word; it is removed no longer, if it was."""
        raise NotImplementedError

    async def remove_word(self, conversation: Conversation, kind: WordKind, word: str) -> None:
        """Remove a word, added or configured; it is added no longer, if it was."""
        raise NotImplementedError

    async def set_silence(self, conversation: Conversation, silence: Silence) -> None:
        """Silence a conversation, replacing a silence that holds."""
        raise NotImplementedError

    async def lift_silence(self, conversation: Conversation) -> None:
        """End the silence of a conversation."""
        raise NotImplementedError

    async def silenced(self, self_id: str, now: float) -> dict[Conversation, Silence]:
        """The conversations of an account whose silence still holds at `now` (seconds)."""
        raise NotImplementedError
