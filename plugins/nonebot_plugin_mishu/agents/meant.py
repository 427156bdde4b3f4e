"""Which of what is kept a clause means: named in it, of the time said in it, or spoken of last. Pure.

周五那个评审 is the review on Friday, 客户那个 what has 客户 in its name, 明天那个 what is tomorrow; 那个, or
an order that names nothing, what was made, changed or shown last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..language import Token
from ..text import normalise
from ..timeparse import TimeExpression
from .clause import Clause, Thing

_LEAST: Final = 2
"""Characters in a row that a name and a line must share."""
_OF_ORDERS: Final = frozenset(
    {
        *("change", "later", "earlier", "defer", "take_away", "refuse", "negation", "remind"),
        *("time", "task_noun", "schedule_noun", "reminder_noun", "note_noun", "join", "cannot"),
        *("look", "what", "whether", "help", "pause", "filler", "courtesy", "particle", "call", "this"),
    }
)
"""Word classes that are the order's and not the thing's."""
_OF_THINGS: Final = frozenset({"occasion", "personal", "action", "plain", "quoted", "unread"})
_ALL: Final = frozenset({"all"})
_OF_BOOKS: Final = re.compile("(?:[那这上]|刚才|刚刚|前)的?一?笔|[那这]条账")
"""刚才那笔删掉: what is meant stands in the books."""
_BOTH: Final = ("俩", "两个", "两场", "两条", "两件", "这些", "那些")


@dataclass(frozen=True, slots=True)
class Meant:
    """What is meant, all of one agent. `refs` are the ids that are known of them; `every`: all of them are
    meant; else of several it must be asked which."""

    agent: str
    things: tuple[Thing, ...]
    every: bool = False

    @property
    def refs(self) -> tuple[str, ...]:
        """Their ids, in the order of the world."""
        return tuple(thing.id for thing in self.things if thing.id)

    @property
    def clear(self) -> bool:
        """Whether nobody need be asked which."""
        return len(self.things) == 1 or self.every


def meant(said: Sequence[Token], clause: Clause) -> Meant | None:
    """What a clause means of what is kept; None where it means nothing of it, or of several agents."""
    where = clause.situation
    if not where.addressed or _OF_BOOKS.search(clause.text) is not None:
        return None
    found = _named(said, clause.text, where.things)
    if found:
        found = _at(found, clause.times) or found
    elif _points(said):
        found = _at(where.things, clause.times) if clause.times else ()
    if not found and where.last is not None and (_points(said) or not _names(said)):
        found = tuple(thing for thing in where.things if where.last.id and _is(thing, where.last))
        found = found or (where.last,)
    agents = {thing.agent for thing in found}
    if len(agents) != 1:
        return None
    every = len(found) > 1 and (
        any("all" in token.classes for token in said) or any(word in clause.text for word in _BOTH)
    )
    return Meant(agents.pop(), found, every)


def _is(thing: Thing, other: Thing) -> bool:
    return (thing.agent, thing.id) == (other.agent, other.id)


def _named(said: Sequence[Token], line: str, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """The things whose names share most with what the line names."""
    spoken = _spoken(said, line)
    shared = [(_shared(spoken, normalise(thing.name).lower()), thing) for thing in things]
    most = max((length for length, _ in shared), default=0)
    if most >= _LEAST:
        return tuple(thing for length, thing in shared if length == most)
    if any("hui" in token.classes for token in said):
        return tuple(thing for thing in things if thing.name.endswith("会"))
    return ()


def _at(things: Sequence[Thing], times: Sequence[TimeExpression]) -> tuple[Thing, ...]:
    """Those of the first time said: of its day, and of its clock where one of them is."""
    if not times:
        return ()
    first = times[0]
    there = [thing for thing in things if thing.at is not None and _on_day(thing, first)]
    clocked = [
        thing
        for thing in there
        if first.start is not None
        and thing.at is not None
        and (thing.at.hour, thing.at.minute) == (first.start.hour, first.start.minute)
    ]
    return tuple(clocked or there)


def _on_day(thing: Thing, time: TimeExpression) -> bool:
    assert thing.at is not None
    if time.date is None:
        return False
    return time.date <= thing.at.date() <= (time.end_date or time.date)


def _points(said: Sequence[Token]) -> bool:
    return any("this" in token.classes for token in said)


def _names(said: Sequence[Token]) -> bool:
    """Whether any word could be the name of something."""
    return any(not token.classes.isdisjoint(_OF_THINGS) for token in said)


def _spoken(said: Sequence[Token], line: str) -> str:
    """The line without the order's own words."""
    return "".join(
        line[token.start : token.end] if token.classes.isdisjoint(_OF_ORDERS) else "\n" for token in said
    ).lower()


def _shared(line: str, name: str) -> int:
    """The longest run of characters of a name that stands in the line."""
    for length in range(len(name), _LEAST - 1, -1):
        for at in range(len(name) - length + 1):
            if name[at : at + length] in line:
                return length
    return 0
