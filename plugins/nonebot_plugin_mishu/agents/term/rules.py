"""Rules of terms: whole lines only. Pure."""

from __future__ import annotations

from typing import Final

from ...language.clause import Clause
from ...language.match import Match
from ...language.term.lines import term_line
from ...language.term.weeks import weeks_in

WEIGHT: Final = 4
LONGEST: Final = 200
"""Characters of a line that is asked about: a longer one was pasted."""


def claims(clause: Clause) -> Match | None:
    """Match of a line about the term, or of one with weeks that have no dates: no term is known, or it has
    no such week."""
    where = clause.situation
    if not where.addressed:
        return None
    line = term_line(clause.text, where.now)
    if line is not None:
        return Match("set" if line.sets else "ask", WEIGHT, why="说的是学期")
    weeks = weeks_in(clause.text) if len(clause.text) <= LONGEST else ()
    if not weeks:
        return None
    if where.term is None and not any(each.other for each in weeks):
        return Match("first_week", WEIGHT, why="不知道学期从哪周算起")
    return Match("no_week", WEIGHT, why="学期里没有这一周")


def rules(clause: Clause) -> Match | None:
    """None for every piece: a term is told by a whole line (`claims`)."""
    return None
