"""Partial answers: a line that answers an open question and has another request
(三天了，顺便问停车怎么收费). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ...agents.chat import order_of
from ...language import correction_at, has_own_mood, nods, opens_order, without_is, words_of
from ...language.answers.beside_answers import goes_on, without_instead
from ...language.clause import Clause, Situation
from ...language.clauses.features import chats, hear, talks
from ...language.clauses.segments import message
from ...language.clauses.vocabulary import says_nothing
from ...language.names.referents import names_part
from ...language.recognise.times import names_day
from ...storage.records import FrameRecord
from ..situation import whole
from .alignment import CLARIFIES, SHORT, Answering, Quote, SureRules, TaskAnswer, align

_EDGE: Final = " ,、;。!~"
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class InPart:
    """The piece that answers, and what is left to be read by itself; empty where that is only talk.

    `both`: what is left answers another question that is open.
    """

    answer: TaskAnswer
    said: str
    rest: str
    both: bool = False
    denied: bool = False
    """The content of the question was denied: the rest corrects it."""


def answered_in_part(
    words: str,
    where: Situation,
    quote: Quote | None,
    tasks: Iterable[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    is_work: Callable[[str], bool],
    *,
    called: bool,
    stands_alone: Callable[[str, str], bool] = lambda text, agent: False,
) -> InPart | None:
    """The answer in the first or last piece of a line that as a whole answers nothing; None where none does.

    The rest must be work by the rules, or talk: any where we were called, else only how the speaker feels. A
    courtesy (好的，提醒我…) answers nothing.
    """
    open_tasks = [task for task in tasks if CLARIFIES not in task.slots and task.status != "awaiting_other"]
    if not open_tasks or len(words) > _LONGEST:
        return None
    said, pieces = message(words, where)
    if (rather := correction_at(said.text)) is not None:
        # 不对，是后天: by itself 不对 calls nothing off
        rest = said.text[rather:].strip(_EDGE)
        found = _instead(rest, where, quote, open_tasks, spec_of, called)
        return found or _denied(rest, where, open_tasks, spec_of, is_work)
    if len(pieces) < 2:
        return None
    first, last = pieces[0], pieces[-1]
    for piece, beside in ((first, said.text[pieces[1].start :]), (last, said.text[: last.start])):
        clause, rest = said.clause(piece.start, piece.end), beside.strip(_EDGE)
        if not rest or len(clause.text) > SHORT:
            continue
        offered = [task for task in open_tasks if order_of(task.slots) is not None]
        adds = piece is first and offered and goes_on(rest)  # 行 再帮我记个…
        if says_nothing(clause.text) and not adds:
            continue
        found = align(
            clause,
            quote,
            open_tasks,
            spec_of,
            SureRules(
                is_new_request=lambda text=clause.text: is_work(text),
                stands_alone=lambda agent, text=clause.text: stands_alone(text, agent),
            ),
            called=called,
        )
        if not isinstance(found, TaskAnswer) or (found.bound.relation == "corrects" and found.bound.weak):
            continue
        consents = found.bound.relation == "confirm" or found.bound.consents
        if piece is first and consents and opens_order(clause.text) and not adds:
            continue  # 记一下 客户那边wifi密码是…: what stands behind it is what is to be kept
        if piece is first and nods(clause.text) and consents and _asks(rest, where):
            continue  # 好嘞 几点提醒我呀: a courtesy before a question
        if consents and has_own_mood(beside):
            continue  # 先别提醒我周报了 我现在就发: whoever forbids something consents to nothing
        if piece is last and found.bound.relation not in ("cancel", "deny") and is_work(clause.text):
            continue  # it belongs to what was ordered before it
        if found.bound.relation in ("cancel", "deny") and is_work(instead := without_instead(rest)):
            rest = instead
        if found.bound.relation in ("cancel", "deny") and _points_elsewhere(rest, where, found.task):
            continue  # 刚才那个200收到了 不用记, beside a question about a shift
        same = [found.task]
        if found.bound.relation == "corrects" and _answers(whole(rest, where), quote, same, spec_of, called):
            continue  # 没花90，花了99: both pieces are of the card
        if piece is last and found.bound.relation in ("corrects", "fills") and _asks(clause.text, where):
            continue  # 海报我可能来不及 后天行不: another day is asked for what stands before it
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
        if not (called or both or consents) and found.bound.relation in ("corrects", "fills"):
            continue  # 周五吧 群里说过, said among members
        if piece is last and found.bound.relation in ("corrects", "fills") and not (both or chats(rest)):
            continue  # 体检完了去看牙，十一点: what stands before it says of what
        if work or both or called or chats(rest):
            return InPart(found, clause.text, rest if work or both or (called and talks(rest)) else "", both)
    return None


def _denied(
    rest: str,
    where: Situation,
    open_tasks: list[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    is_work: Callable[[str], bool],
) -> InPart | None:
    """不是不是 是二妹的生日 阴历八月十五: a no to what was asked, and an order that is another one."""
    rest = without_is(rest)
    if not rest or not (is_work(rest) or whole(rest, where).times):
        return None
    found = align(whole(_NO, where), None, open_tasks, spec_of)
    if not isinstance(found, TaskAnswer) or found.bound.relation not in ("deny", "cancel"):
        return None
    return InPart(found, _NO, rest, denied=True)


_NO: Final = "不是"


def _asks(rest: str, where: Situation) -> bool:
    return hear(whole(rest, where)).asks


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
    """The replacement value, if it is an answer by itself. None for a day with a clock, which is a
    beginning."""
    line = whole(rest, where)
    begins = any(time.start is not None and names_day(time.text) for time in line.times)
    if not rest or len(rest) > SHORT or begins:
        return None
    found = align(line, quote, open_tasks, spec_of, called=called)
    return InPart(found, rest, "") if isinstance(found, TaskAnswer) and found.by_agent else None


def _points_elsewhere(rest: str, where: Situation, task: FrameRecord) -> bool:
    """True if the piece points at something without naming any part of the question."""
    line = whole(rest, where)
    points = any("this" in token.classes for token in words_of(line.text, line.times, line.amounts))
    words = "".join(" " if letter.isdigit() else letter for letter in rest)
    return points and not names_part(words, f"{task.text}{task.question or ''}")


def _answers(
    rest: Clause,
    quote: Quote | None,
    others: list[FrameRecord],
    spec_of: Callable[[str], Answering | None],
    called: bool,
) -> bool:
    """True if the rest plainly answers another open question (5点，确认)."""
    found = align(rest, quote, others, spec_of, called=called) if others else None
    return isinstance(found, TaskAnswer) and found.by_agent and not found.bound.weak
