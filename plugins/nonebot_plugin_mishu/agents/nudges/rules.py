"""Rules of nudges: whole lines only. Pure."""

from __future__ import annotations

from typing import Final

from ...language.clause import Clause
from ...language.following.nudges import nudge_in
from ...language.match import Match

WEIGHT: Final = 4


def claims(clause: Clause) -> Match | None:
    """Match of a whole line that nudges somebody, or stops it (帮我催一下阿凯交方案, 别催阿凯了), or asks
    who is nudged (我都在催谁)."""
    if not clause.situation.addressed:
        return None
    found = nudge_in(clause)
    if found is None:
        return None
    if found.shows or found.done:
        return Match("show", WEIGHT, why="问在替TA催谁")
    return Match("stop" if found.stops else "nudge", WEIGHT, why="要替TA催一位成员")


def rules(clause: Clause) -> Match | None:
    """None for every piece: a nudge is ordered by a whole line (`claims`)."""
    return None
