"""The end or the length of something kept as a change of it: 打到九点, 羽毛球延长半小时. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from ...language import Fit, Form, Reading
from ...language.clause import Clause, KeptThing
from ...language.names.referents import Meant, shared
from ...language.timing.stored_length import KeptLength, end_asked, kept_length
from .owners import SCHEDULE

_A_WHILE: Final = 600.0
_KINDS: Final = frozenset({"会", "球", "课", "饭", "局", "活动", "日程", "开会", "打球", "上课", "吃饭"})
"""Nouns that name no thing by themselves: the thing mentioned last, or the one that is meant."""
_POINTS: Final = frozenset({"这个", "那个", "它", "这", "那", "这场", "那场"})


@dataclass(frozen=True, slots=True)
class EndChange:
    """The line as a change of the things' end; `sure` if one thing is meant."""

    fit: Fit
    things: tuple[KeptThing, ...]
    sure: bool


def ends(said: Reading, known: Meant | None, clause: Clause) -> EndChange | None:
    """Change of a schedule's end or length; None if there is none, or its schedule is unknown."""
    told = kept_length(clause)
    if told is None:
        return None
    things = _meant(told.head, known, clause)
    if not things:
        return None
    if told.day is not None and not all(_is_on(thing, told.day) for thing in things):
        return None
    if told.bare and not _may_be_then(told, things):
        return None
    when = tuple(token for token in said.tokens if not token.classes.isdisjoint({"time", "length"}))
    return EndChange(Fit(Form("change", ""), {"when": when}), things, len(things) == 1)


def asks_end(known: Meant | None, clause: Clause) -> EndChange | None:
    """Schedules whose end or length is asked; None if it is not."""
    head = end_asked(clause)
    things = () if head is None else _meant(head, known, clause)
    return EndChange(Fit(Form("query", ""), {}), things, True) if things else None


def _meant(head: str, known: Meant | None, clause: Clause) -> tuple[KeptThing, ...]:
    where, head = clause.situation, head.lower()
    last = where.last if where.just_shown(_A_WHILE) else None
    pointed = not head or head in _POINTS
    if pointed and known is not None and where.quoted:
        return _schedules(known.things)
    if pointed or (head in _KINDS and last is not None and _is_kind(head, last)):
        return _schedules((last,)) if last is not None else ()
    if known is None:
        return ()
    named = [thing for thing in known.things if _names(head, thing.name.lower())]
    return _schedules(named) if len(named) == len(known.things) else ()


def _is_on(thing: KeptThing, day: date) -> bool:
    return thing.at is not None and thing.at.date() == day and not thing.repeats


def _is_kind(head: str, thing: KeptThing) -> bool:
    return head[-1] in thing.name or head in ("活动", "日程")


def _names(head: str, name: str) -> bool:
    """True if the words before are the name or most of it."""
    if head in _KINDS:
        return True
    common = max(shared(head, name), shared(name, head))
    return common >= 2 and len(head) - common <= 2


def _schedules(things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    if not things or any(each.agent != SCHEDULE or not each.id for each in things):
        return ()
    return tuple(things)


def _may_be_then(told: KeptLength, things: Sequence[KeptThing]) -> bool:
    """True if the clock is possible as the thing's beginning: the thing has no clock, or the same one
    (两点到五点)."""
    start, at = told.clock.start if told.clock is not None else None, things[0].at
    if start is None or at is None or len(things) > 1:
        return False
    if (at.hour, at.minute) == (0, 0):
        return True
    return (at.hour % 12, at.minute) == (start.hour % 12, start.minute)
