"""Next occurrences of reminders in wall time and zone: short months, clock changes and 调休."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice
from zoneinfo import ZoneInfo

from ..language.recognise.times import Recurrence, RecurrenceTime, occurrences
from ..storage.reminders.records import WALL, Following, ReminderRecord

MOST_COUNTED = 99
"""Missed occurrences are counted up to here."""


def following(record: ReminderRecord, now: float) -> Following | None:
    """The first occurrence that is still to come, None where there is none.

    What was missed up to `now` is passed over: an outage gives one late line, not one for each.
    """
    lead = record.lead_minutes * 60.0
    for occurrence in _iterate_occurrences(record, max(record.due_at, now) + lead):
        return Following(occurrence.at.timestamp() - lead, occurrence.at.strftime(WALL), occurrence.note)
    return None


def missed(record: ReminderRecord, now: float) -> int:
    """Number of later occurrences that were due by `now`, at most `MOST_COUNTED`."""
    if record.recurrence is None:
        return 0
    lead = record.lead_minutes * 60.0
    count = 0
    for occurrence in islice(_iterate_occurrences(record, record.due_at + lead), MOST_COUNTED):
        if occurrence.at.timestamp() - lead > now:
            break
        count += 1
    return count


def _iterate_occurrences(record: ReminderRecord, moment: float) -> Iterator[RecurrenceTime]:
    if record.recurrence is None:
        return iter(())
    zone = ZoneInfo(record.zone)
    start = datetime.strptime(record.anchor, WALL).replace(tzinfo=zone)
    until = date.fromisoformat(record.until) if record.until else None
    after = datetime.fromtimestamp(moment, zone)
    return occurrences(Recurrence.kept(record.recurrence), start, after=after, until=until)
