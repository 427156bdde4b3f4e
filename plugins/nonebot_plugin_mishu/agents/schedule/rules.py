"""Clauses routed to this agent by the language room (agents/routing)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.clause import Clause
from ...language.free_time import free_question
from ...language.match import Match
from ..routing import SCHEDULE, rules_of
from .candidates.candidate import intent_named
from .candidates.reading import settled

_FREE_TIME: Final = Match("query", weight=4, why="问的是什么时候有空")
_routed: Final = rules_of(SCHEDULE)


def claims(clause: Clause) -> Match | None:
    """Match of a whole line that asks when members are free, before it is cut (下周大家哪天 晚上一起打球)."""
    return _FREE_TIME if clause.situation.addressed and free_question(clause) is not None else None


def rules(clause: Clause) -> Match | None:
    """Routed match; 提前半小时提醒大家 is an addition, not an edit."""
    if clause.situation.addressed and free_question(clause) is not None:
        return _FREE_TIME
    match = _routed(clause)
    if match is None or match.intent != "edit":
        return match
    return replace(match, intent=settled(intent_named(match.intent), match.clause or clause))
