"""When nothing unasked may be said: the one place that decides it for rows that are due and for nudges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ...storage import Storage
from ...storage.quiet.records import USUAL, QuietHours
from ...storage.records import Conversation
from ...storage.reminders.records import DIGEST, NOTICE, NUDGE, POLL, POLL_END, ReminderRecord


class QuietTimes:
    """Quiet hours of conversations and members. Raises `StorageError`."""

    def __init__(self, storage: Storage, zone: ZoneInfo) -> None:
        self._storage = storage
        self._zone = zone

    async def hours(
        self, place: Conversation, users: Sequence[str] = (), *, usual: bool = False
    ) -> list[QuietHours]:
        """Hours that hold for a line in `place` to these members. `usual`: where the group has none, those
        in which nobody is called."""
        kept = (await self._storage.settings.load(place)).quiet_hours
        found = [QuietHours.kept(kept)] if kept else [USUAL] if usual else []
        to = users if place.is_group else (place.peer,)
        return [*found, *(await self._storage.member_quiet.of_members(place.self_id, to)).values()]

    async def until(
        self, place: Conversation, users: Sequence[str], at: float, *, usual: bool = False
    ) -> tuple[float, QuietHours] | None:
        """The end (wall seconds) of the hours in which `at` lies, with these hours; None where one may
        speak."""
        hours = await self.hours(place, users, usual=usual)
        found: tuple[float, QuietHours] | None = None
        moved = True
        while moved:
            moved = False
            for each in hours:
                since = at if found is None else found[0]
                end = each.until(datetime.fromtimestamp(since, self._zone))
                if end is not None and end.timestamp() > since:
                    found, moved = (end.timestamp(), each if found is None else found[1]), True
            if found is not None and found[0] - at > 86400.0:
                return found  # hours that leave no time of the day: at least once a day
        return found

    async def row_waits(self, row: ReminderRecord, now: float) -> float | None:
        """Until when (wall seconds) a due row waits for the end of quiet hours; None: it is said now."""
        if not is_unasked(row):
            return None
        nudge = row.agent_code == NUDGE
        found = await self.until(row.conversation, row.user_ids if nudge else (), now, usual=nudge)
        return None if found is None else found[0]


def is_unasked(row: ReminderRecord) -> bool:
    """True for what waits for the end of quiet hours: all that was set for no clock of somebody's own."""
    return row.agent_code in (DIGEST, NOTICE, NUDGE) or (row.agent_code == POLL and row.text != POLL_END)
