"""Open questions of agents: the lines that answer them, and what is kept of the things they list. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language import Question, answer
from ...language.answers.answer_with_more import SaidMore, said_more
from ...language.clause import Clause, KeptThing
from ...language.match import AnswerMatch
from ...language.recognise.times import names_day
from ...storage.records import FrameRecord
from .dispatch import Ask

SOON: Final = 180.0
"""Seconds after a question in which a line with more than its answer is taken for one."""
BEGINS: Final = "_begins"
"""Slot of a question that lists several things: the begin of each, in the order of their numbers."""


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


def soon_after(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line follows soon after the open question."""
    return clause.situation.now.timestamp() - frame.updated_at <= SOON


def answered_with_more(frame: FrameRecord, clause: Clause) -> SaidMore | None:
    """The time asked for and the rest of a line; None where it may be said to others.

    What no rule explains beside a time, and a time behind words of assent, is an answer only right behind the
    question, and with a day and a clock: 周五吧 群里说过 and 那就八点半吧 are said among members.
    """
    more = said_more(clause)
    if more is None:
        return None
    time = more.value.times[0]
    full = names_day(time.text) and (time.start is not None or time.segment is not None)
    guess = bool(more.notes) or more.opened
    if guess and not clause.situation.addressed and not (full and soon_after(frame, clause)):
        return None
    return more


def begins_of(things: Sequence[KeptThing]) -> list[str | None]:
    """Begins of things (ISO 8601), as their question keeps them."""
    return [None if each.at is None else each.at.isoformat() for each in things]
