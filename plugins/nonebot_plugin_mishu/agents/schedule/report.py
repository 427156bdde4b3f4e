"""Reply to a query for schedules. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from ...storage.schedules.records import WALL
from . import words
from .candidates.candidate import Candidate, SearchSpan
from .candidates.operations import Planned
from .timetable import occasions, upcoming

_YEAR: Final = timedelta(days=366)


def report(candidate: Candidate, result: Planned, now: datetime) -> str:
    """Reply to a query."""
    said = _told(candidate, result, now)
    unknown = words.without_end(result.schedules) if candidate.end_asked else ""
    return f"{said}\n{unknown}" if unknown else said


def _told(candidate: Candidate, result: Planned, now: datetime) -> str:
    if candidate.spans:
        first, last = _bounds(candidate.spans, now)
        head = words.stretch(first.strftime(WALL), last.strftime(WALL), now)
        named = f"「{candidate.old_description}」" if candidate.old_description else ""
        found = occasions(result.schedules, first, last)
        if found:
            listed = words.listing(found, f"{head}的日程{named}：", now, (first.date(), last.date()))
            return f"{candidate.yes}，{listed}" if candidate.yes else listed
        if not result.schedules:
            return f"{head}没有日程{named if candidate.nameable else ''}"
        return words.details(result.schedules, now)
    if not result.schedules and not candidate.nameable:
        return words.UNCLEAR_ASKED
    if not result.schedules:
        return f"没找到「{candidate.old_description}」的日程" if candidate.old_description else "现在没有日程"
    if candidate.old_description:
        return words.details(result.schedules, now)
    found = occasions(result.schedules, now.replace(hour=0, minute=0, second=0), now + _YEAR)
    first_of_each = {each.schedule.id: each for each in reversed(found) if each.begins >= now or each.ends}
    coming = sorted(first_of_each.values(), key=lambda each: (each.begins, each.schedule.id))
    if not coming:
        ahead = [each for each in result.schedules if upcoming(each.plan, now) is not None]
        return words.details(ahead, now) if ahead else "接下来没有日程"
    return words.listing(coming, "接下来的日程：", now)


def _bounds(spans: Sequence[SearchSpan], now: datetime) -> tuple[datetime, datetime]:
    zone = now.tzinfo
    first = min(datetime.strptime(each.first, WALL).replace(tzinfo=zone) for each in spans)
    last = max(datetime.strptime(each.last, WALL).replace(tzinfo=zone) for each in spans)
    return first, last
