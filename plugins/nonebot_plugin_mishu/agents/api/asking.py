"""Answers that the core reads by itself, of questions whose agent told what answers them (`Ask`). Pure."""

from __future__ import annotations

from ...language import Question, answer
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...storage.records import FrameRecord
from .dispatch import Ask


def told_answer(task: FrameRecord, line: Clause) -> AnswerMatch | None:
    """Match of a line to a question by its `Ask`; None where it is no answer.

    A yes is `confirm`, a no or the whole called off `deny`; a number or name of what was listed `fills` the
    first missing slot.
    """
    ask = Ask.of_slots(task.slots)
    if ask is None or not (ask.act or ask.options):
        return None
    options = len(ask.options) if len(ask.options) > 1 else 0
    names = ask.options if options else ()
    said = answer(line.text, Question(ask.act or "do", options, names, said=task.text))
    if said.kind in ("pick", "name") and len(said.values) == 1 and task.missing_slots:
        return AnswerMatch("fills", {task.missing_slots[0]: ask.options[said.values[0]]})
    if ask.act is None:
        return None
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=ask.act == "delete")
    return AnswerMatch("deny") if said.refuses else None
