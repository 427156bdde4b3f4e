"""Asking a platform about groups and members: what the rosters of all platforms do alike."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from ..frontdesk.rooms.rosters import Standing
from ..storage.records import Conversation

TIMEOUT: Final = 3.0
"""Seconds for the platform's answer."""
MOMENT: Final = 1.0
"""Seconds for an answer that somebody in the group waits for."""
_MOST: Final = 500

K = TypeVar("K")
V = TypeVar("V")


class KeptAnswers(Generic[K, V]):
    """Answers that hold for a while, also that there is none. `monotonic` gives seconds."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._rows: OrderedDict[K, tuple[float, V]] = OrderedDict()

    def holds(self, key: K) -> bool:
        """True if an answer is here that still holds."""
        return key in self._rows and self._rows[key][0] > self._monotonic()

    def last(self, key: K, default: V) -> V:
        """The last answer, which may be old."""
        return self._rows[key][1] if key in self._rows else default

    def keep(self, key: K, value: V, seconds: float) -> None:
        """Keep an answer."""
        self._rows[key] = (self._monotonic() + seconds, value)
        while len(self._rows) > _MOST:
            self._rows.popitem(last=False)


@dataclass(frozen=True, slots=True)
class RosterNeeds:
    """Values that rosters are made with."""

    monotonic: Callable[[], float]
    superusers: Callable[[], Collection[str]] = frozenset[str]
    """Ids of the owners of the bot."""
    through: Callable[[Conversation], str] = lambda where: where.self_id
    """The account that is asked about a group."""


class AskedRosters:
    """A platform's rosters, without what is asked of the platform."""

    def __init__(self, needs: RosterNeeds) -> None:
        self._superusers = needs.superusers
        self._through = needs.through

    def _rank(self, role: object, user_id: str) -> Standing:
        """Role of a member as the platform tells it; an owner of the bot counts as an admin."""
        if role in ("owner", "admin"):
            return "owner" if role == "owner" else "admin"
        return "admin" if user_id in self._superusers() else "member"
