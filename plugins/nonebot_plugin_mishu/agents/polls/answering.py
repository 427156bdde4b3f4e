"""Answers to the two questions of polls: to delete one, and to put a result into the calendar. Pure."""

from __future__ import annotations

from ...language import Question, answer
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...storage.records import FrameRecord
from ..chat.offering import OFFERED
from ..chat.offering import answers as offered_answers
from .handler import DELETES


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """A yes or a no; None for every other line."""
    if OFFERED in frame.slots:
        return offered_answers(frame, clause)
    if DELETES not in frame.slots:
        return None
    said = answer(clause.text, Question("delete", said=frame.text))
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=True)
    return AnswerMatch("deny") if said.refuses else None
