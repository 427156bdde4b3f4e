"""Tokens of a line: the best cover by known words and recognised things. Pure.

Words come from the lexicon; things (times, amounts, members, open items) from their recognisers; anything
else is an unread character. Fewest unread characters win, then fewest tokens, then the longer token first
(不要了 before 不要 before 不).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..lexicon import Lexicon

UNREAD: Final = frozenset({"unread"})
LATIN: Final = frozenset({"unread", "latin"})
NUMBER: Final = frozenset({"unread", "number"})
PAUSE: Final = frozenset({"pause"})
STOP: Final = frozenset({"pause", "stop"})
ASKS: Final = frozenset({"whether"})
BLANK: Final = frozenset({"pause", "blank"})
AND: Final = frozenset({"and"})
MARK: Final = frozenset({"mark"})
SIGN: Final = frozenset({"sign"})
_MARKS: Final = {
    **dict.fromkeys(",:…·~—|", PAUSE),
    **dict.fromkeys("\"'“”‘’「」『』()[]{}【】《》-_^`#/\\*=<>@", MARK),
    **dict.fromkeys("、&+", AND),
    **dict.fromkeys(".;!。", STOP),
    "?": ASKS,
    " ": BLANK,
}
MARKS: Final = (UNREAD, LATIN, NUMBER, PAUSE, STOP, ASKS, BLANK, SIGN, AND, MARK)
"""Classes outside the lexicon and the recognised things."""
_COST_UNREAD: Final = 100
_COST_TOKEN: Final = 1


@dataclass(frozen=True, slots=True)
class Thing:
    """A recognised thing at a half-open span of the line: classes and value."""

    start: int
    end: int
    classes: frozenset[str]
    value: object = None


@dataclass(frozen=True, slots=True)
class Token:
    """A word or thing of a line, at a half-open span. `value`: of a thing, None for words."""

    start: int
    end: int
    classes: frozenset[str]
    value: object = None

    @property
    def unread(self) -> bool:
        """True for an unknown token."""
        return "unread" in self.classes


def tokens(line: str, lexicon: Lexicon, things: Sequence[Thing] = ()) -> tuple[Token, ...]:
    """Tokens of a normalised line (`language.text.fold`) in lower case. Never raises. Linear in the length;
    things outside the line are left out."""
    end = len(line)
    starting: dict[int, list[Thing]] = {}
    for thing in things:
        if 0 <= thing.start < thing.end <= end:
            starting.setdefault(thing.start, []).append(thing)
    costs = [0] * (end + 1)
    path: list[tuple[int, frozenset[str], object]] = [(end, UNREAD, None)] * (end + 1)
    known, starts = lexicon.words, lexicon.starts
    run, kind = end, STOP
    for at in range(end - 1, -1, -1):
        character = line[at]
        classes = _alone(character)
        # A run of letters or of digits is one token from wherever it is read.
        run = to = run if classes is kind and (classes is LATIN or classes is NUMBER) else at + 1
        kind = classes
        best = costs[to] + (_COST_UNREAD if "unread" in classes else _COST_TOKEN)
        chosen: tuple[int, frozenset[str], object] = (to, classes, None)
        for length in starts.get(character, ()):
            to = at + length
            if to > end:
                continue
            word = known.get(line[at:to])
            if word is None or not _whole(line, at, to):
                continue
            cost = _COST_TOKEN + costs[to]
            if cost < best or (cost == best and to > chosen[0]):
                best, chosen = cost, (to, word, None)
        for thing in starting.get(at, ()):
            cost = costs[thing.end] - (thing.end - thing.start)  # recognised things before words
            if cost < best:
                best, chosen = cost, (thing.end, thing.classes, thing.value)
        costs[at], path[at] = best, chosen
    return tuple(_walk(path))


def _walk(path: Sequence[tuple[int, frozenset[str], object]]) -> Iterator[Token]:
    at = 0
    while at < len(path) - 1:
        to, classes, value = path[at]
        yield Token(at, to, classes, value)
        at = to


def _whole(line: str, start: int, end: int) -> bool:
    """True unless a Latin letter continues a Latin word: ok, not okra."""
    if not _latin(line[start]) and not _latin(line[end - 1]):
        return True
    before = start > 0 and _latin(line[start]) and _latin(line[start - 1])
    return not before and not (end < len(line) and _latin(line[end - 1]) and _latin(line[end]))


def _latin(character: str) -> bool:
    return "a" <= character <= "z"


@lru_cache(maxsize=8192)
def _alone(character: str) -> frozenset[str]:
    """Classes of a character outside words: letter, digit, mark, picture."""
    if _latin(character):
        return LATIN
    if "0" <= character <= "9":
        return NUMBER
    found = _MARKS.get(character)
    if found is not None:
        return found
    return SIGN if unicodedata.category(character) in ("So", "Sk", "Mn", "Cf") else UNREAD
