"""Word classes of several words together. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...language import Token


def classes(tokens: Iterable[Token]) -> frozenset[str]:
    """Union of the words' classes."""
    return frozenset(name for token in tokens for name in token.classes)


def hinted(tokens: Sequence[Token], wanted: Sequence[frozenset[str]]) -> bool:
    """True if each of the sets of classes has a word among them."""
    return all(any(not token.classes.isdisjoint(each) for token in tokens) for each in wanted)
