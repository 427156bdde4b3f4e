"""Questions for orders that rules are unsure of and no model decided (understanding.md, section 3). Pure.

They use the confirmation of candidates (`confirming`). If the order itself needs a question (which of
several, half of the day), only that is asked: one question is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ...storage.schedules.records import ScheduleRecord
from .candidates.candidate import Candidate, CandidateTime, usable
from .candidates.moments import joined
from .candidates.operations import kept_at, with_rhythm
from .candidates.single import meant
from .search import find, names_in
from .timetable import wall


def complete(candidate: Candidate) -> bool:
    """True if the candidate can be confirmed: description and time, or a reference and its change."""
    if candidate.problem is not None:
        return False
    if candidate.intent == "add":
        return usable(candidate)
    named = bool(candidate.old_description or candidate.spans or candidate.ids)
    becomes = candidate.when is not None or candidate.shift or candidate.new_description or candidate.place
    return named and (candidate.intent == "delete" or bool(becomes))


def asked(
    found: Sequence[Candidate], schedules: Sequence[ScheduleRecord], now: datetime
) -> list[Candidate] | None:
    """Candidates to be confirmed, with their stored names; None if more than a yes is missing."""
    ready: list[Candidate] = []
    for each in _one_each(found, schedules):
        hits = find(schedules, each, now) if each.intent != "add" else []
        # 看展和桌游俩日程都删了: as many names as matches, or all.
        several = each.every or len(names_in(each, schedules)) == len(hits)
        together = each.intent == "delete" and len(hits) > 1 and several
        if not complete(each) or (each.intent != "add" and len(hits) != 1 and not together):
            return None
        if together:
            ready += [_of(each, hit, now) for hit in hits]
            continue
        for hit in hits:
            each = replace(
                each, old_description=hit.description, ids=(hit.id,), old_time=_kept_at(each, hit, now)
            )
            rhythm = with_rhythm(hit, each, now)
            if rhythm is not None:  # 例会每周都开: its own day and clock
                each = replace(each, when=rhythm, new_time=rhythm.start)
            elif each.when is not None and hit.plan.recurrence is None and each.when.recurrence is None:
                # The question shows the result: a day alone keeps the clock.
                becomes = joined(kept_at(hit.plan, now), each.when)
                each = replace(each, when=replace(becomes, dated=True, clocked=True, weekday_only=False))
            elif each.when is not None and each.once and each.old_time and each.when.recurrence is None:
                own = CandidateTime(each.old_time)  # one occurrence keeps its clock too
                becomes = joined(own, each.when)
                each = replace(each, when=replace(becomes, dated=True, clocked=True, weekday_only=False))
        ready.append(replace(each, need_confirm=True))
    return ready or None


def _of(candidate: Candidate, hit: ScheduleRecord, now: datetime) -> Candidate:
    at = _kept_at(candidate, hit, now)
    one = replace(candidate, old_description=hit.description, ids=(hit.id,), old_time=at, every=False)
    return replace(one, need_confirm=True)


def _one_each(found: Sequence[Candidate], schedules: Sequence[ScheduleRecord]) -> list[Candidate]:
    """One candidate for each schedule of a joint change (这三个都推迟一周): one card asks about all."""
    each_own: list[Candidate] = []
    for each in found:
        ids = [known.id for known in schedules if known.id in each.ids]
        if each.every and each.intent == "edit" and len(ids) > 1:
            each_own += [replace(each, ids=(one,), every=False) for one in ids]
        else:
            each_own.append(each)
    return each_own


def _kept_at(candidate: Candidate, schedule: ScheduleRecord, now: datetime) -> str:
    """Stored start of the referent (这周的例会: on Wednesday), if a time was given."""
    if not candidate.old_time:
        return ""
    if schedule.plan.recurrence is None:
        return wall(schedule.plan.begins.astimezone(now.tzinfo))
    times = meant(candidate, schedule, now) if candidate.once else []
    return wall(times[0].begins.astimezone(now.tzinfo)) if times else ""
