"""What the routing asks of words: their classes together. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...language import Token


def classes(tokens: Iterable[Token]) -> frozenset[str]:
    """Every class that a word of them has."""
    return frozenset(name for token in tokens for name in token.classes)


def hinted(tokens: Sequence[Token], wanted: Sequence[frozenset[str]]) -> bool:
    """Whether each of the sets of classes has a word among them."""
    return all(any(not token.classes.isdisjoint(each) for token in tokens) for each in wanted)
