"""The term that a line tells. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...language.term.lines import TermLine
from ...language.term.term import MOST_WEEKS, Term, term_with

_FAR: Final = 200
"""Days between today and week 1 at most."""
_SATURDAY: Final = 5


@dataclass(frozen=True, slots=True)
class Told:
    """A term, or why a line tells none; `day` is the day that it says."""

    term: Term | None = None
    why: str = ""
    """`weekend`, `length`, `far`, `over`, `unknown` (only its length is told)."""
    day: date | None = None


def told_term(line: TermLine, today: date, known: Term | None) -> Told:
    """The term that a line tells, beside what is known."""
    weeks = line.weeks if line.weeks is not None else known.weeks if known is not None else None
    if (weeks is not None and not 1 <= weeks <= MOST_WEEKS) or (line.week or 1) > (weeks or MOST_WEEKS):
        return Told(why="length")
    if line.kind == "lasts":
        return Told(why="unknown") if known is None else _checked(replace(known, weeks=weeks), today)
    day = line.day or today
    first = line.kind in ("begins", "day_alone")
    if first and not line.whole_week and day.weekday() >= _SATURDAY:
        return Told(why="weekend", day=day)  # a term that begins on a Sunday: which week is the first?
    return _checked(term_with(day, 1 if first else line.week or 1, weeks), today)


def _checked(term: Term, today: date) -> Told:
    if term.is_over(today):
        return Told(why="over", day=term.first)
    if abs((term.first - today).days) > _FAR:
        return Told(why="far", day=term.first)
    return Told(term)
