"""Check of a model's `extract_info` answer against the text (pitfalls 40 to 42). Pure.

If the text has a time, the grammar's reading counts; the model may only choose between am and pm (上午 or
下午). A time not in the form `YYYY-MM-DD HH:MM:SS` is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ....language.clause import Clause
from ....language.recognise.money import find_amounts
from ....language.recognise.times import TimeExpression, names_day
from ....language.schedule_phrases import EVERYBODY, leads_in, split_place
from ....language.text.fold import normalise
from ....language.timing.moved_end import end_moved, last_day_moved
from ....language.timing.own_times import chosen
from ....language.timing.stored_length import kept_length
from ....language.timing.unchanged_parts import without_kept
from ....storage.schedules.records import WALL
from ..candidates.candidate import Candidate, CandidateTime, Intent, Problem, SearchSpan
from ..candidates.moments import joined, readings_of, wall_time, when_of
from ..candidates.reading import candidates, short

_COUNTERS = "个位人桌间份张次名"
_LONGEST_QUANTITY = 6


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """Raw entry of a model's answer."""

    intent: Intent
    need_confirm: bool = False
    old_time: str = ""
    old_description: str = ""
    new_time: str = ""
    new_description: str = ""


def is_said(each: ModelEntry, clause: Clause) -> bool:
    """True if at least half of the characters of each name are in the line or its quote; else the model
    invented it."""
    heard = set(normalise(f"{clause.text} {clause.situation.quoted or ''}").lower())
    heard |= {letter for thing in clause.situation.things for letter in thing.name.lower()}
    for name in (each.new_description, each.old_description):
        letters = [letter for letter in normalise(name).lower() if letter.isalnum()]
        if letters and 2 * sum(letter in heard for letter in letters) < len(letters):
            return False
    return True


def grounded(said: Sequence[ModelEntry], clause: Clause) -> tuple[Candidate, ...]:
    """Candidates of an answer about this clause. A new one without time and description is dropped."""
    said = [
        each for each in said if each.intent != "add" or each.new_time.strip() or each.new_description.strip()
    ]
    adds = [each for each in said if each.intent == "add"]
    readings = [when_of(each, clause.situation.now) for each in clause.times]
    found: list[Candidate] = []
    for each in said:
        if each.intent == "add":
            place_of = adds.index(each)
            found.append(_adding(each, clause, readings, place_of, len(adds)))
        else:
            found.append(_other(each, clause, readings))
    return tuple(found)


def _adding(
    said: ModelEntry, clause: Clause, readings: Sequence[CandidateTime | Problem], index: int, count: int
) -> Candidate:
    local = candidates("add", clause)[0]
    words, place = split_place(short(said.new_description))
    base = replace(
        local,
        need_confirm=said.need_confirm,
        new_description=words or short(said.new_description) or local.new_description,
        place=place or local.place,
        when=None,
        new_time="",
        problem=None,
    )
    when = _chosen(said.new_time, readings, index, count, clause.situation.now)
    if isinstance(when, Problem):
        return replace(base, problem=when)
    missing = None if base.new_description else Problem("no_description")
    return replace(base, when=when, new_time=when.start, problem=missing)


def _chosen(
    time: str, readings: Sequence[CandidateTime | Problem], index: int, count: int, now: datetime
) -> CandidateTime | Problem:
    if not readings:
        return _unheard(time, now) or Problem("no_time")
    exact = _exact(time, readings)
    if exact is not None:
        return exact
    if len(readings) == 1:
        return readings[0]
    if len(readings) == count:
        return readings[index]
    options = tuple(each for each in readings if isinstance(each, CandidateTime))
    return Problem("several", "", "", options) if options else readings[0]


def _exact(time: str, readings: Sequence[CandidateTime | Problem]) -> CandidateTime | None:
    """Reading equal to this time: certain, or one of am and pm."""
    for each in readings:
        if isinstance(each, CandidateTime) and each.start == time:
            return each
    for each in readings:
        if isinstance(each, Problem) and each.doubt == "am_pm":
            for option in each.options:
                if option.start == time:
                    return option
    return None


def _unheard(time: str, now: datetime) -> CandidateTime | None:
    """Time without time words in the text (下班后), if not past."""
    moment = wall_time(time)
    if moment is None or moment < now.replace(tzinfo=None):
        return None
    return CandidateTime(time)


def _other(said: ModelEntry, clause: Clause, readings: Sequence[CandidateTime | Problem]) -> Candidate:
    local = candidates(said.intent, clause)[0]
    base = replace(
        local,
        need_confirm=said.need_confirm,
        old_description=short(said.old_description) or local.old_description,
        new_description=short(said.new_description) if said.intent == "edit" else "",
    )
    if not base.spans:
        base = _spanned(base, said.old_time, clause)
    if said.intent != "edit" or base.when is not None or base.shift:
        return base
    exact = _exact(said.new_time, readings)
    if exact is not None:
        return replace(base, when=exact, new_time=exact.start, problem=None)
    if base.problem is not None or (base.spans and len(readings) > 1):
        return base
    when = _unheard(said.new_time, clause.situation.now) if not readings or base.spans else None
    return replace(base, when=when, new_time=when.start) if when is not None else base


def _spanned(candidate: Candidate, time: str, clause: Clause) -> Candidate:
    """Candidate with the model's search range, if the text has no time."""
    moment = wall_time(time)
    if moment is None or clause.times:
        return candidate
    whole_day = moment.hour == moment.minute == moment.second == 0
    last = moment.replace(hour=23, minute=59) if whole_day else moment
    return replace(candidate, old_time=time, spans=(SearchSpan(time, last.strftime(WALL)),))


def refined(base: Candidate, said: ModelEntry | None, clause: Clause) -> Candidate:
    """Candidate changed by a further line (s3); without a model's answer by that line alone.

    Values not mentioned stay.
    """
    local = candidates("edit", clause)[0]
    now = clause.situation.now
    clause = without_kept(clause) if said is None else clause
    fitted = chosen(clause)[0] if said is None and len(clause.times) > 1 else []
    times = fitted if fitted and fitted[0] not in clause.times else clause.times  # 改上午，十点到十一点
    readings = [_of_base(each, base.when, now) for each in times]
    description = short(said.new_description) if said is not None else local.new_description
    if said is None and _is_quantity(description):
        description = ""  # 人均改100吧, 人数改10个: no field of a card
    changed = replace(
        base,
        need_confirm=False,
        new_description=description or base.new_description,
        place=local.place or base.place,
        shift=0,
    )
    ended = None if base.when is None else _ended(base.when, clause)  # independent of the model
    if ended is not None:
        return _placed(changed, ended)
    leads = leads_in(clause.text, clause.times)
    if leads and base.intent == "add":
        everybody = base.everybody or EVERYBODY.search(clause.text) is not None
        changed = replace(changed, lead=leads[0], further_leads=leads[1:], everybody=everybody)
        if not readings:
            return changed
    if not readings:
        if base.when is not None and local.shift:
            return _placed(changed, _moved_by(base.when, local.shift))
        return changed
    exact = _exact(said.new_time, readings) if said is not None else None
    new = exact or _half_of(readings[-1], base.when)
    if isinstance(new, Problem):
        return replace(changed, problem=new)
    return _placed(changed, joined(base.when, new) if base.when is not None else new)


def _ended(base: CandidateTime, clause: Clause) -> CandidateTime | None:
    """Time with a new end or duration (打到九点, 再加半小时, 延到六点; 延到周四 for several days).

    None if the line gives none, or it does not fit the start.
    """
    told = kept_length(clause)
    last_day = last_day_moved(clause)
    if last_day is not None and base.end and base.end[:10] > base.start[:10]:
        first = datetime.strptime(base.start, WALL).date()
        if last_day < first and any(each.weekday_only for each in readings_of(clause.times[-1])):
            last_day += timedelta(days=(first - last_day).days // 7 * 7 + 7)  # 周四 after the first day
        later = f"{last_day.isoformat()}{base.end[10:]}"
        return replace(base, end=later) if later > base.start else None
    if base.segment or (told is not None and not told.closes):
        return None
    start = datetime.strptime(base.start, WALL)
    if told is not None and told.clock is None:
        last = start + timedelta(minutes=told.lasts)
        if told.longer:
            last = datetime.strptime(base.end, WALL) + timedelta(minutes=told.longer) if base.end else start
        return replace(base, end=last.strftime(WALL)) if last > start else None
    moved, closes = (clause, "surely") if told is not None else end_moved(clause)
    if not closes or not moved.times:
        return None
    readings = readings_of(moved.times[-1])
    new = joined(base, replace(readings[0], closes=closes)) if readings else None
    return new if new is not None and new.start == base.start and new.end else None


def _is_quantity(words: str) -> bool:
    """True for a number, with or without a unit (100, 10个, 八百块): no name."""
    left = words.strip(" 吧啊了左右")
    amounts = find_amounts(left)
    if len(amounts) == 1 and (amounts[0].start, amounts[0].end) == (0, len(left)):
        return True
    return bool(left) and len(left) <= _LONGEST_QUANTITY and left.rstrip(_COUNTERS).isdecimal()


def _placed(candidate: Candidate, when: CandidateTime) -> Candidate:
    missing = None
    if candidate.intent == "add" and not candidate.new_description:
        missing = Problem("no_description")
    return replace(candidate, when=when, new_time=when.start, problem=missing)


def _of_base(said: TimeExpression, base: CandidateTime | None, now: datetime) -> CandidateTime | Problem:
    """Time relative to a dated candidate: a clock without a day is on that day, even if past today."""
    if base is None or said.ambiguous != "am_pm" or names_day(said.text):
        return when_of(said, now)
    return Problem("am_pm", said.text, "", readings_of(said))


def _half_of(reading: CandidateTime | Problem, base: CandidateTime | None) -> CandidateTime | Problem:
    """Reading in the half of the day of the current start: 四点 for 15:00 is 16:00."""
    if base is None or isinstance(reading, CandidateTime) or reading.doubt not in ("am_pm", "which_day"):
        return reading
    if reading.doubt == "which_day":
        return reading if not reading.options or reading.options[0].dated else reading.options[0]
    late = datetime.strptime(base.start, WALL).hour >= 12
    same = [each for each in reading.options if (datetime.strptime(each.start, WALL).hour >= 12) == late]
    return same[0] if same and not base.segment else reading


def _moved_by(base: CandidateTime, minutes: int) -> CandidateTime:
    by = timedelta(minutes=minutes)
    start = (datetime.strptime(base.start, WALL) + by).strftime(WALL)
    end = (datetime.strptime(base.end, WALL) + by).strftime(WALL) if base.end else ""
    return replace(base, start=start, end=end, segment="" if minutes % 1440 else base.segment)
