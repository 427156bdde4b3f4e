"""The words of an item: which of what was said is about an amount, and what the item is called. Pure.

The tagger finds what items are called (`language/ledger/items.py`); where it finds nothing about an
amount, the words around that say it, without those that only carry a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ..learned.tagger import Tagged
from ..ledger.items import (
    Span,
    channel_of,
    core_of,
    is_channel,
    is_denied,
    is_type_word,
    item_tokens,
    items_tagged,
    without_denied,
    words_around,
)
from ..recognise.money import Amount
from ..recognise.times import TimeExpression
from ..text.tokens import Token
from .entry import LONGEST_DESCRIPTION

_ENDS: Final = frozenset(",;、!?。\n")
_DOUBTED: Final = 20.0
"""Penalty for a name that is negated, or only a payment channel."""


@dataclass(frozen=True, slots=True)
class AmountPiece:
    """An amount with the stretch of text that is about it."""

    amount: Amount
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Named:
    """A line of which items are to be called: the names found in it, and the stretches that are none."""

    line: str
    found: tuple[Tagged, ...] = ()
    holes: tuple[Span, ...] = ()
    people: tuple[Span, ...] = ()
    """Spans of people in the line."""
    whole: bool = False
    """A name for every amount."""

    def tells(self, start: int, end: int) -> bool:
        """True if a stretch names a thing, not only a payment."""
        if self._within(start, end):
            return True
        return not self.whole and words_around(self.line, (start, end), self.holes) != ""

    def of(self, piece: AmountPiece) -> str:
        """Name of a piece's item."""
        found = self._within(piece.start, piece.end)
        if not found:
            said = self.around(piece)
            return channel_of(said) or said
        best = max(found, key=self._probable)
        core = core_of(self.line, (best.start, best.end))
        if core is None or is_channel(self.line[slice(*core)]):
            said = self.around(piece)
            named = self.line[best.start : best.end]
            return channel_of(said) or said or ("" if is_type_word(named) else named)
        return self.line[slice(*core)].strip()[:LONGEST_DESCRIPTION]

    def around(self, piece: AmountPiece) -> str:
        """All that a piece says beside what only carries its sum."""
        said = words_around(self.line, (piece.start, piece.end), self.holes)
        return without_denied(said).strip()[:LONGEST_DESCRIPTION]

    def only_somebody(self, piece: AmountPiece) -> bool:
        """A piece names somebody and no thing (工资发了小李4200 阿芳3900)."""
        within = [each for each in self.people if piece.start <= each[0] and each[1] <= piece.end]
        return len(within) == 1 and self.around(piece) == self.line[slice(*within[0])]

    def _probable(self, found: Tagged) -> float:
        """Probability of a name among others of the same amount."""
        said = self.line[found.start : found.end]
        empty = core_of(self.line, (found.start, found.end)) is None or is_channel(said)
        return found.margin - _DOUBTED * (empty or is_denied(self.line, found.start))

    def _within(self, start: int, end: int) -> list[Tagged]:
        return [each for each in self.found if start <= each.start and each.end <= end]


def names_in_line(
    line: str,
    times: Sequence[TimeExpression],
    amounts: Sequence[Amount],
    holes: Sequence[Span],
    blanked: str,
    people: Sequence[Span] = (),
) -> Named:
    """The names of items in a line; `holes` are its times and sums, who pays and who shares; `blanked` is the
    line without its times and sharers; `people` are whom it names at all, and no name of a thing."""
    found = tuple(
        each
        for each in items_tagged(line, times, amounts)
        if all(end <= each.start or each.end <= start for start, end in holes)
        and not any(start <= each.start < end and each.end <= end + 1 for start, end in people)
    )
    return Named(blanked, found, tuple(holes), tuple(people), len(found) >= len(amounts) > 0)


def cut(named: Named, amounts: Sequence[Amount]) -> list[AmountPiece]:
    """Cut the text into one stretch for each amount."""
    if not amounts:
        return []
    pieces: list[AmountPiece] = []
    carried: int | None = None
    """Start of a clause without an amount, joined to the next amount (吃饭，花了35)."""
    for start, end in clauses(named.line, amounts):
        inside = [found for found in amounts if start <= found.start < end]
        tells = named.tells(start, end)
        if not inside:
            if pieces and not tells_around(named, pieces[-1]) and tells and not asks(named.line[start:end]):
                pieces[-1] = replace(pieces[-1], end=end)  # 实付150，买了个包
                continue
            carried = start if carried is None and tells else carried
            continue
        leads = named.tells(start, inside[0].start)
        first = start
        if carried is not None and not leads and not named.tells(inside[-1].end, end):
            first = carried
        carried = None
        parts = _parts(named, inside, end) if not leads else []
        for index, amount in enumerate(inside):
            following = inside[index + 1].start if index + 1 < len(inside) else end
            if leads or first != start:
                opening = first if index == 0 else inside[index - 1].end
                closing = end if index + 1 == len(inside) else amount.end
            else:
                opening = first if index == 0 else parts[index - 1] or amount.start
                closing = parts[index] or following
            pieces.append(AmountPiece(amount, opening, closing))
    return pieces


def _parts(named: Named, inside: Sequence[Amount], end: int) -> list[int | None]:
    """Ends of the words behind each amount; None: the start of the next amount. In 充了50话费 又买了书45 the
    second amount's words are before it."""
    if len(inside) < 2 or named.tells(inside[-1].end, end):
        return [None] * len(inside)
    ends: list[int | None] = []
    for amount, following in pairwise(inside):
        words = item_tokens(named.line[amount.end : following.start], ())
        at = next((amount.end + word.start for word in words if _anew(word)), None)
        ends.append(at if at is not None and named.tells(amount.end, at) else None)
    return [*ends, None]


def _anew(word: Token) -> bool:
    return "blank" in word.classes or "more" in word.classes


def without(line: str, spans: Sequence[Span]) -> str:
    """`line` with blanks in place of these stretches."""
    for start, end in spans:
        line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return line


def tells_around(named: Named, piece: AmountPiece) -> bool:
    """True if a piece names its thing."""
    return named.tells(piece.start, piece.amount.start) or named.tells(piece.amount.end, piece.end)


def clauses(line: str, amounts: Sequence[Amount]) -> list[Span]:
    """The stretches of a line between its pauses; 昨天 交了房租2500 is one, nothing was told before it."""
    words = item_tokens(line, [(each.start, each.end) for each in amounts])
    found: list[Span] = []
    position, told = 0, False
    for at, word in enumerate(words):
        told = told or "hole" in word.classes
        ends = line[word.start : word.end] in _ENDS or "parts" in word.classes
        if not ends and not ("blank" in word.classes and told and _moves(words[at + 1 :])):
            continue
        found.append((position, word.start))
        position, told = word.end, False
    found.append((position, len(line)))
    return found


def _moves(words: Sequence[Token]) -> bool:
    """True for a verb of payment among the first words (又交了, 还了)."""
    behind = [word for word in words[:2] if "more" not in word.classes]
    return bool(behind) and "moves" in behind[0].classes


def price_words(line: str, amounts: Sequence[Amount]) -> list[Span]:
    """The words that say what a sum is of, and nothing of the thing (原价, 满 before a number)."""
    starts = {each.start for each in amounts}
    return [
        (word.start, word.end)
        for word in item_tokens(line, [(each.start, each.end) for each in amounts])
        if "price" in word.classes or ("off" in word.classes and word.end in starts)
    ]


def asks(text: str) -> bool:
    """True for a question or a plan."""
    return any("talks" in word.classes for word in item_tokens(text, ()))
