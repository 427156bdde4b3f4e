"""Answers to the question for the first week: 9月7号那周, 这周是第11周, 第11周. Pure."""

from __future__ import annotations

from typing import Final

from ...language import Question, answer
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...language.term.lines import TermLine, told_line
from ...storage.records import FrameRecord
from .telling import told_term

FIRST: Final = "_first"
"""The term that the answer tells, as it is kept; empty where it tells none."""
WHY: Final = "_why"


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """The answer that a line is; None for any other line."""
    if frame.intent != "first_week" or frame.status != "awaiting_user":
        return None
    said = answer(clause.text, Question("make", said=frame.text))
    if said.refuses or said.kind in ("cancel", "leave"):
        return AnswerMatch("cancel")
    line = told_in(clause)
    if line is None:
        return None
    told = told_term(line, clause.situation.now.date(), None)
    slots = {FIRST: "" if told.term is None else told.term.as_kept(), WHY: told.why}
    return AnswerMatch("fills", slots, whole=True)


def told_in(clause: Clause) -> TermLine | None:
    """What a line tells of the term; also a day, or the number of a week, alone."""
    line = told_line(clause.text, clause.situation.now)
    return line if line is not None and (line.sets or line.alone) else None
