"""Refusals of single items in a line that may say more (转我妈那个别记了 奶茶是16). Pure.

Refused items are taken out by code, whatever else the line says: a refusal waits for no model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..language.cards.pointed import Pointed
from ..language.cards.refused_items import item_numbers, line_pieces, means_last, telling_pieces
from ..language.cards.told_instead import told_instead
from ..language.cards.triage import only_items
from .batch import Item, ItemModel, ItemState

Pending = Sequence[tuple[int, Any]]


@dataclass(frozen=True)
class Parts:
    """Parts of a line: the items it refuses (0-based), and the rest to be read as a line.

    `which`: one more is refused, and it is not clear which.
    """

    refused: tuple[int, ...] = ()
    rest: str = ""
    which: bool = False


def take_apart(
    text: str, items: Sequence[Item[Any]], model: ItemModel[Any], touched: Collection[int]
) -> Parts | None:
    """Refused items and rest of a line that is no order as a whole; None if it refuses no item.

    Args:
        text: the owner's line.
        items: all items of the card; a name shared by several means a pending one.
        model: the agent's naming functions.
        touched: numbers of the items changed or added last.
    """
    size = len(items)
    card = [(item.number, item.value) for item in items]
    pending = [(item.number, item.value) for item in items if item.state is ItemState.PENDING]

    def pointing(words: str) -> Pointed:
        numbers = only_items(words, size)
        if numbers:
            return Pointed(numbers)
        meant = model.pointing(words, card)  # also what is gone: 午饭 is no other dish then
        return model.pointing(words, pending) if meant.which else meant

    def mentioned(words: str) -> set[int]:
        return item_numbers(model.naming(words, pending))

    pieces = line_pieces(text, pointing, mentioned, size)
    told = [piece.text for piece in pieces] if all(piece.subject is None for piece in pieces) else []
    if (rest := told_instead(told, size)) is not None:
        return Parts(tuple(number for number, _ in pending), rest)
    if not any(piece.subject is not None for piece in pieces):
        return None
    kept = [piece.text for piece in pieces if piece.subject is None]
    sure = {item for piece in pieces if piece.pointed is not None for item in piece.pointed.items}
    spoken = sure | {item for each in kept for item in mentioned(each)}
    refused, which = set(sure), any(piece.pointed is not None and piece.pointed.which for piece in pieces)
    for piece in pieces:
        if piece.subject is not None and piece.pointed is None:
            meant = _demonstrated(piece.subject, pending, touched, spoken)
            which = which or meant is None
            refused |= set() if meant is None else {meant}
    terms = model.terms([value for _, value in pending])
    return Parts(tuple(sorted(refused)), "，".join(telling_pieces(kept, size, terms)), which)


def _demonstrated(subject: str, pending: Pending, touched: Collection[int], spoken: set[int]) -> int | None:
    """Number of the item that 那个 or 刚才那笔 means; None if it is not clear."""
    numbers = [number for number, _ in pending]
    last = [number for number in numbers if number in touched]
    if len(numbers) == 1:
        return numbers[0]
    if means_last(subject):
        return (last or numbers)[-1]
    left = [number for number in numbers if number not in spoken]
    if len(left) == 1:
        return left[0]
    return last[0] if len(last) == 1 and last[0] not in spoken else None
