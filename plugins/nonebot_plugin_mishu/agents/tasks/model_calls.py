"""From a model's arguments to what the tools take: the sentence's own reading wins over them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final, cast, get_args

from ...language.clause import Clause
from ...language.recognise.times import Segment
from .calls import PRIORITIES
from .frames import Change, Draft, TaskQuery
from .new_task import REMINDING, expressed, title_of, wish_of
from .reader import draft_in, whole
from .references import change
from .when import Wish

LONGEST_TITLE: Final = 100
_LONGEST_ID: Final = 18
"""Digits of a number of a task as text."""
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
    """The call is not carried out; the text tells the model why."""


def draft_from_call(arguments: Mapping[str, Any], clause: Clause) -> Draft:
    """A create_task call. Raises `Refused`."""
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
    """The time: as the sentence says it; a day nobody named is today, whatever the model thinks."""
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
    """An update_task call. Raises `Refused` where it changes nothing that the sentence says."""
    own = change(clause)
    timed = any(
        arguments.get(name) for name in ("dueDate", "startTime", "endTime", "timeSegment", "remindAt")
    )
    wish = own.wish if timed else Wish()
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


def ids_from_call(arguments: Mapping[str, Any], known: Collection[int]) -> list[int]:
    """The task that is meant. Raises `Refused` for one that no tool has shown: never guessed."""
    given = arguments.get("taskId")
    if isinstance(given, str) and given.isdecimal() and len(given) <= _LONGEST_ID:
        given = int(given)
    if not isinstance(given, int) or isinstance(given, bool):
        raise CallRefused("taskId 应是整数")
    if given not in known:
        raise CallRefused("编号不确定，请先用 query_tasks 查到它")
    return [given]


def query_from_call(arguments: Mapping[str, Any]) -> TaskQuery:
    """A query_tasks call. Raises `Refused` for a date that is none."""
    day = _date(arguments, "dueDate")
    status = _choice(arguments, "status", ("pending", "completed"))
    return TaskQuery(
        status=cast("Any", status),
        first=day or _date(arguments, "dueDateFrom"),
        last=day or _date(arguments, "dueDateTo"),
        priority=_choice(arguments, "priority", PRIORITIES),
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
