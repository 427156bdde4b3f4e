"""Time slots of a model, in words of the line, merged into the open candidate. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.clause import Situation
from ...language.match import AnswerMatch
from .candidates.candidate import Candidate, CandidateTime
from .candidates.moments import joined, when_of
from .candidates.reading import clause_of, short

_TIMES: Final = ("date", "new_time", "time", "startTime")
"""Slots with a start time"""


def placed(candidate: Candidate, bound: AnswerMatch | None) -> Candidate:
    """Candidate with a new place from a model's answer; unchanged without one."""
    said = bound.slots.get("place") if bound is not None else None
    if candidate.intent not in ("add", "edit") or not isinstance(said, str) or not short(said):
        return candidate
    return replace(candidate, place=short(said))


def retimed(candidate: Candidate, bound: AnswerMatch | None, where: Situation) -> Candidate | None:
    """Candidate without a description, with a new time from a model's answer; None without one."""
    problem = candidate.problem
    if bound is None or bound.relation != "corrects" or problem is None or problem.doubt != "no_description":
        return None
    said = clause_of("".join(str(bound.slots.get(name) or "") for name in _TIMES), where)
    new = when_of(said.times[0], where.now) if said.times else None
    if not isinstance(new, CandidateTime):
        return None
    if candidate.when is not None and not (new.dated and new.clocked):
        new = joined(candidate.when, new)
    return replace(candidate, when=new, new_time=new.start)
