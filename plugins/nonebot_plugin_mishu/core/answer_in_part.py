"""A line that answers an open question and says something else (三天了，顺便问停车怎么收费). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ..agents.clause import Clause, Situation
from ..agents.clause_features import chats, talks
from ..storage.records import FrameRecord
from ..timeparse import names_day
from .alignment import CLARIFIES, SHORT, Answering, Quote, TaskAnswer, align
from .decision.segments import message
from .decision.vocabulary import says_nothing
from .situation import whole

_EDGE: Final = " ,、;。!~"
_LONGEST: Final = 400
_INSTEAD: Final = re.compile(r"^(?:(?:那|就|还是|直接|给我)*(?:改成|改为|换成|换为))(?=.)")
"""What ties an order to what was called off before it (算了，改成提醒我吃药)."""

_WAIT = r"哦|噢|啊|等等|等一?下"
_WRONG = r"不对|不是|我?[说改记写打]错了|搞错了|错了|哦不|不不"
_RATHER: Final = re.compile(
    rf"(?:(?:{_WAIT})[,、。!~ ]*)*(?:{_WRONG})(?:{_WAIT}|{_WRONG}|[吧呀了,、。!~ ])*(?<=[,、。!~ ])"
)
"""Only says that what follows holds instead (不对，是后天): by itself it calls nothing off."""


@dataclass(frozen=True, slots=True)
class InPart:
    """The piece that answers, and what is left to be read by itself; empty where that is only talk.

    `both`: what is left answers another question that is open.
    """

    answer: TaskAnswer
    said: str
    rest: str
    both: bool = False


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
    if (rather := _RATHER.match(said.text)) is not None:
        return _instead(said.text[rather.end() :].strip(_EDGE), where, quote, open_tasks, spec_of, called)
    if len(pieces) < 2:
        return None
    first, last = pieces[0], pieces[-1]
    for piece, beside in ((first, said.text[pieces[1].start :]), (last, said.text[: last.start])):
        clause, rest = said.clause(piece.start, piece.end), beside.strip(_EDGE)
        if not rest or len(clause.text) > SHORT or says_nothing(clause.text):
            continue
        found = align(
            clause, quote, open_tasks, spec_of, lambda text=clause.text: is_work(text), called=called
        )
        if not isinstance(found, TaskAnswer) or (found.bound.relation == "corrects" and found.bound.weak):
            continue
        if piece is last and found.bound.relation not in ("cancel", "deny") and is_work(clause.text):
            continue  # it belongs to what was ordered before it
        if found.bound.relation in ("cancel", "deny") and is_work(instead := _INSTEAD.sub("", rest)):
            rest = instead
        if "title" in found.bound.slots:
            continue  # 晨会别开了，我在外面跑客户: any words may be a name, those of a piece are none
        work = is_work(rest)
        value = found.bound.relation in ("corrects", "fills")
        if piece is first and work and value and not _paused(said.text, pieces[1].start):
            continue  # 周四下午三点再提醒我给他: when what is ordered behind it is to be
        if piece is last and work and found.bound.relation in ("corrects", "fills"):
            continue  # 每天八点提醒我背单词 到年底: behind an order it is told of what is ordered
        others = [task for task in open_tasks if task.task_id != found.task.task_id]
        both = not work and _answers(whole(rest, where), quote, others, spec_of, called)
        if piece is last and found.bound.relation in ("corrects", "fills") and not (both or chats(rest)):
            continue  # 体检完了去看牙，十一点: what stands before it says of what
        if work or both or called or chats(rest):
            return InPart(found, clause.text, rest if work or both or (called and talks(rest)) else "", both)
    return None


def _paused(text: str, at: int) -> bool:
    return any(mark in _EDGE for mark in text[max(0, at - 1) : at + 1])


def _instead(
    rest: str,
    where: Situation,
    quote: Quote | None,
    open_tasks: list[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    called: bool,
) -> InPart | None:
    """What holds instead, where it is an answer by itself. A day with a clock says when something begins, not
    what was asked for."""
    line = whole(rest, where)
    begins = any(time.start is not None and names_day(time.text) for time in line.times)
    if not rest or len(rest) > SHORT or begins:
        return None
    found = align(line, quote, open_tasks, spec_of, lambda: False, called=called)
    return InPart(found, rest, "") if isinstance(found, TaskAnswer) and found.by_agent else None


def _answers(
    rest: Clause,
    quote: Quote | None,
    others: list[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    called: bool,
) -> bool:
    """Whether what is left plainly answers another of the open questions (5点，确认)."""
    found = align(rest, quote, others, spec_of, lambda: False, called=called) if others else None
    return isinstance(found, TaskAnswer) and found.by_agent and not found.bound.weak
