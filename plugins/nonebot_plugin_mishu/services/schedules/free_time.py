"""When the members of a group are free and when busy; what makes somebody busy is never told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ...agents.schedule.free.spans import (
    CLOSES,
    DAY,
    OPENS,
    FreeSpan,
    Window,
    best_spans,
    busy_stretches,
    day_windows,
    free_spans,
    unknown_members,
)
from ...agents.schedule.free.wording import clock as describe_clock
from ...storage.records import Conversation
from ..access.actor import Actor, sees_group
from ..groups import find_all_members
from ..office import Office
from ..refusals import invalid, missing

__all__ = ["BusyMember", "FreeTimes", "best_spans", "describe_clock", "find_free_times"]

MOST_DAYS: Final = 31
USUAL: Final = timedelta(days=7)
MOST_MEMBERS: Final = 200


@dataclass(frozen=True, slots=True)
class BusyMember:
    """A stretch in which a member is busy."""

    user_id: str
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class FreeTimes:
    """Spans in which all who are known are free, who is busy when, and of whom nothing is known."""

    spans: Sequence[FreeSpan]
    busy: Sequence[BusyMember]
    unknown: Sequence[str]


async def find_free_times(
    office: Office,
    actor: Actor,
    place: Conversation,
    *,
    since: datetime | None,
    until: datetime | None,
    minutes: int | None = None,
    users: Sequence[str] | None = None,
) -> FreeTimes:
    """Free spans of members from `since` to `until`, by default seven days from now; without `users` of all.

    Only the hours from 9 to 22 are offered, unless a span within one day is asked for: then its own. Members
    of the group may ask. Raises `Refused` with the field that is wrong.
    """
    if not sees_group(actor, place.peer):
        raise missing("群")
    now = office.now()
    first = now if since is None else since.astimezone(office.zone)
    last = first + USUAL if until is None else until.astimezone(office.zone)
    if last <= first:
        raise invalid("to", "应晚于 from")
    if last - first > timedelta(days=MOST_DAYS):
        raise invalid("to", f"离 from 不能超过 {MOST_DAYS} 天")
    if last <= now:
        raise invalid("to", "已经过去了")
    if minutes is not None and not 1 <= minutes <= DAY:
        raise invalid("minutes", f"应是 1 到 {DAY} 之间的整数")
    asked = list(dict.fromkeys(each for each in users or () if each))
    if users is not None and not asked:
        raise invalid("users", "不能为空")
    if len(asked) > MOST_MEMBERS:
        raise invalid("users", f"最多 {MOST_MEMBERS} 个人")
    if asked:
        await office.check_members(place, "users", asked)
    else:
        members = sorted(await find_all_members(office, place), key=lambda one: -(one.last_spoke_at or 0.0))
        asked = [each.id for each in members[:MOST_MEMBERS]]
    windows = _windows(first, last, now)
    recorded = await office.busy_times.recorded(place, asked, windows)
    busy = [
        BusyMember(each, one.begins, one.ends)
        for each in asked
        for one in busy_stretches(each, recorded, [Window(max(first, now), last)])
    ]
    spans = free_spans(asked, recorded, windows, minutes or 1)
    return FreeTimes(spans, busy, unknown_members(asked, recorded))


def _windows(first: datetime, last: datetime, now: datetime) -> list[Window]:
    """The usual hours of each day within the span; of a span within one day its own hours."""
    begins = max(first, now)
    one_day = first.date() == (last - timedelta(microseconds=1)).date()
    if one_day and last - first < timedelta(days=1):
        return [Window(begins, last)]
    number = (last.date() - first.date()).days + 1
    days = [first.date() + timedelta(days=each) for each in range(number)]
    cut = (
        Window(max(each.begins, begins), min(each.ends, last))
        for each in day_windows(days, now, OPENS, CLOSES)
    )
    return [each for each in cut if each.begins < each.ends]
