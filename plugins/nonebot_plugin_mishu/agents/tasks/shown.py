"""Which tasks a member saw last, in which order: what 第二个 means (pitfall 50). In memory, bounded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from ...storage.records import Conversation

MOST = 500
"""Members remembered."""
FOR = 1800.0
"""Seconds a list is remembered."""


class Shown:
    """The last list of each member, by conversation. Numbers stand for ids, and never shift."""

    def __init__(self) -> None:
        self._lists: OrderedDict[tuple[Conversation, str], tuple[float, tuple[int, ...]]] = OrderedDict()

    def put(self, conversation: Conversation, user_id: str, ids: Sequence[int], now: float) -> None:
        """A list was shown."""
        key = (conversation, user_id)
        self._lists.pop(key, None)
        if ids:
            self._lists[key] = (now, tuple(ids))
        while len(self._lists) > MOST:
            self._lists.popitem(last=False)

    def last(self, conversation: Conversation, user_id: str, now: float) -> tuple[int, ...]:
        """The ids of the list shown last; empty where there is none, or it is long ago."""
        found = self._lists.get((conversation, user_id))
        return found[1] if found is not None and now - found[0] <= FOR else ()
