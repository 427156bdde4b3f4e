"""Single occurrence of a series: left out of it, or moved as its own schedule. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from ....storage.schedules.records import SchedulePlan, ScheduleRecord
from ..timetable import Occasion, length, upcoming, wall, within
from .candidate import Candidate

MOST: Final = 370
"""Most occurrences left out by one order"""


def meant(candidate: Candidate, schedule: ScheduleRecord, now: datetime) -> list[Occasion]:
    """Occurrences meant by a candidate with `once`: the coming ones (这周的晨会).

    Past ones if none is ahead; at most `MOST`, by time; without a time the next one.
    """
    if not candidate.spans:
        start = upcoming(schedule.plan, now)
        lasts = length(schedule.plan)
        return [] if start is None else [Occasion(schedule, start, None if lasts is None else start + lasts)]
    found: dict[datetime, Occasion] = {}
    for span in candidate.spans:
        first = datetime.fromisoformat(span.first).replace(tzinfo=now.tzinfo)
        last = datetime.fromisoformat(span.last).replace(tzinfo=now.tzinfo)
        found |= {each.begins: each for each in within(schedule, first, last) if first <= each.begins <= last}
    ahead = [begins for begins in found if begins >= now]
    return [found[begins] for begins in sorted(ahead or found)][:MOST]


def left_out(plan: SchedulePlan, occasions: Sequence[Occasion]) -> SchedulePlan:
    """Plan without these occurrences."""
    assert plan.recurrence is not None
    days = {*plan.recurrence.get("without", ()), *(each.begins.date().isoformat() for each in occasions)}
    return replace(plan, recurrence={**plan.recurrence, "without": sorted(days)})


def days_left_out(before: SchedulePlan, after: SchedulePlan) -> list[date]:
    """Days an edit only left out of a series; empty for any other change."""
    if before.recurrence is None or after.recurrence is None:
        return []
    rule = {name: of for name, of in after.recurrence.items() if name != "without"}
    earlier = before.recurrence.get("without", ())
    if replace(after, recurrence=before.recurrence) != before:
        return []
    if rule != {name: of for name, of in before.recurrence.items() if name != "without"}:
        return []
    return [date.fromisoformat(day) for day in after.recurrence.get("without", ()) if day not in earlier]


def alone(plan: SchedulePlan, occasion: Occasion) -> SchedulePlan:
    """Occurrence as its own plan."""
    begins = occasion.begins
    lasts = length(plan) or timedelta(0)
    end = wall(begins + lasts) if plan.end is not None else None
    return replace(plan, start=wall(begins), end=end, recurrence=None, until=None)
