"""Reader of the schedule agent's frames, for orders, overheard lines and answers to an open question. Pure;
the handler takes the frames and reads nothing again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, cast

from ...language import is_name
from ...language.cards.grammar import Kind
from ...language.cards.triage import triage
from ...language.clause import Clause
from ...language.free_time import FreeQuestion, free_question
from ...language.lines.lookup import question_of
from ...language.recognise.members import matched
from ...language.schedule_phrases import Attendance, attendance, attendance_of_another, signs_up
from ...language.timing.days_asked import days_asked
from ...language.timing.own_times import guessed
from ...language.timing.series import times_listed
from ...patterns import Pattern
from ...storage.records import FrameRecord
from ...storage.schedules.records import WALL
from ..api.frame import NOTHING_READ, AgentFrame, Span
from ..api.questions import answered_with_more
from ..routing import begins_now
from .answering import chosen, corrected_draft, fill, filled_with_more, left_to_delete, limited, offer_picked
from .candidates.candidate import INTENTS, Candidate, intent_named, loaded, usable
from .candidates.moments import moved
from .candidates.reading import candidates, clause_of, settled
from .frames import CHOOSING, CONFIRMING, FILLING, OFFERING, STAGE, ReplyFrame, SaidTime, ScheduleFrame
from .overhearing import overhears, plans

BATCH: Final = "_batch"
_WEEKDAY: Final = Pattern("(?:周|星期|礼拜)[一二三四五六日天]")
"""周五的周会改到五点 is the series; 今天的 and 下周五的 one occurrence"""
_TIMES: Final = ("new_time", "old_time", "end", "old_end", "segment", "recurrence")


def read(intent: str, clause: Clause) -> AgentFrame:
    """Frame of a clause."""
    if intent not in INTENTS:
        return NOTHING_READ
    if clause.lines:
        return _of_lines(clause)
    asked = settled(intent_named(intent), clause)
    planned = plans(clause) if not clause.situation.addressed and overhears(clause) else ()
    free = free_question(clause) if asked == "query" else None
    if free is not None:
        return _free_frame(free, clause)
    wish = _attendance(clause) if asked != "query" else None
    if wish is None and asked == "edit" and not clause.times:
        wish = attendance_of_another(clause.text, (one.name for one in clause.situation.members))
    if wish is None and asked == "edit":
        wish = signs_up(clause.text, (one.name for one in clause.situation.members))
    if wish is not None:
        wish = _with_others(wish, clause)
        return ScheduleFrame(asked, (), wish, _attended(wish, clause), planned, said_time(clause))
    found = candidates(asked, clause)
    days = days_asked(clause) if asked == "query" else None
    if days is not None:
        found = tuple(replace(each, old_description="") for each in found)
    slots = _slots(found[0], clause)
    if len(found) > 1:
        slots = {**slots, "more": [each.slots() for each in found[1:]]}
    made_up = asked == "add" and guessed(clause)
    question = question_of(clause.text, clause.times) if asked == "query" else None
    frame = ScheduleFrame(
        asked, found, None, None, planned, said_time(clause), made_up, slots, _spans(slots, clause), days
    )
    return replace(frame, asks_place=question is not None and question.want == "place")


def _free_frame(question: FreeQuestion, clause: Clause) -> ScheduleFrame:
    """Frame of a question about free time; its days are in the slots of any query."""
    asked = candidates("query", clause)[0].slots()
    slots = {**{name: asked[name] for name in ("old_time", "old_end") if name in asked}, **question.slots()}
    return ScheduleFrame(
        "query", free=question, time=said_time(clause), slots=slots, spans=_spans(slots, clause)
    )


def _attendance(clause: Clause) -> Attendance | None:
    """Attendance by rules, else by the classifier's act."""
    found = attendance(clause.text.strip())
    if found is None and clause.act in ("schedule.join", "schedule.leave"):
        return Attendance(clause.act == "schedule.join", clause.words("ref"))
    return found


_MOST_OF_A_TEXT: Final = 10
"""Most items of a card"""


def _of_lines(clause: Clause) -> ScheduleFrame:
    """Plans of a pasted text, without past ones or bare times."""
    found = [each for line in clause.lines for each in candidates("add", line)]
    kept = [each for each in found if each.problem is None and usable(each)]
    return ScheduleFrame("add", tuple(kept[:_MOST_OF_A_TEXT]), card=True)


def replies(frame: FrameRecord, clause: Clause) -> AgentFrame:
    """Frame of a line after an open question."""
    stage, time = frame.slots.get(STAGE), said_time(clause)
    less = limited(frame, clause)
    if less is not None:
        return ReplyFrame(limits=True, left=left_to_delete(frame, clause, less), time=time)
    if stage == CONFIRMING:
        kept: object = frame.slots.get(BATCH)
        items = cast("Mapping[str, Any]", kept).get("items", ()) if isinstance(kept, Mapping) else ()
        leaves = triage(clause.text, max(len(items), 1)).kind is Kind.EXIT
        return ReplyFrame(leaves=leaves, planned=plans(clause) if overhears(clause) else (), time=time)
    if stage == FILLING:
        found, place = loaded(frame.slots.get("_candidates")), frame.slots.get("_place")
        if not isinstance(place, int) or not 0 <= place < len(found):
            return ReplyFrame(time=time)
        if (draft := corrected_draft(frame, clause)) is not None:
            return ReplyFrame(filled=draft, time=time)
        more, now = answered_with_more(frame, clause), clause.situation.now
        if more is None or found[place].problem is None or frame.slots.get("_doubt") == "no_description":
            several = bool(times_listed(clause))
            return ReplyFrame(filled=fill(found[place], clause, now), several=several, time=time)
        filled = filled_with_more(found[place], more, now)
        return ReplyFrame(filled=filled, comes=_who_comes(more.comes, clause), unkept=more.notes, time=time)
    if stage == OFFERING:
        return ReplyFrame(offer=offer_picked(frame, clause), time=time)
    if stage == CHOOSING:
        said, places = chosen(frame, clause)
        return ReplyFrame(picked=places, part=not said.exact, unsure=said.half, time=time)
    return read(frame.intent, clause)


def _who_comes(names: Sequence[str], clause: Clause) -> Attendance | None:
    """Participants named beside a new schedule; None if none."""
    if not names:
        return None
    known = [(name, matched(name, clause.situation.members)) for name in names]
    others = tuple(found[0] for _, found in known if len(found) == 1)
    unknown = tuple(name for name, found in known if len(found) != 1)
    return Attendance(True, others=others, unknown=unknown, speaker=False)


def said_time(clause: Clause) -> SaidTime | None:
    """Form of the first time in the clause."""
    if not clause.times:
        return None
    first = clause.times[0]
    return SaidTime(first.recurrence is not None, _WEEKDAY.match(first.text) is not None)


def _with_others(wish: Attendance, clause: Clause) -> Attendance:
    """Attendance with other members: @阿凯 @小雅 参加; 我和小李都报名."""
    wish = replace(wish, nameable=is_name(wish.what, clause.text))
    where = clause.situation
    if not wish.joins or not (where.mentions or wish.unknown):
        return wish
    known = [(name, matched(name, (*where.mentions, *where.members))) for name in wish.unknown]
    named = [found[0] for _, found in known if len(found) == 1]
    others = {one.user_id: one for one in (*where.mentions, *named)}
    return replace(
        wish,
        others=tuple(others.values()),
        unknown=tuple(name for name, found in known if len(found) != 1),
        speaker="我" in clause.text,
    )


def _attended(wish: Attendance, clause: Clause) -> Candidate | None:
    named = clause_of(wish.what, clause.situation)
    return candidates("query", named)[0] if named.times else None


def _slots(found: Candidate, clause: Clause) -> Mapping[str, Any]:
    at = _moved_to(found, clause) if found.intent == "edit" else None
    return found.slots() if at is None else {**found.slots(), "new_time": at.strftime(WALL)}


def _moved_to(found: Candidate, clause: Clause) -> datetime | None:
    """New start of an edited schedule, if its current one is known: 推到29号 keeps its clock."""
    when = found.when
    partly = when is not None and not (when.dated and when.clocked) and when.recurrence is None
    at = begins_now(clause) if found.shift or partly else None
    if at is None:
        return None
    return at + timedelta(minutes=found.shift) if when is None else moved(at, when)


def _spans(slots: Mapping[str, Any], clause: Clause) -> Mapping[str, Span]:
    """Spans of the slots; the old time is the first one, the new time the last."""
    found: dict[str, Span] = {}
    for name, value in slots.items():
        if name in _TIMES:
            if clause.times:
                old = name.startswith("old") or slots.get("old_time") is None
                found[name] = clause.times[0 if old else -1].span
        elif isinstance(value, str) and (at := clause.text.find(value)) >= 0:
            found[name] = (at, at + len(value))
    return found
