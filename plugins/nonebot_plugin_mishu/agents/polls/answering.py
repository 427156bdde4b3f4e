"""Answers to the questions of polls: to make, change, end or delete one, to plan by its result. Pure."""

from __future__ import annotations

from typing import Final

from ...language import Act, Question, answer
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...language.polls.orders import takes_end_back
from ...language.polls.picked import options_answered
from ...storage.records import FrameRecord
from ..chat.offering import OFFERED
from ..chat.offering import answers as offered_answers
from .handler import CLOSED, CLOSES, DELETES
from .proposals import CHANGES, CHASES, DRAFTED, OPTIONS, draft_in, wants_options


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Answer yes or no; None for every other line."""
    if CLOSED in frame.slots and takes_end_back(clause.text):
        return AnswerMatch("deny")
    if OFFERED in frame.slots:
        return offered_answers(frame, clause)
    made = draft_in(frame.slots, clause.situation.zone)
    if made is not None and wants_options(made):
        if answer(clause.text, Question("make", said=frame.text)).refuses:
            return AnswerMatch("deny")
        options = options_answered(clause)
        return AnswerMatch("fills", {OPTIONS: list(options)}) if options else None
    if frame.slots.keys().isdisjoint(_ASKED):
        return None
    grave = DELETES in frame.slots
    act: Act = "delete" if grave else "make" if made is not None else "change"
    said = answer(clause.text, Question(act, said=frame.text))
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=grave)
    return AnswerMatch("deny") if said.refuses else None


_ASKED: Final = frozenset({DELETES, CLOSES, DRAFTED, CHANGES, CHASES})
