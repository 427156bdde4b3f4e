"""States that a reply tells: what is kept here, and what only a look outside would tell.

A table of patterns (`states.toml`) over clauses whose times, sums, numbers and names are one sign each. Pure.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..reading import words_of
from ..recognise.money import find_amounts
from ..recognise.times import parse
from ..text.fold import normalise
from ..text.tokens import Token

LONGEST: Final = 80
"""Characters of a sentence that are looked at."""
GROUNDS: Final = ("deed", "talk")
"""Sections whose rows are grounds of the judge and no states."""
ABOUT: Final = ("plan", "who", "money", "world")
"""Sections of states: what is planned, who comes or said so, who owes and what was spent, the world."""
ZONE: Final = ZoneInfo("Asia/Shanghai")
ANY_MOMENT: Final = datetime(2026, 11, 18, 10, 0, tzinfo=ZONE)
"""Times are only found, not understood: any moment does."""
_SIGNS: Final = (("time", "⏰"), ("amount", "￥"), ("length", "⌛"), ("number", "#"))
_COUNT: Final = Pattern(
    "[一二两俩仨三四五六七八九十百几]+(?=个|位|件|条|项|笔|场|次|杯|样|票|行|节|块|毛|元|人|度|成)"
)
_CLAUSE: Final = Pattern(r"[,，;；]|(?<!\d)[:：]|[:：](?!\d)|(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")
_GAP: Final = Pattern(r"(?<=[^\x00-\x7f]) +(?=\d)|(?<=\d) +(?=[^\x00-\x7f])")


@dataclass(frozen=True, slots=True)
class StateRow:
    """One way to tell a state, or a ground of the judge; `about` is its section."""

    about: str
    name: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class ClaimSentence:
    """A sentence as it is looked at: in its one form, as words, and in clauses with signs for what varies."""

    text: str
    tokens: tuple[Token, ...]
    clauses: tuple[tuple[str, tuple[Token, ...]], ...]


def told(sentence: str) -> ClaimSentence:
    """A sentence whose names of members are 他 already."""
    text = closed_up(normalise(sentence).lower()).rstrip("~。.!… ")[:LONGEST]
    tokens = words_of(text, tuple(parse(text, ANY_MOMENT, ZONE)), tuple(find_amounts(text)))
    clauses: list[tuple[str, tuple[Token, ...]]] = []
    start = 0
    for cut in (*((match.start(), match.end()) for match in _CLAUSE.finditer(text)), (len(text), len(text))):
        inside = tuple(each for each in tokens if start <= each.start < cut[0])
        if inside:
            clauses.append((_signed(text, inside), inside))
        start = cut[1]
    return ClaimSentence(text, tokens, tuple(clauses))


def closed_up(text: str) -> str:
    """A text without the spaces around its numbers: 人均 73 元 is one clause."""
    return _GAP.sub("", text)


def grounds(sentence: ClaimSentence) -> Sequence[StateRow]:
    """The rows that find something in a sentence, in the order of the table."""
    return [row for row in rows() if any(row.pattern.search(clause) for clause, _ in sentence.clauses)]


def states(sentence: ClaimSentence) -> Sequence[StateRow]:
    """The states that are told in a sentence."""
    return [row for row in grounds(sentence) if row.about in ABOUT]


def _signed(text: str, tokens: Sequence[Token]) -> str:
    parts: list[str] = []
    for token in tokens:
        sign = next((sign for name, sign in _SIGNS if name in token.classes), None)
        parts.append(sign or text[token.start : token.end])
    return _COUNT.sub("#", "".join(parts))


@cache
def rows() -> tuple[StateRow, ...]:
    """The table."""
    data: dict[str, Any] = tomllib.loads(Path(__file__).with_name("states.toml").read_text("utf-8"))
    lists = {name: _either(str(words).lower().split()) for name, words in data["words"].items()}
    lists |= {name: str(data["words"][name]).lower() for name in ("mine", "soon")}  # patterns themselves
    return tuple(
        StateRow(about, name, Pattern(_filled(pattern.lower(), lists)))
        for about in (*GROUNDS, *ABOUT)
        for name, pattern in data[about].items()
    )


def _filled(pattern: str, lists: dict[str, str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda match: lists[match.group(1)], pattern)


def _either(words: Collection[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))
