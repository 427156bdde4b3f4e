"""Role of a session's or token's holder, asked of the platform anew every hour."""

from __future__ import annotations

from typing import Final

from ...clock import Clock
from ...frontdesk.rooms.rosters import Rosters
from ...storage.access.sessions import Holder
from ...storage.records import Role
from ..refusals import Refused

ASKED_ANEW: Final = 3600.0
"""Seconds for which the platform's word on somebody's role holds."""
ASKED_AGAIN: Final = 30.0
"""Seconds between two questions that the platform does not answer."""
_MOST_WAITING: Final = 1000


class StandingCheck:
    """Asks the platform for roles, and for none again within `ASKED_AGAIN` of no answer."""

    def __init__(self, clock: Clock, rosters: Rosters) -> None:
        self._clock = clock
        self._rosters = rosters
        self._unanswered: dict[str, float] = {}

    def due(self, checked_at: float) -> bool:
        """True if what was asked at `checked_at` (wall seconds) has to be asked anew."""
        return self._clock.wall() - checked_at >= ASKED_ANEW

    async def ask(self, key: str, holder: Holder) -> Role | None:
        """The holder's role now; None for one who left. `key` names what was shown.

        Raises:
            Refused: 503, the platform does not answer.
        """
        at = self._clock.monotonic()
        if self._unanswered.get(key, 0.0) > at:
            raise _unanswered()
        standing = await self._rosters.standing(holder.place, holder.user_id)
        if standing == "unknown":
            self._unanswered = {each: until for each, until in self._unanswered.items() if until > at}
            if len(self._unanswered) < _MOST_WAITING:
                self._unanswered[key] = at + ASKED_AGAIN
            raise _unanswered()
        self._unanswered.pop(key, None)
        return None if standing == "gone" else standing


def _unanswered() -> Refused:
    return Refused(503, "现在问不到你在群里的身份，机器人连上以后再试")
