"""Changes of a confirmed candidate: operations checked, or found by local rules. Pure.

Operations of a model are taken whole or not at all: an unknown id, another operation, a repeated id, a wrong
time format or no change leads to a question, and nothing is done (pitfalls 37, 42, 50).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from ....language.names.meeting_places import met_at
from ....language.names.quantities import is_quantity, recounted
from ....language.names.referents import another_part
from ....language.names.turns import taken_over
from ....storage.schedules.records import WALL, SchedulePlan, ScheduleRecord
from .. import words
from ..frames import SaidTime
from ..search import find, names_in
from ..timetable import begins, upcoming, wall
from . import single
from .candidate import Candidate, CandidateTime, Operation
from .moments import is_past, joined, wall_time


@dataclass(frozen=True, slots=True)
class AskedBack:
    """Question instead of a change. `choices`: ids of its numbered list."""

    text: str
    choices: tuple[int, ...] = ()
    whole: bool = False
    """True if a yes means the whole series"""
    together: bool = False
    """True if a yes means all of `choices`"""


@dataclass(frozen=True, slots=True)
class Planned:
    """Planned changes: for an edit the new plans, in the order of `schedules`.

    For one occurrence `plans` has the series without it, in a deletion too (None: all of it is deleted), and
    `added` its new plan, in the same order."""

    schedules: tuple[ScheduleRecord, ...]
    plans: tuple[SchedulePlan | None, ...] = ()
    added: tuple[SchedulePlan | None, ...] = ()


def checked(
    operations: Sequence[Operation], candidate: Candidate, shown: Sequence[ScheduleRecord], now: datetime
) -> tuple[Operation, ...] | AskedBack:
    """A model's operations unchanged, or a question if one is wrong."""
    ids = {each.id for each in shown}
    if not operations:
        return missing(candidate)
    right = all(each.operation == candidate.intent and each.id in ids for each in operations)
    if not right or len({each.id for each in operations}) != len(operations):
        return AskedBack(words.REFUSED.format(verb=words.VERBS[candidate.intent]))
    if candidate.intent == "edit":
        if any(each.time and wall_time(each.time) is None for each in operations):
            return AskedBack(f"没听懂新的时间。{words.WHICH_TIME}")
        if any(not (each.time or each.description) for each in operations) and not _changes(candidate):
            return unchanged([each for each in shown if each.id == operations[0].id], candidate)
    return tuple(operations)


def _changes(candidate: Candidate) -> bool:
    changed = candidate.when or candidate.shift or candidate.place or candidate.new_description
    changed = changed or candidate.lasts or candidate.longer
    return bool(changed) or bool(candidate.begins or candidate.ends) or candidate.lead is not None


def local_operations(
    candidate: Candidate, schedules: Sequence[ScheduleRecord], now: datetime
) -> tuple[Operation, ...] | AskedBack:
    """`generate_operation` by local rules: one match is used, several are listed, none is reported."""
    hits = find(schedules, candidate, now)
    nameless = not (candidate.spans or candidate.old_description or candidate.ids)
    if nameless:
        ahead = [each for each in schedules if upcoming(each.plan, now) is not None]
        hits = ahead
    if not hits:
        return missing(candidate)
    parts = names_in(candidate, schedules) if not candidate.ids else ()
    if len(parts) > 1:
        return _each_named(parts, schedules, now)
    if candidate.every and candidate.intent == "delete" and not nameless:
        return tuple(Operation("delete", each.id) for each in hits)
    if candidate.every and candidate.ids and candidate.intent == "edit" and _changes(candidate):
        return tuple(Operation("edit", each.id, candidate.new_time) for each in hits)
    if len(hits) > 1 or (nameless and candidate.intent == "delete"):
        shown = hits[: words.LONGEST_LIST]
        return AskedBack(words.which(shown, candidate.intent, now), tuple(each.id for each in shown))
    if candidate.intent == "edit" and not _changes(candidate):
        return unchanged(hits, candidate)
    kind = candidate.intent if candidate.intent != "add" else "edit"
    return (Operation(kind, hits[0].id, candidate.new_time, candidate.new_description),)


def _each_named(
    parts: Sequence[Candidate], schedules: Sequence[ScheduleRecord], now: datetime
) -> tuple[Operation, ...] | AskedBack:
    """Operations on several named schedules: all of them, or a question."""
    kind = parts[0].intent if parts[0].intent != "add" else "edit"
    chosen: dict[int, Operation] = {}
    for part in parts:
        found = find(schedules, part, now)
        if not found:
            return missing(part)
        if len(found) > 1 and not part.every:
            return AskedBack(f"「{part.old_description}」有{len(found)}个，还没动，分开说是哪天的吧")
        for each in found:
            chosen[each.id] = Operation(kind, each.id, part.new_time, part.new_description)
    if kind == "edit" and not _changes(parts[0]):
        return unchanged([each for each in schedules if each.id in chosen], parts[0])
    return tuple(chosen.values())


def missing(candidate: Candidate) -> AskedBack:
    """Reply "not found"."""
    if not candidate.nameable:
        return AskedBack(words.UNCLEAR_WHICH.format(verb=words.VERBS[candidate.intent]))
    named = f"「{candidate.old_description}」" if candidate.old_description else ""
    return AskedBack(words.NOTHING_FOUND.format(verb=words.VERBS[candidate.intent], what=named))


def unchanged(schedules: Sequence[ScheduleRecord], candidate: Candidate) -> AskedBack:
    """Reply "no change"."""
    what = schedules[0].description if schedules else candidate.old_description
    return AskedBack(words.NO_CHANGE.format(what=what), tuple(each.id for each in schedules[:1]))


def as_it_is(schedule: ScheduleRecord, candidate: Candidate, now: datetime) -> AskedBack:
    """Reply where an edit says what is kept already (算了还是周五, of Friday): the question for it ends."""
    if not _changes(candidate):
        return unchanged([schedule], candidate)
    when = words.plan_time(schedule.plan, now)
    return AskedBack(words.AS_IT_IS.format(what=schedule.description, when=when))


def one_of_many(
    candidate: Candidate, meant: Sequence[ScheduleRecord], said: SaidTime | None, now: datetime
) -> AskedBack | None:
    """Question if a weekday or clock may mean a whole series (周四的例会). A series is deleted only after an
    explicit yes."""
    if candidate.intent == "delete" and not candidate.once:
        return whole_series(meant, now)
    named = said if candidate.spans else None
    if candidate.intent == "query" or named is None or named.recurring or candidate.once:
        return None
    if candidate.when is not None and candidate.when.recurrence is not None:
        return None
    for each in meant:
        if each.plan.recurrence is None:
            continue
        values = {"what": each.description, "when": words.plan_time(each.plan, now)}
        moves = candidate.when is not None or candidate.shift
        if moves and not named.weekday:
            return AskedBack(words.SERIES.format(**values))
    return None


def whole_series(meant: Sequence[ScheduleRecord], now: datetime) -> AskedBack | None:
    """Question before the deletion of a series; None if none recurs."""
    series = [each for each in meant if each.plan.recurrence is not None]
    if not series:
        return None
    ids = tuple(each.id for each in meant)
    if len(meant) == 1:
        values = {"what": series[0].description, "when": words.plan_time(series[0].plan, now)}
        return AskedBack(words.DELETES_SERIES.format(**values), ids, whole=True)
    return AskedBack(words.deletes_together(meant, now), ids, whole=True, together=True)


def planned(
    operations: Sequence[Operation],
    candidate: Candidate,
    schedules: Sequence[ScheduleRecord],
    now: datetime,
    allowed: Callable[[ScheduleRecord], bool],
) -> Planned | AskedBack:
    """Result of operations, all or none: permissions, times, recurrences."""
    by_id = {each.id: each for each in schedules}
    chosen = tuple(by_id[each.id] for each in operations)
    if candidate.intent == "query":
        return Planned(chosen)
    for each in chosen:
        if not allowed(each):
            return AskedBack(words.not_allowed(each, candidate.intent))
    plans: list[SchedulePlan | None] = []
    added: list[SchedulePlan | None] = []
    for schedule, operation in zip(chosen, operations, strict=True):
        found = _one_time(schedule, candidate, operation, now)
        if found is None:
            plan = edited(schedule, candidate, operation, now) if candidate.intent == "edit" else None
            found = plan if isinstance(plan, AskedBack) else (plan, None)
        if isinstance(found, AskedBack):
            return found
        plans.append(found[0])
        added.append(found[1])
    if all(plan == each.plan for plan, each in zip(plans, chosen, strict=True)):
        return as_it_is(chosen[0], candidate, now)
    return Planned(chosen, tuple(plans), tuple(added))


def _one_time(
    schedule: ScheduleRecord, candidate: Candidate, operation: Operation, now: datetime
) -> tuple[SchedulePlan, SchedulePlan | None] | AskedBack | None:
    """Plan without the occurrence, and the occurrence's new plan; None if the whole series is meant."""
    plan = schedule.plan
    renewed = candidate.when is not None and candidate.when.recurrence is not None
    if not candidate.once or plan.recurrence is None or renewed:
        return None
    times = single.meant(candidate, schedule, now)
    rest = single.left_out(plan, times)
    open_day = len(candidate.spans) > 1 and len(times) > 1 and not candidate.listed  # 下周四 on a Sunday
    if candidate.intent == "delete" and not open_day:
        if times:
            return rest, None
        values = {"what": schedule.description, "when": words.plan_time(plan, now)}
        return AskedBack(words.DELETES_SERIES.format(**values), (schedule.id,), whole=True)
    if len(times) != 1:
        verb = words.VERBS[candidate.intent]
        when = words.plan_time(plan, now)
        return AskedBack(words.WHICH_OF_SERIES.format(what=schedule.description, when=when, verb=verb))
    own = single.alone(plan, times[0])
    new = edited(replace(schedule, plan=own), candidate, operation, now)
    if isinstance(new, AskedBack):
        return new
    return as_it_is(schedule, candidate, now) if new == own else (rest, new)


def _with_leads(plan: SchedulePlan, lead: int, candidate: Candidate) -> SchedulePlan:
    """Plan with the leads of a candidate, beside its own where that is said; a plan without a lead of its own
    keeps the usual one."""
    if not candidate.also_leads:
        return replace(plan, lead_minutes=lead, further_leads=candidate.further_leads)
    own = plan.lead_minutes
    leads = {lead, *candidate.further_leads, *plan.further_leads, *(() if own is None else (own,))}
    first, *further = sorted(leads, reverse=True)
    if own is None:
        return replace(plan, further_leads=(first, *further))
    return replace(plan, lead_minutes=first, further_leads=tuple(further))


def edited(
    schedule: ScheduleRecord, candidate: Candidate, operation: Operation, now: datetime
) -> SchedulePlan | AskedBack:
    """Plan after an operation. The grammar's reading of a time precedes a model's."""
    plan = schedule.plan
    part = another_part(candidate.old_description, plan.description) if candidate.new_description else ""
    if part:
        return AskedBack(words.NO_PART.format(what=plan.description, part=part), (schedule.id,))
    said = candidate.new_description
    if is_quantity(said) and not (said := recounted(plan.description, said)):
        return AskedBack(words.NO_CHANGE.format(what=plan.description), (schedule.id,))
    renamed = taken_over(plan.description, said) if said else ""
    described = "" if is_quantity(operation.description) else operation.description
    description = renamed or described or plan.description
    place = candidate.place or plan.place
    if candidate.place and not plan.place and not renamed and (met := met_at(description, candidate.place)):
        description, place = met, plan.place
    changed = replace(plan, description=" ".join(description.split())[:200], place=place)
    if candidate.lead is not None:
        changed = _with_leads(changed, candidate.lead, candidate)
    if candidate.problem is not None:
        return AskedBack(words.doubt(candidate.problem, now))
    if candidate.begins:
        return _begun_on(changed, date.fromisoformat(candidate.begins), now)
    if candidate.ends:
        return replace(changed, until=candidate.ends) if plan.recurrence is not None else changed
    old = kept_at(plan, now)
    rhythm = with_rhythm(schedule, candidate, now)
    if rhythm is not None:
        return replace(changed, recurrence=rhythm.recurrence, until=rhythm.until or None)
    if (candidate.lasts or candidate.longer) and (wrong := _no_length(plan, old, candidate)):
        return wrong
    new = _new_time(old, candidate, operation)
    if candidate.when is not None and candidate.when.closes == "surely":
        if old.segment:
            return AskedBack(words.NO_BEGINNING.format(what=plan.description))
        if new is not None and _lasts(new) > _LONGEST:
            return AskedBack(words.ENDS_TOO_LATE.format(what=plan.description, end=new.end[11:16]))
    if new is None or _is_same(new, old):
        return changed
    if plan.recurrence is not None and candidate.when is not None and candidate.when.recurrence is not None:
        new = _of_the_series(old, candidate.when)
    elif plan.recurrence is not None:
        if new.start[:10] != old.start[:10]:
            when = words.plan_time(plan, now)
            return AskedBack(words.SERIES.format(what=plan.description, when=when))
        new = replace(new, recurrence=plan.recurrence, until=plan.until or "")
    begun = new.start == old.start and bool(new.end) and new.end > now.strftime(WALL)  # 延长到12点, at eleven
    if is_past(new, now) and not begun:
        return AskedBack(f"{words.when_text(new, now)}已经过了，没改。{words.WHICH_TIME}")
    return replace(
        changed,
        start=new.start,
        zone=str(now.tzinfo),
        end=new.end or None,
        segment=new.segment or None,
        recurrence=new.recurrence,
        until=new.until or None,
    )


def _is_same(new: CandidateTime, old: CandidateTime) -> bool:
    return (new.start, new.end, new.segment, new.recurrence) == (
        old.start,
        old.end,
        old.segment,
        old.recurrence,
    )


def _of_the_series(old: CandidateTime, new: CandidateTime) -> CandidateTime:
    """Series with new days (打球改到每周五); other values stay: clock, duration, last day, exceptions."""
    begins = datetime.strptime(new.start, WALL)
    kept = datetime.strptime(old.start, WALL)
    if not new.clocked:
        begins = datetime.combine(begins.date(), kept.time())
    segment = new.segment if new.clocked else old.segment
    end = new.end
    if not end and old.end and segment == old.segment:
        end = wall(begins + (datetime.strptime(old.end, WALL) - kept))
    without = (old.recurrence or {}).get("without")
    recurrence = {**({"without": without} if without else {}), **(new.recurrence or {})}
    until = new.until or old.until
    return replace(new, start=wall(begins), end=end, segment=segment, recurrence=recurrence, until=until)


def _begun_on(plan: SchedulePlan, day: date, now: datetime) -> SchedulePlan | AskedBack:
    """Series from its first occurrence on or after a day; a single plan is moved to that day."""
    old = plan.begins
    at = datetime.combine(day, old.time(), old.tzinfo)
    if plan.recurrence is None:
        first: datetime | None = at
    elif at > old:
        first = next(begins(plan, at - timedelta(seconds=1)), None)
    else:
        first = next(begins(replace(plan, start=wall(at))), None)
    if first is None:
        return AskedBack(words.SERIES.format(what=plan.description, when=words.plan_time(plan, now)))
    ends = plan.ends
    end = None if ends is None else wall(first + (ends - old))
    return replace(plan, start=wall(first), end=end)


def with_rhythm(schedule: ScheduleRecord, candidate: Candidate, now: datetime) -> CandidateTime | None:
    """Time of a schedule of which only the frequency changes (改成每两周); None for any other change."""
    rhythm, plan = _only_how_often(candidate), schedule.plan
    if rhythm is None or candidate.when is None:
        return None
    rule = plan.recurrence if (plan.recurrence or {}).get("freq") == rhythm["freq"] else None
    old = kept_at(plan, now)
    return replace(old, recurrence={**(rule or {}), **rhythm}, until=candidate.when.until or old.until)


def _only_how_often(candidate: Candidate) -> dict[str, Any] | None:
    """Frequency alone (改成两周一次), without day or clock."""
    when = candidate.when
    if when is None or when.recurrence is None or (when.clocked and not when.segment):
        return None
    days = when.recurrence.keys() & {"byday", "bymonthday", "bymonth"}
    return None if days or when.recurrence["freq"] not in _BY_DAYS else when.recurrence


_BY_DAYS: Final = frozenset({"daily", "weekly", "monthly", "yearly", "workday"})


def kept_at(plan: SchedulePlan, now: datetime) -> CandidateTime:
    """Time of a plan in the group's current zone."""
    begins = plan.begins.astimezone(now.tzinfo)
    ends = plan.ends
    end = wall(ends.astimezone(now.tzinfo)) if ends is not None else ""
    return CandidateTime(wall(begins), end, plan.segment or "", plan.recurrence, plan.until or "")


_LONGEST: Final = timedelta(hours=16)
"""Longest duration by a new end without a question: 打到八点, start at nine in the evening"""


def _lasts(when: CandidateTime) -> timedelta:
    if not when.end:
        return timedelta(0)
    return datetime.strptime(when.end, WALL) - datetime.strptime(when.start, WALL)


def _no_length(plan: SchedulePlan, old: CandidateTime, candidate: Candidate) -> AskedBack | None:
    """Question about a duration: no start clock, no end to move, or nothing left."""
    if old.segment:
        return AskedBack(words.NO_BEGINNING.format(what=plan.description))
    if candidate.longer and not old.end:
        return AskedBack(words.NO_END.format(what=plan.description))
    if candidate.longer and _lasts(old) + timedelta(minutes=candidate.longer) <= timedelta(0):
        lasts = words.lasting(round(_lasts(old).total_seconds() / 60))
        return AskedBack(words.TOO_SHORT.format(what=plan.description, lasts=lasts))
    return None


def _new_time(old: CandidateTime, candidate: Candidate, operation: Operation) -> CandidateTime | None:
    if candidate.when is not None:
        return joined(old, candidate.when)
    if candidate.lasts:
        end = datetime.strptime(old.start, WALL) + timedelta(minutes=candidate.lasts)
        return replace(old, end=end.strftime(WALL))
    if candidate.longer:
        end = datetime.strptime(old.end, WALL) + timedelta(minutes=candidate.longer)
        return replace(old, end=end.strftime(WALL))
    if candidate.shift:
        by = timedelta(minutes=candidate.shift)
        start = datetime.strptime(old.start, WALL) + by
        end = (datetime.strptime(old.end, WALL) + by).strftime(WALL) if old.end else ""
        segment = "" if candidate.shift % 1440 else old.segment
        return replace(old, start=start.strftime(WALL), end=end, segment=segment)
    if operation.time and operation.time != old.start:
        return joined(old, CandidateTime(operation.time))
    return None
