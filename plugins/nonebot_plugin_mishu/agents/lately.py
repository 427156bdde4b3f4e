"""What was last made, changed or shown to a member: what 改到三点半 and 那个 mean. In memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from ..storage.records import Conversation
from .clause import Thing

RECENT: Final = 600.0
"""Seconds it is remembered."""
MOST: Final = 2000
"""Members remembered."""


class Lately:
    """Bounded notes. Times are wall seconds."""

    def __init__(self) -> None:
        self._things: OrderedDict[tuple[Conversation, str], tuple[float, Thing]] = OrderedDict()

    def note(self, where: Conversation, user_id: str, thing: Thing, now: float) -> None:
        """This was just made, changed or shown to a member."""
        self._things.pop((where, user_id), None)
        self._things[where, user_id] = (now, thing)
        while len(self._things) > MOST:
            self._things.popitem(last=False)

    def last(self, where: Conversation, user_id: str, now: float) -> Thing | None:
        """What it was; None where it is too long ago."""
        found = self._things.get((where, user_id))
        return found[1] if found is not None and 0 <= now - found[0] <= RECENT else None
