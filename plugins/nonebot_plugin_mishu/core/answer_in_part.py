"""A line that answers an open question and says something else (三天了，顺便问停车怎么收费). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ..agents.clause import Situation
from ..agents.wording import chats, talks
from ..storage.records import FrameRecord
from .alignment import CLARIFIES, SHORT, Answer, Answering, Quote, align
from .decision.segments import message
from .decision.vocabulary import says_nothing

_EDGE: Final = " ,、;。!~"
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class InPart:
    """The piece that answers, and what is left to be read by itself; empty where that is only talk."""

    answer: Answer
    said: str
    rest: str


def answered_in_part(
    words: str,
    where: Situation,
    quote: Quote | None,
    tasks: Iterable[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    is_work: Callable[[str], bool],
    *,
    called: bool,
) -> InPart | None:
    """The answer in the first or last piece of a line that as a whole answers nothing; None where none does.

    The rest must be work by the rules, or talk: any where we were called, else only how the speaker feels. A
    courtesy (好的，提醒我…) answers nothing.
    """
    open_tasks = [task for task in tasks if CLARIFIES not in task.slots]
    if not open_tasks or len(words) > _LONGEST:
        return None
    said, pieces = message(words, where)
    if len(pieces) < 2:
        return None
    first, last = pieces[0], pieces[-1]
    for piece, beside in ((first, said.text[pieces[1].start :]), (last, said.text[: last.start])):
        clause, rest = said.clause(piece.start, piece.end), beside.strip(_EDGE)
        if not rest or len(clause.text) > SHORT or says_nothing(clause.text):
            continue
        if piece is last and is_work(clause.text):
            continue  # it belongs to what was ordered before it
        work = is_work(rest)
        if not work and not called and not chats(rest):
            continue
        found = align(
            clause, quote, open_tasks, spec_of, lambda text=clause.text: is_work(text), called=called
        )
        if isinstance(found, Answer):
            return InPart(found, clause.text, rest if work or (called and talks(rest)) else "")
    return None
