"""Word sequences that are orders: patterns over the letters of `language.answers.answer_words.Word`.

A line is read as a whole: every character belongs to a known word, and the letters of its words (fillers left
out, `|` for a pause, `i` for named items) match one pattern from end to end. Anything else is no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ...patterns import Pattern


class Kind(StrEnum):
    """Kinds of lines for a batch (seed 4; `contracts.md`, `triage`)."""

    CANCEL = "cancel"
    EXIT = "exit"
    CONTINUE = "continueRecording"
    CONFIRM = "confirm"
    CONFIRM_ITEM = "confirmItem"
    CANCEL_ITEM = "cancelItem"
    CORRECTION = "correction"
    NEW_INPUT = "newInput"


@dataclass(frozen=True)
class GrammarToken:
    """One word of a line: its letter, and the items it names where the letter is `i`."""

    letter: str
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class Order:
    """One thing a line orders. `items` is empty where it is about everything pending."""

    kind: Kind
    items: tuple[int, ...] = ()
    scoped: bool = False
    """Items given: named, all, or the rest."""
    complement: bool = False
    """`items` are all but those named: of them the pending ones."""


@dataclass(frozen=True)
class _Pattern:
    kind: Kind
    letters: str
    complement: bool = False
    """The items named are those it is not about."""


_NOD: Final = r"(?:y\|?){0,12}"
_REFUSAL: Final = r"[xw]*(?:[xw]|n)"
_WRONG: Final = r"(?:j\|)?"
_ANEW: Final = r"(?:\|?r)?"

PATTERNS: Final = (
    _Pattern(Kind.CANCEL, rf"{_WRONG}{_NOD}c?[amxw]*(?:n|[xw]\|?[am]*){_ANEW}"),
    _Pattern(Kind.CANCEL, rf"{_WRONG}{_NOD}[am]+\|?c?{_REFUSAL}{_ANEW}"),
    _Pattern(Kind.CANCEL, r"b+"),
    _Pattern(Kind.CANCEL, rf"{_NOD}c?(?:[xw]+e+|e+[xw]+)"),
    _Pattern(Kind.CONFIRM, rf"{_NOD}[am]*c*v+[am]*e+"),
    _Pattern(Kind.EXIT, rf"{_NOD}c?e+"),
    _Pattern(Kind.CONTINUE, rf"{_NOD}(?:t\|?)*c?k+"),
    _Pattern(Kind.CONFIRM, rf"{_NOD}[am]*\|?[amcvy]*[cvy]\|?[am]*"),
    _Pattern(Kind.CONFIRM_ITEM, rf"{_NOD}[cv]*[cv]\|?a?i+a?[cv]*"),
    _Pattern(Kind.CONFIRM_ITEM, rf"{_NOD}i+\|?a?[cvy]+(?:\|[cvy]+)*"),
    _Pattern(Kind.CANCEL_ITEM, rf"{_NOD}c?x*[xn]\|?a?i+a?[xw]*(?:\|?[uj])*"),
    _Pattern(Kind.CANCEL_ITEM, rf"{_NOD}(?:w\|)?i+\|?(?:[uj]\|?)*a?c?{_REFUSAL}(?:\|?[uj])*"),
    _Pattern(Kind.CANCEL_ITEM, rf"{_NOD}i+\|?u+"),
    _Pattern(Kind.CONFIRM_ITEM, rf"{_NOD}zi+o?\|?[am]*\|?[cvy]+", complement=True),
    _Pattern(Kind.CONFIRM_ITEM, rf"{_NOD}a?[cv]+a?\|?zi+o?", complement=True),
    _Pattern(Kind.CANCEL_ITEM, rf"{_NOD}zi+o?\|?[am]*\|?c?{_REFUSAL}", complement=True),
    _Pattern(Kind.CANCEL_ITEM, rf"{_NOD}c?a?x+a?\|?zi+o?", complement=True),
)
"""In order of priority: cancel, exit, continueRecording, confirm, then items (they do not overlap)."""

_COMPILED: Final = tuple((pattern, Pattern(pattern.letters)) for pattern in PATTERNS)
_BEHIND: Final = Pattern(rf"z?(?:i+|[am]+)a?(?:[cvy]+|c?{_REFUSAL})")
_BEFORE: Final = Pattern(r"(?:[cv]+|x+|n)a?(?:i+|[am]+)")
_ITEM_KINDS: Final = frozenset({Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM})
_TOGETHER: Final = {
    frozenset({Kind.CANCEL, Kind.EXIT}): Kind.CANCEL,
    frozenset({Kind.CONFIRM, Kind.EXIT}): Kind.CONFIRM,
}
"""Result of two whole-batch orders in one line."""


def orders(tokens: Sequence[GrammarToken], item_count: int) -> tuple[Order, ...]:
    """The orders that `tokens` give, in the order in which they are to be carried out; empty: none.

    Several orders of one kind are one. Orders about items come before one about the rest (其他的都确认).
    """
    single = _single(tokens, item_count)
    if single is not None:
        return (single,)
    clauses = _clauses(tokens)
    parts = [_single(clause, item_count) for clause in clauses]
    if len(clauses) < 2 or None in parts:
        parts = _tiles([token for token in tokens if token.letter != "|"], item_count)
    found = [part for part in parts if part is not None]
    if len(found) < 2 or len(found) != len(parts):
        return ()
    return _together(found)


def _single(tokens: Sequence[GrammarToken], item_count: int) -> Order | None:
    letters = "".join(token.letter for token in tokens)
    pattern = _pattern(letters)
    if pattern is None:
        return None
    items = {item for token in tokens for item in token.items}
    if pattern.complement:
        if not items or max(items) >= item_count:
            return None
        items = set(range(item_count)) - items
        if not items:
            return None
    scoped = bool(items) or "a" in letters or "m" in letters
    return Order(pattern.kind, tuple(sorted(items)), scoped, pattern.complement)


@lru_cache(maxsize=1024)
def _pattern(letters: str) -> _Pattern | None:
    for pattern, compiled in _COMPILED:
        if compiled.fullmatch(letters):
            return pattern
    return None


def _clauses(tokens: Sequence[GrammarToken]) -> list[list[GrammarToken]]:
    """The parts between pauses, without those that only nod."""
    clauses: list[list[GrammarToken]] = [[]]
    for token in tokens:
        if token.letter == "|":
            clauses.append([])
        else:
            clauses[-1].append(token)
    spoken = [clause for clause in clauses if clause]
    telling = [clause for clause in spoken if any(token.letter != "y" for token in clause)]
    return telling or spoken


def _tiles(tokens: list[GrammarToken], item_count: int) -> list[Order | None]:
    """第一笔确认第二笔删掉 cut into its orders, where there is exactly one way to cut it."""
    letters = "".join(token.letter for token in tokens)
    ways: list[list[Order | None]] = []
    for unit in (_BEHIND, _BEFORE):
        spans = [found.span() for found in unit.finditer(letters)]
        if len(spans) > 1 and sum(end - start for start, end in spans) == len(letters):
            cut = [tokens[start:end] for start, end in spans]
            ways.append([_single([t for t in part if t.letter != "z"], item_count) for part in cut])
    return ways[0] if len(ways) == 1 else []


def _together(found: list[Order]) -> tuple[Order, ...]:
    kinds = {order.kind for order in found}
    if len(kinds) == 1:
        items = {item for order in found for item in order.items}
        return (Order(found[0].kind, tuple(sorted(items)), found[0].scoped),)
    whole = _TOGETHER.get(frozenset(kinds))
    if whole is not None:
        return (Order(whole),)
    if not kinds & _ITEM_KINDS or not all(order.scoped for order in found):
        return ()
    if kinds & {Kind.EXIT, Kind.CONTINUE}:
        return ()
    named = [item for order in found for item in order.items]
    if len(named) != len(set(named)):
        return ()
    return tuple(sorted(found, key=lambda order: order.kind not in _ITEM_KINDS))
