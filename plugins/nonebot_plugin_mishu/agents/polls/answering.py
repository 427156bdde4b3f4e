"""Answers to the two questions of polls: to delete one, and to put a result into the calendar. Pure."""

from __future__ import annotations

from ...language import Question, answer
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...language.polls.orders import takes_end_back
from ...storage.records import FrameRecord
from ..chat.offering import OFFERED
from ..chat.offering import answers as offered_answers
from .handler import CLOSED, CLOSES, DELETES


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Answer yes or no; None for every other line."""
    if CLOSED in frame.slots and takes_end_back(clause.text):
        return AnswerMatch("deny")
    if OFFERED in frame.slots:
        return offered_answers(frame, clause)
    if frame.slots.keys().isdisjoint({DELETES, CLOSES}):
        return None
    grave = DELETES in frame.slots
    said = answer(clause.text, Question("delete" if grave else "change", said=frame.text))
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=grave)
    return AnswerMatch("deny") if said.refuses else None
