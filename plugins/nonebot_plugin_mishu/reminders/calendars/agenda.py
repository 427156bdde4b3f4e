"""Agenda of schedules and tasks, for calendars and the daily digest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from ...language.recognise.times import Recurrence, dates
from ...storage import Conversation, Storage
from .entries import DayEntry, of_schedule, of_task

_LONGEST: Final = 62
"""Days of one occurrence that are looked at."""


class Agenda:
    """Reads entries. `remind_before`: minutes, where a schedule says nothing itself."""

    def __init__(self, storage: Storage, remind_before: int) -> None:
        self._storage = storage
        self._before = remind_before

    async def calendar(self, conversation: Conversation, user_id: str) -> Sequence[DayEntry]:
        """A conversation's schedules; for a member those they take part in, and their open tasks there.

        Raises `StorageError`.
        """
        schedules, tasks = self._storage.schedules, self._storage.tasks
        if not user_id:
            return [
                of_schedule(each.id, each.plan, self._before) for each in await schedules.live(conversation)
            ]
        mine = [
            each
            for each in await schedules.live(conversation)
            if each.created_by == user_id or any(member.user_id == user_id for member in each.joined)
        ]
        own = await tasks.of_member(user_id, conversation=conversation, status="pending")
        return [
            *(of_schedule(each.id, each.plan, self._before) for each in mine),
            *(of_task(each.id, each.fields) for each in own),
        ]

    async def coming(
        self, conversation: Conversation, user_id: str, today: date, days: int = 14, most: int = 12
    ) -> Sequence[tuple[date, DayEntry]]:
        """Agenda of the next days: a group's schedules, in private also the member's tasks; a
        recurring one on its next day. By day and time. Raises `StorageError`."""
        whole = await self.calendar(conversation, "" if conversation.is_group else user_id)
        ahead = [today + timedelta(days=number) for number in range(days)]
        found = [
            (day, each) for each in whole if (day := next((d for d in ahead if happens_on(each, d)), None))
        ]
        return sorted(found, key=lambda one: (one[0], not one[1].all_day, one[1].start.time()))[:most]

    async def day(self, conversation: Conversation, day: date) -> Sequence[DayEntry]:
        """A conversation's schedules of a day and its members' tasks due then, by time."""
        schedules = await self._storage.schedules.live(conversation)
        tasks = await self._storage.tasks.of_conversation(conversation)
        found = [
            *(of_schedule(each.id, each.plan, None) for each in schedules),
            *(of_task(each.id, each.fields, each.owner_name) for each in tasks),
        ]
        return sorted(
            (each for each in found if happens_on(each, day)),
            key=lambda each: (each.kind, not each.all_day, each.start.time(), each.id),
        )


def happens_on(entry: DayEntry, day: date) -> bool:
    """True when an entry takes place on a day, recurrences and entries of several days included."""
    first = entry.start.date()
    last = (entry.end - timedelta(minutes=1)).date() if entry.end is not None else first
    last = max(first, last)
    if entry.recurrence is None:
        return first <= day <= last
    rule = Recurrence.kept(entry.recurrence)
    for back in range(min((last - first).days, _LONGEST) + 1):
        began = day - timedelta(days=back)
        if began < first or (entry.until is not None and began > entry.until):
            continue
        if next(dates(rule, first, skip_to=began), None) == began:
            return True
    return False
