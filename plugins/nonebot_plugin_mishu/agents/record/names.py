"""Names of members in lines that mention them: as they spoke, else by their card."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from ...language.lines.line import RecordLine
from ...language.text.fold import normalise
from ...record.line import UNKNOWN, introduced
from ...storage.records import Conversation

Card = Callable[[Conversation, str], Awaitable[str | None]]
"""Platform lookup of a member's name in a group; None if unknown. Never raises."""
_MOST: Final = 10
"""Most platform lookups in one summary."""


class MemberNames:
    """Adds names to lines that were stored without one."""

    def __init__(self, card: Card | None) -> None:
        self._card = card

    async def into(self, conversation: Conversation, lines: Sequence[RecordLine]) -> list[RecordLine]:
        """The lines with mentions by name (@群友 for members who had not spoken)."""
        nameless = [line for line in lines if UNKNOWN in line.text and line.mentions]
        if not nameless:
            return list(lines)
        names = {line.user_id: line.name for line in lines if not line.bot}
        ids = dict.fromkeys(
            each for line in reversed(nameless) for each in line.mentions if each not in names
        )
        asked = list(ids)[:_MOST] if self._card is not None and conversation.is_group else []
        if self._card is not None:
            told = await asyncio.gather(*(self._card(conversation, each) for each in asked))
            names |= {each: normalise(name) for each, name in zip(asked, told, strict=True) if name}
        return [introduced(line, names) for line in lines]
