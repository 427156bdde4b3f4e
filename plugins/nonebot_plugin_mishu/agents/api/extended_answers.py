"""A line that answers a question for a time and says more beside it, soon after we asked. Pure."""

from __future__ import annotations

from typing import Final

from ...language.answers.answer_with_more import SaidMore, said_more
from ...language.clause import Clause
from ...language.recognise.times import names_day
from ...storage.records import FrameRecord

SOON: Final = 180.0
"""Seconds after a question in which a line with more than its answer is taken for one."""


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
