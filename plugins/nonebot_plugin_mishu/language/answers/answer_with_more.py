"""Details beside a time that answers a question: place, length, participants, notes. 周四上午十点
二楼小会议室 大概一小时 王姐也来 answers a question for a time. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..clause import Clause
from ..clauses.features import chats, hear, talks
from ..clauses.vocabulary import asks_more, says_nothing
from ..names.naming import lasting
from ..reading import words_of
from ..schedule_phrases import REMINDING, split_place
from ..text.tokens import Token

LONGEST: Final = 60
"""Most characters of such a line."""
_MOST_NOTES: Final = 2
"""Most unexplained pieces; more are talk."""
_NAME: Final = 4
"""Most characters of a name."""
_OPENS: Final = frozenset({"filler", "pause", "blank", "courtesy", "is", "result"})
"""Classes without content before a time: 嗯 那就周四十点, 好的 周四."""
_TRAILS: Final = frozenset({"filler", "particle"})
_EMPTY: Final = frozenset({*_OPENS, "particle", "mind", "aside", "courtesy", "call"})
_PAUSE: Final = frozenset({"pause", "blank"})
_COMES: Final = frozenset({"come", "join"})
_AND: Final = frozenset({"with", "pause"})
_NO_NOTE: Final = frozenset(
    {
        *(
            "self",
            "you",
            "what",
            "whether",
            "how_much",
            "tag",
            "negation",
            "prohibit",
            "refuse",
            "denial",
            "may",
        ),
        *("change", "take_away", "make", "remind", "rouse", "enter", "finish", "pay", "look_up", "take_back"),
        *(
            "amount",
            "time",
            "clock",
            "day",
            "reported",
            "says",
            "wish",
            "condition",
            "suggest",
            "leave",
            "free",
        ),
        *(
            "occasion",
            "schedule_noun",
            "task_noun",
            "reminder_noun",
            "money_noun",
            "this",
            "defer",
            "later",
            "earlier",
        ),
    }
)
"""Classes excluded from notes beside a time (老板要看, 带上笔): such a line may be addressed to others, or be
an order."""


@dataclass(frozen=True, slots=True)
class SaidMore:
    """Line starting with a time; `value` is the time alone."""

    value: Clause
    place: str = ""
    minutes: int = 0
    """Length in minutes; 0 if none."""
    comes: tuple[str, ...] = ()
    """Names of further participants (王姐也来)."""
    notes: tuple[str, ...] = ()
    """Pieces not covered by any rule."""
    opened: bool = False
    """Starts with assent (那就周五), as members answer each other."""


def said_more(clause: Clause) -> SaidMore | None:
    """Leading time of a line with its details; None without one, with a second time, or if a piece orders,
    asks or is about the speaker."""
    text = clause.text
    spans = sorted(span for time in clause.times for span in time.spans)
    if not spans or len(text) > LONGEST or any(time.moment is not None for time in clause.times):
        return None
    words = words_of(text, clause.times)
    first, last = spans[0][0], spans[-1][1]
    before = [word for word in words if word.end <= first]
    between = [word for word in words if word.start >= first and word.end <= last]
    if any(not word.classes & _OPENS for word in before):
        return None
    if any(not word.classes & (_PAUSE | {"time"}) for word in between):
        return None
    behind = [word for word in words if word.start >= last]
    while behind and behind[0].classes & _TRAILS:
        behind = behind[1:]
    if behind and not behind[0].classes & (_PAUSE | {"at", "place", "room"}):
        return None  # 周六晚上人多, 明天五点我要去机场
    found = SaidMore(_only(clause, first, last), opened=any(not word.classes & _PAUSE for word in before))
    tied = bool(behind) and not behind[0].classes & _PAUSE
    for piece in _pieces(behind):
        told = _told(found, text[piece[0].start : piece[-1].end], piece, clause)
        if told is None or (tied and told.notes):
            return None  # 12月20号开始放假: of another thing
        found, tied = told, False
    return found if len(found.notes) <= _MOST_NOTES else None


def _only(clause: Clause, first: int, last: int) -> Clause:
    times = tuple(time.moved(-first) for time in clause.times)
    return replace(clause, text=clause.text[first:last], times=times, amounts=())


def _pieces(words: Sequence[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for word in words:
        if not word.classes & _PAUSE:
            piece.append(word)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _told(found: SaidMore, text: str, piece: Sequence[Token], clause: Clause) -> SaidMore | None:
    """`found` with the details of one more piece; None if not part of an answer."""
    if says_nothing(text) or all(word.classes & _EMPTY for word in piece) or REMINDING.fullmatch(text):
        return found
    length = lasting(f"{_AROUND}{text}")
    if length is not None and length[0] == len(_AROUND) - 1:
        return replace(found, minutes=length[1])
    rest, place = split_place(f"{_AROUND}{text}")
    if place and rest == _AROUND.strip() and not any(word.classes & _NO_PLACE for word in piece):
        return replace(found, place=place)
    if (names := _coming(text, piece)) is not None:
        return replace(found, comes=(*found.comes, *names))
    asks = hear(replace(clause, text=text, times=(), amounts=())).asks or asks_more(text)
    if asks or talks(text) or chats(text) or any(word.classes & _NO_NOTE for word in piece):
        return None
    return replace(found, notes=(*found.notes, text))


_NO_PLACE: Final = _NO_NOTE | {"action", "occasion", "come"}
_AROUND: Final = "事 "
"""Prefix of a piece for the readers of places and lengths, which need a noun."""


def _coming(text: str, piece: Sequence[Token]) -> tuple[str, ...] | None:
    """Names of participants (王姐也来, 小李和阿凯也参加); empty for the speaker or all; None if none."""
    trimmed = list(piece)
    while trimmed and trimmed[-1].classes & {"particle"}:
        trimmed.pop()
    if len(trimmed) < 2 or not trimmed[-1].classes & _COMES:
        return None
    who = trimmed[:-1]
    while who and who[-1].classes & {"filler", "ought", "all", "modal"}:
        who.pop()
    if not who or any(word.classes & (_NO_NOTE - {"self", "you"}) for word in who):
        return None
    names, name = list[str](), ""
    for word in who:
        if word.classes & _AND:
            names.append(name)
            name = ""
        elif word.classes & {"self", "you", "all", "group"}:
            continue
        else:
            name += text[word.start - piece[0].start : word.end - piece[0].start]
    found = tuple(one for one in (*names, name) if one)
    return found if all(len(one) <= _NAME for one in found) else None
