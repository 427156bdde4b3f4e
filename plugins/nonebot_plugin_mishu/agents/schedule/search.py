"""Search of schedules by words and time. Pure; returns existing schedules, never positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from ...language.clause import KeptThing
from ...language.names.naming import several_names
from ...language.text.fold import normalise
from ...language.timing.own_times import minutes_apart
from ...patterns import Pattern
from ...storage.schedules.records import WALL, ScheduleRecord
from .candidates.candidate import Candidate
from .timetable import begins, upcoming, within

MOST_SHOWN = 200
"""Most schedules given to a model"""
ALIKE = 0.5
"""Least score of a match; a deletion at this score is asked about first"""
_ZONES = 2
"""Days above any difference of wall times between zones"""
_DOUBLE = Pattern(r"(.)\1")
_MEETING = Pattern("^(?:开会|会议|会|开个会|那个会)$")
_MEETINGS = Pattern(
    "会议|例会|周会|组会|晨会|早会|晚会|班会|开会|碰头|评审|复盘|述职|路演|大会|会$|meeting|review|standup|sync|weekly"
)
_NOT_MEETINGS = Pattern("聚会|社会|机会|约会|晚会$|运动会|音乐会|演唱会")


def alike(words: str, schedule: ScheduleRecord) -> float:
    """Similarity of `words` to a schedule, 0 to 1; 0 without words."""
    said = _folded(words)
    text = _folded(schedule.plan.description + (schedule.plan.place or ""))
    name = _folded(schedule.plan.description)
    if not said or not name:
        return 0.0
    if said == name:
        return 1.0
    if _MEETING.match(said):
        return 0.9 if _MEETINGS.search(name) and not _NOT_MEETINGS.search(name) else 0.0
    if said in text or name in said:
        return 0.9
    if sum(each in text for each in set(said)) < 2 and not _DOUBLE.search(said):
        return 0.0  # no relevant common part: true of most schedules
    mine, theirs = _pairs(said), _pairs(text)
    pairs = 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0
    # 打球 for 周六打篮球: most of the shorter one is in the other.
    common, least = len(set(said) & set(name)), min(len(set(said)), len(set(name)))
    return max(pairs, ALIKE if common >= 2 and common * 3 >= least * 2 else 0.0)


def find(schedules: Sequence[ScheduleRecord], candidate: Candidate, now: datetime) -> list[ScheduleRecord]:
    """Schedules matching a candidate's old time and description; coming ones before past ones.

    Words and time must both fit if both are given. Without either there is no match.
    """
    if candidate.ids:
        return [each for each in schedules if each.id in candidate.ids]
    if not candidate.spans and not candidate.old_description:
        return []
    parts = names_in(candidate, schedules)
    if len(parts) > 1:
        found = [each for part in parts for each in find(schedules, part, now)]
        return list({each.id: each for each in found}.values())
    hits = [each for each in _near(schedules, candidate) if _timed(each, candidate, now)]
    if candidate.old_description:
        scored = [(alike(candidate.old_description, each), each) for each in hits]
        best = max((score for score, _ in scored), default=0.0)
        least = 1.0 if best == 1.0 else ALIKE
        hits = [each for score, each in scored if score >= least]
    if candidate.spans:
        return hits
    ahead = [each for each in hits if upcoming(each.plan, now) is not None]
    return ahead or hits


def names_in(candidate: Candidate, schedules: Sequence[ScheduleRecord]) -> tuple[Candidate, ...]:
    """Candidate for each of its names (班会和羽毛球); itself if a schedule has the whole name."""
    parts = several_names(candidate.old_description)
    whole = _folded(candidate.old_description)
    if len(parts) < 2 or any(whole in _folded(each.description) for each in schedules):
        return (candidate,)
    return tuple(replace(candidate, old_description=part) for part in parts)


def referred(
    candidate: Candidate,
    refs: Sequence[str],
    schedules: Sequence[ScheduleRecord],
    now: datetime,
    *,
    every: bool | None,
) -> Candidate:
    """Candidate with the ids from the reading (客户那个), if its words do not match exactly one.

    `every`: all of them."""
    if candidate.intent not in ("edit", "delete") or candidate.ids or not refs:
        return candidate
    known = tuple(each.id for each in schedules if str(each.id) in refs)
    if known and every:
        return replace(candidate, ids=known, every=True, spans=(), old_description="")
    several = len(names_in(candidate, schedules)) > 1
    if not known or several or len(find(schedules, candidate, now)) == 1:
        return candidate
    if candidate.intent == "delete" and candidate.spans:
        meant = [each for each in schedules if each.id in known]
        if not any(_timed(each, candidate, now) for each in meant):
            # 例会元旦那周停一次, of one that is another day's: it is asked about, however lately it was made.
            return replace(candidate, ids=known, need_confirm=True)
    return replace(candidate, ids=known)


def nearest(schedules: Sequence[ScheduleRecord], candidate: Candidate, now: datetime) -> list[ScheduleRecord]:
    """At most `MOST_SHOWN` schedules, the nearest by words and date, in the given order."""
    if len(schedules) <= MOST_SHOWN:
        return list(schedules)
    times = [each.first for each in candidate.spans]
    wanted = [_aware(first, now) for first in times] or [now]

    def rank(schedule: ScheduleRecord) -> tuple[float, timedelta, int]:
        start = upcoming(schedule.plan, now) or schedule.plan.begins
        away = min(abs(start - each) for each in wanted)
        return (-alike(candidate.old_description, schedule), away, -schedule.id)

    chosen = {each.id for each in sorted(schedules, key=rank)[:MOST_SHOWN]}
    return [each for each in schedules if each.id in chosen]


def nearer(candidate: Candidate, hits: Sequence[ScheduleRecord]) -> Candidate:
    """Candidate with the clock reading nearest to its schedules' clocks.

    Unchanged if these have none or disagree."""
    problem = candidate.problem
    clocked = [each for each in hits if not each.plan.segment]
    if problem is None or not problem.options:
        return candidate
    if hits and not clocked and all(each.closes == "surely" for each in problem.options):
        when = problem.options[0]  # 聚餐到九点, without a start clock: reported, not asked about
        return replace(candidate, when=when, new_time=when.start, problem=None)
    if not clocked:
        return candidate
    chosen = {
        min(problem.options, key=lambda one: apart(one.start, each.plan.start)).start for each in clocked
    }
    if len(chosen) != 1:
        return candidate
    when = next(each for each in problem.options if each.start in chosen)
    return replace(candidate, when=when, new_time=when.start, problem=None)


def apart(one: str, other: str) -> int:
    """Minutes between the clocks of two wall times (`minutes_apart`)."""
    return minutes_apart(datetime.fromisoformat(one).time(), datetime.fromisoformat(other).time())


def quoted(schedules: Sequence[ScheduleRecord], text: str) -> list[ScheduleRecord]:
    """Schedules named in our line: by description, and by date if both match."""
    line = _folded(text)
    named = [each for each in schedules if _folded(each.plan.description) in line]
    dated = [each for each in named if _folded(_date_of(each)) in line]
    return dated or named


def _date_of(schedule: ScheduleRecord) -> str:
    start = schedule.plan.begins
    return f"{start.month}月{start.day}日"


def _near(schedules: Sequence[ScheduleRecord], candidate: Candidate) -> Sequence[ScheduleRecord]:
    """Schedules near the search ranges, or recurring; a cheap text comparison for large lists."""
    if not candidate.spans:
        return schedules
    first = _days(min(each.first for each in candidate.spans), -_ZONES)
    last = _days(max(each.last for each in candidate.spans), _ZONES)
    return [
        each
        for each in schedules
        if (plan := each.plan).recurrence is not None
        or (plan.start <= last and (plan.start >= first or (plan.end or "") >= first))
    ]


def _days(wall: str, days: int) -> str:
    return f"{datetime.fromisoformat(wall) + timedelta(days=days):{WALL}}"


def _timed(schedule: ScheduleRecord, candidate: Candidate, now: datetime) -> bool:
    if not candidate.spans:
        return True
    for span in candidate.spans:
        first, last = _aware(span.first, now), _aware(span.last, now)
        if any(
            first <= each.begins <= last or span.first != span.last for each in within(schedule, first, last)
        ):
            return True
        if span.first == span.last and any(each.begins == first for each in within(schedule, first, last)):
            return True
    return False


def _aware(wall: str, now: datetime) -> datetime:
    return datetime.fromisoformat(wall).replace(tzinfo=now.tzinfo)


@lru_cache(32_768)
def _folded(text: str) -> str:
    return re.sub("[\\W_]+|的", "", normalise(text)).lower()


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def schedule_thing(found: ScheduleRecord, zone: tzinfo) -> KeptThing:
    """Schedule as a referent for a line; a series begins with its first occurrence not left out."""
    at = next(begins(found.plan), found.plan.begins).replace(tzinfo=zone)
    repeats = found.plan.recurrence is not None
    made = datetime.fromtimestamp(found.created_at, zone) if found.created_at else None
    return KeptThing(
        "schedule",
        found.description,
        str(found.id),
        at,
        repeats,
        creator=found.creator,
        made_at=made,
        place=found.plan.place or "",
    )
