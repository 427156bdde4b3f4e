"""Reader of the task agent's frames, for orders and for answers to an open question. Pure; the handler takes
the frames and reads nothing again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Final

from ...language import words_of
from ...language.clause import Clause
from ...language.clauses.shared_out import Portion, shared_out
from ...language.following.conditions import unwatchable
from ...language.following.until_done import until_done
from ...language.recognise.handing import handing, without_handing
from ...language.recognise.members import as_own, asked_about, asks_of_all, for_whom
from ...language.recognise.times import parse
from ...language.timing.moved_end import Closes, end_moved
from ...language.timing.own_times import guessed, tells_half
from ...language.timing.reminder_leads import ahead_in, minutes_of
from ...language.timing.series import stretches, takes_whole
from ...patterns import Pattern
from ...storage.records import FrameRecord
from ..api.frame import AgentFrame
from ..routing import begins_now
from . import words
from .frames import Change, Creation, Draft, TaskFrame, TaskReference, TaskReply
from .planning.listed import items_of
from .planning.new_task import (
    REMINDING,
    assignee_of,
    description_of,
    priority_in,
    time_slots,
    title_of,
    wish_of,
)
from .planning.open_end import answers
from .planning.policy import asked_kind
from .planning.references import change, names_one_day, one_day, target
from .planning.several import more_times, of_another
from .planning.task_time import Wish, raw_slots, until_stopped
from .queries import asked, query_of, query_slots

_NAMES_A_TASK: Final = Pattern("任务|待办|提醒|闹钟")
_LONGEST_QUOTE: Final = 200


def read(intent: str, clause: Clause) -> AgentFrame:
    """Frame of a clause; its slots have the tools' parameter names."""
    if intent == "create_task":
        return _creating(clause)
    if intent == "query_tasks":
        query = asked(query_of(clause), clause.text)
        query = replace(query, of_all=asks_of_all(clause.text) and not clause.situation.private)
        return TaskFrame(query=query, whose=asked_about(clause), slots=query_slots(clause))
    closes: Closes = ""
    over = handing(clause) if intent == "update_task" else None
    clause = clause if over is None else without_handing(clause, over)
    if intent == "update_task":
        clause, closes = end_moved(clause)
    meant = _quoted(target(intent, clause), clause)
    wanted = change(clause) if intent == "update_task" else Change()
    wanted = replace(wanted, wish=replace(wanted.wish, closes=closes), handing=over)
    slots = {"reference": meant.as_json(), **(_changing(wanted, clause) if intent == "update_task" else {})}
    never = _weekdays_off(clause) if intent == "delete_task" else ()
    if never:
        meant = replace(meant, days=None)
    return TaskFrame(
        reference=meant,
        weekdays_off=never,
        change=wanted,
        one_day=one_day(clause) if intent == "update_task" else names_one_day(clause),
        days_off=_days_off(clause) if intent == "delete_task" else (),
        slots={k: v for k, v in slots.items() if v},
    )


def replies(frame: FrameRecord, clause: Clause) -> AgentFrame:
    """Frame of a line after an open question: the answer, and the order it completes."""
    kind = asked_kind(frame.slots)
    if not kind:
        return read(frame.intent, clause)
    order = TaskFrame()
    if kind == "free":
        found = read(str(frame.slots.get("_intent") or frame.intent), whole(frame, clause))
        order = found if isinstance(found, TaskFrame) else order
    elif kind == "what":
        order = TaskFrame(change=change(clause))  # a clock without a day is on the task's own day
    return TaskReply(answers(frame, clause), order)


def whole(frame: FrameRecord | None, clause: Clause) -> Clause:
    """Clause with the first words of an open task, so that their time is known."""
    if frame is None:
        return clause
    situation = clause.situation
    text = f"{frame.text}，{clause.text}"
    return Clause(text, situation, tuple(parse(text, situation.now, situation.zone)))


def draft_in(clause: Clause) -> Draft:
    """Draft of a new task in a clause."""
    assignee = assignee_of(clause)
    return Draft(
        title=title_of(clause)[:100],
        wish=wish_of(clause),
        priority=priority_in(clause.text),
        description=description_of(clause),
        assignee=assignee,
        assignee_name=next((one.name for one in clause.situation.mentions if one.user_id == assignee), ""),
    )


def _sharing_out(portions: Sequence[Portion]) -> TaskFrame:
    """Frame of work that is shared out: a task each."""
    drafts = [
        replace(
            draft_in(each.order),
            assignee=None if each.member is None else each.member.user_id,
            assignee_name="" if each.member is None else each.member.name,
        )
        for each in portions
    ]
    first, *others = drafts
    more = tuple(of_another(first, each) for each in others)
    slots = {
        "title": first.title,
        **raw_slots(first.wish),
        "assignee": first.assignee,
        "more": [*map(dict, more)],
    }
    made = Creation(first, more=more, plain=True)
    return TaskFrame(made, slots={name: value for name, value in slots.items() if value})


def _creating(clause: Clause) -> TaskFrame:
    if portions := shared_out(clause):
        return _sharing_out(portions)
    waits = unwatchable(clause)
    clause = clause if waits is None else waits.order
    insists = until_done(clause) if waits is None else None
    clause = clause if insists is None else insists.order
    person = for_whom(clause)
    own = clause if person is None else as_own(clause, person)
    draft = draft_in(own)
    if insists is not None:
        draft = replace(draft, wish=until_stopped(draft.wish, insists.rhythm))
    if waits is not None:
        title = draft.title if waits.titled else ""
        wish = replace(draft.wish, reminded=True) if own.times else Wish(reminded=True)
        draft = replace(draft, title=title or words.AWAITED.format(event=waits.event)[:100], wish=wish)
    member = person.member if person is not None else None
    items = tuple(each for one in items_of(own) if (each := draft_in(one)).title)
    more = tuple(more_times(own)) if len(own.times) > 1 and not items else ()
    slots = {
        "title": draft.title,
        **time_slots(draft.wish, own),
        "priority": draft.priority,
        "description": draft.description,
        "assignee": member.user_id if member is not None else None,
        "more": [dict(one) for one in more],
        "items": [{"title": one.title, **raw_slots(one.wish)} for one in items],
    }
    calls = REMINDING.search(own.text) is not None
    made = Creation(
        draft,
        person,
        more,
        items=items,
        crowd=len(own.situation.mentions) > 1 and "我" not in own.text,
        plain=not clause.act
        and (bool(items) or (bool(own.times) and (calls or _NAMES_A_TASK.search(own.text) is not None))),
        ahead=ahead_in(own.text, own.times),
        guessed=(draft.wish.reminded or tells_half(own)) and guessed(own),
        unwatched=None if waits is None else waits.kind,
    )
    return TaskFrame(made, slots={name: value for name, value in slots.items() if value})


_PAUSES: Final = ("停", "暂停", "先停", "停一停", "跳过", "停掉")


def _paused(clause: Clause) -> int:
    """Pause in days: 先停一周, 暂停三天; 0 if none."""
    tokens = words_of(clause.text, clause.times)
    for one, length in pairwise(tokens):
        if clause.text[one.start : one.end] in _PAUSES and "length" in length.classes:
            return (minutes_of(clause.text[length.start : length.end]) or 0) // _DAY
    return 0


_DAY: Final = 1440
_WEEKEND: Final = ("SA", "SU")
_WEEKENDS: Final = ("周末", "双休")
_THIS_ONE: Final = ("这周末", "这个周末", "本周末", "下周末", "下个周末", "这双休日")


def _weekdays_off(clause: Clause) -> tuple[str, ...]:
    """Weekdays removed for good: 周末就不用了, 每周五不用提醒; empty for a single day."""
    said = next((one.recurrence for one in clause.times if one.recurrence is not None), None)
    if said is not None and said.freq == "weekly" and said.interval == 1 and len(clause.times) == 1:
        return said.byday if "不" in clause.text or "别" in clause.text else ()
    weekend = any(word in clause.text for word in _WEEKENDS)
    return _WEEKEND if weekend and not any(word in clause.text for word in _THIS_ONE) else ()


def _days_off(clause: Clause) -> tuple[tuple[date, date], ...]:
    paused = _paused(clause)
    if paused:
        return ((clause.situation.now.date(), clause.situation.now.date() + timedelta(days=paused - 1)),)
    if takes_whole(clause.text, clause.times):
        return ()
    return stretches(clause.times, clause.situation.now.date())


def _quoted(meant: TaskReference, clause: Clause) -> TaskReference:
    """Quoted message as the reference of 这个 or of no words."""
    quoted = (clause.situation.quoted or "").strip()
    if not quoted or meant.positions or not (meant.this or meant.empty):
        return meant
    return TaskReference(words=quoted.removeprefix("提醒：")[:_LONGEST_QUOTE])


def _changing(wanted: Change, clause: Clause) -> Mapping[str, Any]:
    found = {
        **raw_slots(wanted.wish),
        "title": wanted.title,
        "priority": wanted.priority,
        "description": wanted.description,
        "shiftMinutes": wanted.shift,
        "leads": list(wanted.leads),
        "beside": wanted.beside,
        "assignee": wanted.handing.named if wanted.handing is not None else None,
    }
    at = begins_now(clause) if wanted.shift else None
    if at is None:
        return found
    at += timedelta(minutes=wanted.shift or 0)
    return {**found, "dueDate": f"{at:%Y-%m-%d}", "startTime": f"{at:%H:%M}"}
