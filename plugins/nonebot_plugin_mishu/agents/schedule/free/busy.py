"""Busy intervals of members, and the sources they come from. Pure; what a source reads is its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final, Protocol, cast
from zoneinfo import ZoneInfo

from ....language.recognise.times import SEGMENT_BOUNDS, Recurrence, Segment, dates
from ....storage.records import Conversation
from ....storage.schedules.records import ScheduleRecord
from ....storage.tasks.records import TaskChanges, TaskRecord
from ..timetable import within

UNSAID: Final = timedelta(hours=1)
"""Length of a schedule whose end nobody said."""
_MOMENT: Final = timedelta(minutes=30)
"""Length of a task at a clock whose end nobody said."""
_MOST: Final = 400
PARTS_END: Final = {
    "early_morning": time(6),
    "morning": time(9),
    "forenoon": time(12),
    "noon": time(14),
    "afternoon": time(18),
}
"""End of each part of the day; the evening and the whole day end at midnight."""


@dataclass(frozen=True, slots=True)
class Busy:
    """A stretch in which a member is busy, half-open, aware."""

    user_id: str
    begins: datetime
    ends: datetime
    what: str = ""
    """Name of the entry, for those who may see it; empty where nobody may."""
    conversation: Conversation | None = None
    """Where it is kept; None for what belongs to no conversation (an imported calendar)."""
    private: bool = False
    """Of the member alone (a task, an imported calendar): others only learn that they are busy."""
    own: bool = True
    """They made or joined it. What is put down for everybody makes a member busy; it does not show that they
    keep their plans here."""

    def visible_to(self, user_id: str, place: Conversation) -> bool:
        """True if its name may be told to a member in a conversation."""
        here = self.conversation == place
        if self.user_id == user_id and (here or not place.is_group):
            return True
        return here and not self.private


class BusySource(Protocol):
    """Entries that make members busy; every module that keeps such entries may be one."""

    async def busy(
        self, place: Conversation, users: Collection[str], first: datetime, last: datetime
    ) -> Sequence[Busy]:
        """Stretches of these members that overlap `first` to `last`, recurrences expanded. `place` is where
        it is asked. Raises `StorageError`."""
        ...


def busy_of_schedule(
    schedule: ScheduleRecord, users: Collection[str], first: datetime, last: datetime
) -> Iterator[Busy]:
    """Stretches of the members who made or joined a schedule; with an @ of all, of everybody. What only
    reminds the group (提醒大家写日报) makes nobody busy."""
    if schedule.deleted or (schedule.plan.to_group and not schedule.plan.everybody):
        return
    takes_part = {schedule.created_by, *(each.user_id for each in schedule.joined)}
    whose = [each for each in users if schedule.plan.everybody or each in takes_part]
    if not whose:
        return
    # One without an end is a moment to `within`, but lasts an hour here.
    for each in within(schedule, first - UNSAID, last):
        ends = each.ends or _end_of_part(schedule.plan.segment, each.begins)
        if each.begins < last and ends > first:
            for user_id in whose:
                what, own = schedule.description, user_id in takes_part
                yield Busy(user_id, each.begins, ends, what, schedule.conversation, own=own)


def _end_of_part(segment: str | None, begins: datetime) -> datetime:
    if segment is None:
        return begins + UNSAID
    ends = PARTS_END.get(segment)
    if ends is None:
        return datetime.combine(begins.date() + timedelta(days=1), time(), begins.tzinfo)
    return datetime.combine(begins.date(), ends, begins.tzinfo)


def busy_of_task(task: TaskRecord, first: datetime, last: datetime) -> Iterator[Busy]:
    """Stretches of an open task that stands at a clock, or fills a part of the day (下周二晚上加班); one of a
    whole day makes nobody busy, nor does a reminder."""
    fields = task.fields
    part = _part_of(fields)
    if task.status != "pending" or (fields.start_time is None and part is None):
        return
    # The task's own zone: a recurrence keeps its clock there.
    zone, lasts = ZoneInfo(fields.zone), _MOMENT
    if part is not None:
        start, lasts = part
    else:
        start = time.fromisoformat(fields.start_time or "")
    if (
        part is None
        and fields.start_time is not None
        and fields.end_time is not None
        and fields.end_time != fields.start_time
    ):
        end = time.fromisoformat(fields.end_time)
        minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
        lasts = timedelta(minutes=minutes if minutes > 0 else minutes + 24 * 60)
    day = date.fromisoformat(fields.due_date)
    days: Iterator[date] = iter((day,))
    if fields.recurrence is not None:
        days = dates(
            Recurrence.kept(fields.recurrence), day, skip_to=max(day, first.date() - timedelta(days=2))
        )
    for number, each in enumerate(days):
        begins = datetime.combine(each, start, zone)
        if begins >= last or number >= _MOST:
            return
        if begins + lasts > first:
            yield Busy(task.owner, begins, begins + lasts, task.title, task.conversation, private=True)


def _part_of(fields: TaskChanges) -> tuple[time, timedelta] | None:
    """Beginning and length of the part of the day that a task without a clock fills; None for any other."""
    segment = fields.time_segment
    if fields.start_time is not None or fields.remind_at is not None or segment in (None, "all_day"):
        return None
    first, last = SEGMENT_BOUNDS[cast("Segment", segment)]
    minutes = (last.hour - first.hour) * 60 + last.minute - first.minute + 1
    return first, timedelta(minutes=minutes)
