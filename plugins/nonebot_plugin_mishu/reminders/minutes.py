"""The week's minutes of a group, where they were switched on (周报): its record over seven days, at a time.

A due row that recurs, as the morning's digest is: it survives restarts, waits in a silence and comes once. A
week in which nobody said anything has no minutes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from ..agents import Announcer
from ..storage import Conversation
from ..storage.reminders.queries import NewReminder, Reminders, drop_in, put
from ..storage.reminders.records import DIGEST, WALL, ReminderRecord

FEATURE: Final = "周报"
WEEK: Final = timedelta(days=7)
_CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")

WEEKLY: Final = "FR 18:00"
"""Default time of the minutes: the weekday's code and the clock."""

Summary = Callable[[Conversation, float, float], Awaitable[str | None]]
"""The record of a conversation over a span of wall seconds; None: nobody spoke. Raises `StorageError`."""


async def usual(conversation: Conversation) -> str | None:
    """Nobody said another time."""
    return None


class WeeklyMinutes:
    """Switches a group's minutes and makes their text (`compose`, for `ReminderService`)."""

    def __init__(
        self,
        reminders: Reminders,
        summary: Summary,
        announcer: Announcer,
        zone: ZoneInfo,
        wall: Callable[[], float],
        time_in: Callable[[Conversation], Awaitable[str | None]] = usual,
    ) -> None:
        """`time_in` tells when a group wants them, as `WEEKLY` is written. It may raise `StorageError`."""
        self._time_in = time_in
        self._reminders = reminders
        self._summary = summary
        self._announcer = announcer
        self._zone = zone
        self._wall = wall

    async def switch(self, conversation: Conversation, on: bool) -> None:
        """Let them come every week when the group wants them, or no more. Twice is once. Raises
        `StorageError`."""
        code, _, at = (await self._time_in(conversation) or WEEKLY).partition(" ")
        weekday, clock = _CODES.index(code), time.fromisoformat(at)
        now = datetime.fromtimestamp(self._wall(), self._zone)
        day = now.date() + timedelta(days=(weekday - now.weekday()) % 7)
        first = datetime.combine(day, clock, self._zone)
        if first <= now:
            first = datetime.combine(day + WEEK, clock, self._zone)

        async def replace_minutes(connection: AsyncConnection) -> None:
            await drop_in(connection, conversation, DIGEST, text=FEATURE)
            if on:
                await put(
                    connection,
                    NewReminder(
                        conversation=conversation,
                        agent_code=DIGEST,
                        item_id=1,
                        user_ids=(),
                        text=FEATURE,
                        due_at=first.timestamp(),
                        wall=first.strftime(WALL),
                        zone=self._zone.key,
                        recurrence={"freq": "weekly", "interval": 1, "byday": [_CODES[weekday]]},
                    ),
                )

        await self._reminders.write(replace_minutes)
        self._reminders.changed()

    async def compose(self, record: ReminderRecord, now: float) -> str | None:
        """The week's text; None where nobody spoke, or the feature is off. Raises `StorageError`."""
        if not await self._announcer.allows(record.conversation, FEATURE):
            return None
        told = await self._summary(record.conversation, now - WEEK.total_seconds(), now)
        return None if told is None else f"这周的群纪要：\n{told}"
