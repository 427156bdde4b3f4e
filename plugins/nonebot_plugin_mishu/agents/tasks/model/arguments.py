"""Conversion of a model's arguments to tool inputs; the sentence's own reading wins. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final, cast, get_args

from ....language.clause import Clause
from ....language.recognise.members import asks_of_all
from ....language.recognise.times import Segment, parse
from ..frames import Change, Draft, TaskQuery
from ..planning.new_task import REMINDING, expressed, title_of, wish_of
from ..planning.references import change
from ..planning.task_time import Wish
from ..reader import draft_in, whole
from .calls import PRIORITIES

LONGEST_TITLE: Final = 100
_LONGEST_ID: Final = 18
"""Most digits of a task id given as text"""
_SEGMENTS: Final = get_args(Segment)


__all__ = [
    "CallRefused",
    "change_from_call",
    "draft_from_call",
    "draft_in",
    "ids_from_call",
    "query_from_call",
    "whole",
]


class CallRefused(ValueError):
    """A model called a tool with wrong arguments; the text tells it the reason."""


def draft_from_call(arguments: Mapping[str, Any], clause: Clause) -> Draft:
    """Draft from a create_task call. Raises `CallRefused`."""
    title = _words(arguments, "title", LONGEST_TITLE) or title_of(clause)
    if not title:
        raise CallRefused("缺少 title")
    assignee = _words(arguments, "assignee", 60)
    owner = None
    if assignee is not None:
        name = assignee.removeprefix("@")
        hits = [one for one in clause.situation.mentions if name in (one.name, one.user_id)]
        if len(hits) != 1:
            raise CallRefused("assignee 只能是这条消息里 @ 到的一个成员")
        owner = hits[0]
    return Draft(
        title=title,
        wish=_wish(arguments, clause),
        priority=_choice(arguments, "priority", PRIORITIES),
        description=_words(arguments, "description", 500),
        assignee=owner.user_id if owner else None,
        assignee_name=owner.name if owner else "",
    )


def _wish(arguments: Mapping[str, Any], clause: Clause) -> Wish:
    """Time as in the sentence; without a day it is today, whatever the model gives."""
    if (arguments.get("startTime") or arguments.get("endTime")) and arguments.get("timeSegment"):
        raise CallRefused("startTime/endTime 与 timeSegment 只能给一种")
    own = wish_of(clause)
    days = {one.date for one in clause.times if one.date is not None}
    if len(days) > 1:
        chosen = [one for one in clause.times if one.date is not None and one.date == _day(arguments)]
        if not chosen:
            said = "、".join(sorted(day.isoformat() for day in days))
            raise CallRefused(f"dueDate 与用户的话不符，话里的日期是：{said}")
        own = replace(expressed(chosen[0], clause), reminded=REMINDING.search(clause.text) is not None)
    if own.start is None and own.segment is None and own.invalid is None and not own.reminded:
        segment = _choice(arguments, "timeSegment", _SEGMENTS)
        if segment is not None and segment != "all_day":
            own = replace(own, segment=cast("Segment", segment))
    return own


def change_from_call(arguments: Mapping[str, Any], clause: Clause) -> Change:
    """Change from an update_task call. Raises `CallRefused` if the sentence has no such change."""
    own = change(clause)
    timed = any(
        arguments.get(name) for name in ("dueDate", "startTime", "endTime", "timeSegment", "remindAt")
    )
    again = _recurrence(arguments, clause)
    _keeps_to_notes(arguments)
    wish = own.wish if timed or (again is not None and own.wish.recurrence is not None) else Wish()
    if again is not None and wish.recurrence is None:
        wish = replace(again, start=wish.start, segment=wish.segment)
    if timed and wish.empty and own.shift is None:
        raise CallRefused("用户的话里没有新的时间，请追问")
    wanted = Change(
        wish=wish,
        shift=own.shift if timed else None,
        title=_words(arguments, "title", LONGEST_TITLE),
        priority=_choice(arguments, "priority", PRIORITIES),
        description=_words(arguments, "description", 500),
    )
    if wanted.empty:
        raise CallRefused("没有说要改什么")
    return wanted


def _recurrence(arguments: Mapping[str, Any], clause: Clause) -> Wish | None:
    """Recurrence in words of the time grammar, if the sentence mentions one. Raises `CallRefused`."""
    given = _words(arguments, "recurrence", 40)
    if given is None:
        return None
    where = clause.situation
    found = [one for one in parse(given, where.now, where.zone) if one.recurrence is not None]
    if len(found) != 1:
        raise CallRefused("recurrence 说成每天、每个工作日、每周一三五、每月15号这样的")
    speaks = any(word in clause.text for word in _OFTEN) or any(one.recurrence for one in clause.times)
    if not speaks:
        raise CallRefused("用户的话里没有说怎样重复")
    said = expressed(found[0], Clause(given, where, tuple(found)))
    return Wish(date=said.date, recurrence=said.recurrence, phrase=given)


_OFTEN: Final = ("每", "天天", "工作日", "周末", "双休", "上班日", "周一到", "隔")
"""Recurrence words; required for a change of recurrence"""
_ABOUT_CALLS: Final = ("提醒", "周末", "工作日", "每天", "每周")


def _keeps_to_notes(arguments: Mapping[str, Any]) -> None:
    """Refuse reminder times in a note (周末不用提醒). Raises `CallRefused`."""
    note = _words(arguments, "description", 500) or ""
    if any(word in note for word in _ABOUT_CALLS):
        raise CallRefused("什么时候提醒、怎样重复不写在备注里：用 recurrence 或时间参数")


def ids_from_call(arguments: Mapping[str, Any], known: Collection[int]) -> list[int]:
    """Task id of the call. Raises `CallRefused` for an id no tool has shown: never guessed."""
    given = arguments.get("taskId")
    if isinstance(given, str) and given.isdecimal() and len(given) <= _LONGEST_ID:
        given = int(given)
    if not isinstance(given, int) or isinstance(given, bool):
        raise CallRefused("taskId 应是整数")
    if given not in known:
        raise CallRefused("编号不确定，请先用 query_tasks 查到它")
    return [given]


def query_from_call(arguments: Mapping[str, Any], clause: Clause, *, changes: bool) -> TaskQuery:
    """Filter from a query_tasks call for a line; what it `changes` may be somebody's to whom the speaker gave
    it. Raises `CallRefused` for an invalid date."""
    day = _date(arguments, "dueDate")
    status = _choice(arguments, "status", ("pending", "completed"))
    return TaskQuery(
        status=cast("Any", status),
        first=day or _date(arguments, "dueDateFrom"),
        last=day or _date(arguments, "dueDateTo"),
        priority=_choice(arguments, "priority", PRIORITIES),
        of_all=changes or asks_of_all(clause.text),
    )


def _day(arguments: Mapping[str, Any]) -> date | None:
    found = _date(arguments, "dueDate") or (_words(arguments, "remindAt", 40) or "")[:10]
    try:
        return date.fromisoformat(found)
    except ValueError:
        return None


def _date(arguments: Mapping[str, Any], name: str) -> str | None:
    given = arguments.get(name)
    if given is None or given == "":
        return None
    try:
        return date.fromisoformat(str(given)).isoformat()
    except ValueError:
        raise CallRefused(f"{name} 应是 YYYY-MM-DD") from None


def _words(arguments: Mapping[str, Any], name: str, longest: int) -> str | None:
    given = arguments.get(name)
    if given is None:
        return None
    if not isinstance(given, str):
        raise CallRefused(f"{name} 应是文字")
    return " ".join(given.split())[:longest] or None


def _choice(arguments: Mapping[str, Any], name: str, allowed: Collection[str]) -> str | None:
    given = arguments.get(name)
    if given is None or given == "":
        return None
    if given not in allowed:
        raise CallRefused(f"{name} 只能是 {'、'.join(allowed)}")
    return str(given)
