"""Several times of one order (早上七点、中午十二点、晚上八点测血压): a task each. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....language.clause import Clause
from ....language.recognise.times import TimeExpression
from ....language.timing.own_times import sensible, tells_half
from ....language.timing.series import times_listed
from ..frames import Draft
from .new_task import AND, REMINDING, expressed, two, wish_of, with_end_of
from .task_time import Wish

MORE: Final = "_more"
"""Note with the further times of a new task, and slot with those of an answer."""


def more_times(clause: Clause) -> list[dict[str, Any]]:
    """Further times (周二周四下午五点健身, 每天中午12点和晚上6点吃药): differences from the first wish;
    `None` if not applicable."""
    if REMINDING.search(clause.text) is not None or tells_half(clause):
        clause = sensible(clause)
    thing, reminder = two(clause)
    if thing is None or reminder is not None:
        return []
    first = _same_time(thing, wish_of(clause).recurrence)
    found: list[dict[str, Any]] = []
    for one in _listed(clause, thing):
        other = _same_time(one, with_end_of(clause, one, expressed(one, clause)).recurrence)
        if other != first and other not in found:
            found.append(other)
    # Common values stay in the wish, with later answers (an end).
    differing = {name for one in found for name in one if one[name] != first[name]}
    return [{name: one[name] for name in differing} for one in found]


def _same_time(one: TimeExpression, recurrence: dict[str, Any] | None) -> dict[str, Any]:
    clock = one.start.isoformat() if one.start is not None else None
    return {
        "date": one.date.isoformat() if one.date is not None else None,
        "start": clock,
        "end": one.end.isoformat() if one.end is not None else None,
        "segment": one.segment if clock is None else None,
        "ambiguous": one.ambiguous,
        "recurrence": recurrence,
    }


def at_other(wish: Wish, change: Mapping[str, Any], zone: ZoneInfo) -> Wish:
    """Wish at one of `more_times`."""
    merged = {**wish.as_json(), **{name: of for name, of in change.items() if name not in _OF_ANOTHER}}
    return Wish.from_json({name: value for name, value in merged.items() if value is not None}, zone)


_TITLE, _WHO, _NAMED = "title", "assignee", "_assigneeName"
_OF_ANOTHER: Final = frozenset({_TITLE, _WHO, _NAMED})
"""What a further task has of its own beside its time, where work is shared out."""


def of_another(first: Draft, other: Draft) -> dict[str, Any]:
    """Difference of a further task of another member (月月去买水) from the first."""
    mine = {_TITLE: other.title, _WHO: other.assignee, _NAMED: other.assignee_name}
    return {**difference(first.wish, other.wish), **mine}


def at_portion(draft: Draft, change: Mapping[str, Any], zone: ZoneInfo) -> Draft:
    """Draft of a further task: at another time, of another member."""
    draft = replace(draft, wish=at_other(draft.wish, change, zone))
    if _TITLE not in change:
        return draft
    named = str(change.get(_NAMED) or "")
    return replace(draft, title=str(change[_TITLE]), assignee=change.get(_WHO), assignee_name=named)


def _listed(clause: Clause, thing: TimeExpression) -> list[TimeExpression]:
    """Times listed with the task's: adjacent, or joined by 和."""
    found: list[TimeExpression] = []
    if len(listed := times_listed(clause)) > 2:
        return [one for one in listed if one is not thing]
    for one in clause.times:
        near = [*found, thing]
        between = [clause.text[each.span[1] : one.span[0]] for each in near]
        clocked = (one.start is None) == (thing.start is None)
        tied = any(AND.fullmatch(words) for words in between)
        # 早八点晚八点: two adjacent clocks
        tied = tied or (
            one.start not in (None, thing.start) and any(each.span[1] == one.span[0] for each in near)
        )
        linked = clocked and one.kind != "deadline" and tied
        if clocked and one is not thing and (one.spans == thing.spans or linked):
            found.append(one)
    return found


def difference(first: Wish, other: Wish) -> dict[str, Any]:
    """What a further wish has otherwise than the first, for `at_other`."""
    mine, theirs = first.as_json(), other.as_json()
    return {name: theirs.get(name) for name in (*mine, *theirs) if mine.get(name) != theirs.get(name)}
