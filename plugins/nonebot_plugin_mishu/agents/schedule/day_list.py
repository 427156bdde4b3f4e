"""Plans of a conversation on some days, shown beside a member's own tasks."""

from __future__ import annotations

from datetime import date, datetime, time

from ...storage import Storage
from ..api.task_context import TaskContext
from . import words
from .timetable import occasions


class PlansOfDays:
    """List of the conversation's plans."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of_days(self, context: TaskContext, first: date, last: date) -> str:
        """Occurrences on these days."""
        live = await self._storage.schedules.live(context.conversation)
        zone = context.clause.situation.zone
        begins = max(datetime.combine(first, time(0), zone), context.now)
        found = occasions(live, begins, datetime.combine(last, time(23, 59), zone))
        head = "群里的日程：" if context.conversation.is_group else "日程："
        return words.listing(found, head, context.now, (begins.date(), last)) if found else ""
