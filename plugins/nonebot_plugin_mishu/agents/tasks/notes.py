"""Notes of a task's frame between two lines, and results of the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, cast

from ...language.clause import Mention
from ...language.match import AnswerMatch
from ...storage.records import FrameRecord
from ..api.dispatch import TaskDispatch, TaskResult, TaskStatus
from ..api.task_context import TaskContext
from .frames import DAYS, Change, Draft, Handing
from .model.calls import Result, task_json
from .planning import assignees
from .planning.policy import ASKED, TaskQuestion
from .planning.task_time import Wish, raw_slots
from .slot_times import priority_told, retimed

_TIMES = ("dueDate", "startTime", "endTime", "timeSegment", "remindAt")


def wish_in(bound: AnswerMatch, wish: Wish, context: TaskContext) -> Wish:
    """Time after an answer: our own reading, else the slots of a model."""
    where = context.clause.situation
    if "_time" in bound.slots:
        return Wish.from_json(bound.slots["_time"], where.zone)
    return retimed(wish, bound.slots, where)


def corrected(draft: Draft, bound: AnswerMatch, context: TaskContext) -> Draft:
    """Draft corrected by an answer."""
    return replace(
        draft,
        title=str(bound.slots.get("title") or draft.title)[:100],
        wish=wish_in(bound, draft.wish, context),
        description=draft.description or bound.slots.get("description"),
        priority=priority_told(bound.slots) or draft.priority,
    )


def tells_of_draft(bound: AnswerMatch) -> bool:
    """True if an answer has a value for the draft, beside times only a model named."""
    return not bound.slots.keys().isdisjoint(("_time", "title", "description", "priority"))


def rewished(wanted: Change, bound: AnswerMatch, context: TaskContext) -> Change:
    """Change with the time of an answer."""
    wish = wish_in(bound, wanted.wish, context)
    return wanted if wish == wanted.wish else replace(wanted, wish=wish, shift=None)


def names_somebody(bound: AnswerMatch) -> bool:
    """True if an answer names an assignee or accepts the speaker."""
    return bound.relation == "confirm" or any(name in bound.slots for name in ("_assigneeName", "_mine"))


def draft_notes(draft: Draft, allowed: frozenset[str]) -> dict[str, Any]:
    """Draft as slots and notes, restorable after a restart."""
    found: dict[str, Any] = {
        "title": draft.title,
        "priority": draft.priority,
        "description": draft.description,
        "assignee": draft.assignee,
        "_assigneeName": draft.assignee_name,
    }
    found = {name: value for name, value in found.items() if value}
    times: dict[str, Any] = {name: None for name in _TIMES}
    return {
        **times,
        **found,
        **raw_slots(draft.wish),
        "_time": draft.wish.as_json(),
        "_allowed": sorted(allowed),
    }


def draft_of(notes: Mapping[str, Any], context: TaskContext) -> Draft:
    """Draft from its notes."""
    zone = context.clause.situation.zone
    return Draft(
        title=str(notes.get("title") or ""),
        wish=Wish.from_json(notes.get("_time") or {}, zone),
        priority=notes.get("priority"),
        description=notes.get("description"),
        assignee=notes.get("assignee"),
        assignee_name=str(notes.get("_assigneeName") or ""),
    )


def change_json(wanted: Change) -> dict[str, Any]:
    """Change as JSON for the frame's notes."""
    found = {
        "wish": wanted.wish.as_json(),
        "shift": wanted.shift,
        "title": wanted.title,
        "priority": wanted.priority,
        "description": wanted.description,
        "leads": list(wanted.leads),
        "beside": wanted.beside,
        "handing": _handing_json(wanted.handing),
        "until": wanted.until.isoformat() if wanted.until is not None else None,
    }
    return {name: value for name, value in found.items() if value}


def _handing_json(found: Handing | None) -> dict[str, Any] | None:
    if found is None:
        return None
    people = [[one.user_id, one.name] for one in found.among]
    return {"named": found.named, "among": people, "own": found.own}


def _handing_from(values: Mapping[str, Any] | None) -> Handing | None:
    if not values:
        return None
    people = tuple(Mention(*one) for one in cast("list[list[str]]", values.get("among") or []))
    return Handing(str(values.get("named") or ""), people, (0, 0), own=bool(values.get("own")))


def change_from(values: Mapping[str, Any], context: TaskContext) -> Change:
    """Change from its JSON."""
    zone = context.clause.situation.zone
    wish = Wish.from_json(values.get("wish") or {}, zone)
    return Change(
        wish,
        values.get("shift"),
        values.get("title"),
        values.get("priority"),
        values.get("description"),
        tuple(values.get("leads") or ()),
        beside=bool(values.get("beside")),
        handing=_handing_from(values.get("handing")),
        until=date.fromisoformat(values["until"]) if values.get("until") else None,
    )


def days_note(stretches: Sequence[tuple[date, date]]) -> dict[str, Any]:
    """Skipped days of a recurring task, for the frame's notes."""
    return {"_daysOff": [[first.isoformat(), last.isoformat()] for first, last in stretches]}


def days_kept(frame: FrameRecord) -> tuple[tuple[date, date], ...]:
    """Skipped days from the frame's notes."""
    kept = cast("list[list[str]]", frame.slots.get("_daysOff") or [])
    return tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in kept)


def days_in(bound: AnswerMatch) -> tuple[tuple[date, date], ...]:
    """Days named in an answer to 要删除…吗."""
    kept = cast("list[list[str]]", bound.slots.get(DAYS) or [])
    return tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in kept)


def asking(dispatch: TaskDispatch, ask: TaskQuestion, notes: Mapping[str, Any]) -> TaskResult:
    """Result with a question and the notes for its answer."""
    kept = {name: value for name, value in notes.items() if name not in (ASKED, "_offer")}
    update: dict[str, Any] = {**kept, ASKED: ask.kind, "_offer": ask.offer}
    return TaskResult(dispatch.task_id, "awaiting_user", update, (ask.slot,), None, ask.question)


def asked_again(
    dispatch: TaskDispatch, context: TaskContext, notes: Mapping[str, Any], said: str = ""
) -> TaskResult:
    """Open question asked again with updated notes; `said` goes before it."""
    assert context.open is not None
    question = str(notes.get("_question") or context.open.question or "")
    update = {name: value for name, value in notes.items() if name != "_question"}
    slots = {**update, "_question": question}
    asked = "\n".join(one for one in (said, question) if one)
    return TaskResult(
        dispatch.task_id, "awaiting_user", slots, tuple(context.open.missing_slots), None, asked
    )


def joined(results: Sequence[Result]) -> Result:
    """Results of several calls of one order, joined."""
    if len(results) == 1:
        return results[0]
    kind = "done" if any(one.kind == "done" for one in results) else results[0].kind
    tasks = tuple(task for one in results for task in one.tasks)
    return Result(kind, "\n".join(one.said for one in results), tasks)


def ended(dispatch: TaskDispatch, result: Result) -> TaskResult:
    """Final result after the last call."""
    status: TaskStatus = "canceled" if result.kind == "refused" else "completed"
    ids = [task.id for task in result.tasks] if result.kind == "done" else []
    update: dict[str, Any] = {ASKED: None, "_offer": None}
    if len(ids) == 1:
        update["taskId"] = ids[0]
        made = task_json(result.tasks[0])
        update |= {name: made[name] for name in (*_TIMES, "title")}
    return TaskResult(dispatch.task_id, status, update, (), None, result.said)


def result_of(dispatch: TaskDispatch, status: TaskStatus, said: str) -> TaskResult:
    """Final result without a tool call."""
    return TaskResult(dispatch.task_id, status, {ASKED: None, "_offer": None}, (), None, said)


def theirs(draft: Draft, notes: Mapping[str, Any], bound: AnswerMatch, context: TaskContext) -> Draft:
    """Draft for the assignee of the answer; the speaker's own is a reminder to pass it on."""
    user_id, name = bound.slots.get("assignee"), bound.slots.get("_assigneeName")
    if isinstance(user_id, str) and isinstance(name, str) and user_id != context.actor.user_id:
        return given(draft, Mention(user_id, name), context.actor.name)
    return replace(draft, title=str(notes.get("_own") or draft.title)[:100])


def given(draft: Draft, member: Mention, speaker: str) -> Draft:
    """Draft assigned to a member."""
    title = assignees.told_to(draft.title, speaker)
    return replace(draft, title=title, assignee=member.user_id, assignee_name=member.name)
