"""Rules of polls: whole lines only. Pure."""

from __future__ import annotations

from typing import Final

from ...language.clause import Clause
from ...language.match import Match
from ...language.polls.orders import PollDraft, PollOrder
from .reader import read_line

WEIGHT: Final = 4
_INTENTS: Final = {
    "show": "show",
    "list": "show",
    "missing": "show",
    "voters": "show",
    "voice": "show",
    "maker": "show",
    "chase": "chase",
    "close": "close",
    "delete": "delete",
    "change": "change",
    "drop": "change",
    "reopen": "change",
    "follow": "follow",
}
_WHY: Final = {
    "make": "要大家投票、报名或统计",
    "answer": "回答的是开着的统计",
    "show": "问的是统计到哪了",
}


def claims(clause: Clause) -> Match | None:
    """Match of a whole line, before it is cut into pieces: 投个票 周六还是周日去爬山, 周五截止."""
    frame = read_line(clause)
    if frame is None:
        return None
    if isinstance(frame.made, PollDraft):
        return Match("make", WEIGHT, why=_WHY["make"])
    if isinstance(frame.order, PollOrder):
        intent = _INTENTS[frame.order.kind]
        return Match(intent, WEIGHT, why=_WHY.get(intent, "说的是开着的统计"))
    return Match("answer", WEIGHT, why=_WHY["answer"])


def rules(clause: Clause) -> Match | None:
    """None for every piece: a piece of talk is no voice, and a poll is ordered by a whole line (`claims`)."""
    return None
