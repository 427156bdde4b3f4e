"""Shift of an item by a length: 推迟半小时, 往后挪一挪 两天, 晚个十分钟. Pure.

A move word with a length behind it, by word classes. A reminder lead (提前半小时叫我) is no shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..reading import words_of
from ..recognise.times import TimeExpression
from ..text.tokens import Token
from .reminder_leads import calls_ahead, minutes_of

_MOVES: Final = frozenset({"later", "earlier"})
_BETWEEN: Final = frozenset({"filler", "unit", "done", "again", "to", "blank", "particle", "result"})
_PARTS: Final = frozenset({"pause", "time"})
_CALLS: Final = frozenset({"remind", "rouse", "rouse_me", "announce"})
_MOST_BETWEEN: Final = 3


@dataclass(frozen=True, slots=True)
class Shift:
    """Shift in minutes, negative for earlier; at `span` of the text, its move word up to `verb_end`."""

    minutes: int
    span: tuple[int, int]
    verb_end: int
    length_at: int
    """Start of the length; the item may precede it (推迟买菜一小时)."""


@lru_cache(maxsize=256)
def shift_in(text: str, times: tuple[TimeExpression, ...] = ()) -> Shift | None:
    """Last shift of a text; None if none."""
    tokens = words_of(text, times)
    found = [
        shift
        for at, token in enumerate(tokens)
        if not token.classes.isdisjoint(_MOVES) and (shift := _shift(text, tokens, at)) is not None
    ]
    return found[-1] if found else None


def _shift(text: str, tokens: Sequence[Token], at: int) -> Shift | None:
    verb = tokens[at]
    for place in range(at + 1, min(at + 2 + _MOST_BETWEEN, len(tokens))):
        token = tokens[place]
        if "length" in token.classes:
            minutes = minutes_of(text[token.start : token.end])
            if minutes is None or _is_lead(verb, tokens[place + 1 :]) or _in_leads(text, verb.start):
                return None
            sign = 1 if "later" in verb.classes else -1
            return Shift(sign * minutes, (verb.start, token.end), verb.end, token.start)
        if token.classes.isdisjoint(_BETWEEN) and (verb.end - verb.start == 1 or token.classes & _PARTS):
            return None
    return None


def _in_leads(text: str, at: int) -> bool:
    """提前一天和提前十分钟各提醒一次: every one of the leads."""
    return any(start <= at < end for start, end in calls_ahead(text))


def _is_lead(verb: Token, behind: Sequence[Token]) -> bool:
    """提前半小时提醒大家."""
    if "earlier" not in verb.classes:
        return False
    said = [token for token in behind if token.classes.isdisjoint({"filler", "again", "mind", "blank"})]
    return bool(said) and not said[0].classes.isdisjoint(_CALLS)
