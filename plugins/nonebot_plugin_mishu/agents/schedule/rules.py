"""Clauses routed to this agent by the language room (agents/routing)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.clause import Clause
from ...language.match import Match
from ..routing import SCHEDULE, rules_of
from .candidates.candidate import intent_named
from .candidates.reading import settled

_routed: Final = rules_of(SCHEDULE)


def rules(clause: Clause) -> Match | None:
    """Routed match; 提前半小时提醒大家 is an addition, not an edit."""
    match = _routed(clause)
    if match is None or match.intent != "edit":
        return match
    return replace(match, intent=settled(intent_named(match.intent), match.clause or clause))
