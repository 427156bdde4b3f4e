"""Ranking of summaries by likeness to a text: by rare words, by vectors, and both merged. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

SINGLE = 0.25
"""Weight of a single character beside a pair or a word."""
_SPREAD = 60.0
"""Added in reciprocal ranks: how little the first places of one order outweigh the other order."""


def by_words(asked: Iterable[str], found: Mapping[K, Sequence[str]]) -> list[K]:
    """Keys of texts (given as their terms), the most alike first; those without a common term left out.

    The same on every database: a term counts the more the fewer of the texts have it, a pair more than a
    single character, and a long text less than a short one with as much in common.
    """
    wanted = set(asked)
    common = {key: wanted.intersection(terms) for key, terms in found.items()}
    spread = Counter(term for terms in common.values() for term in terms)
    total = len(found)

    def weight(term: str) -> float:
        rare = math.log(1 + (total - spread[term] + 0.5) / (spread[term] + 0.5))
        return rare * (SINGLE if len(term) == 1 and not term.isascii() else 1.0)

    weights = {term: weight(term) for term in spread}
    scores = {
        key: sum(weights[term] for term in sorted(terms)) / math.log(8 + len(found[key]))
        for key, terms in common.items()
        if terms
    }
    # Python's sort keeps equals in the order they came: the database's own.
    return sorted(scores, key=scores.__getitem__, reverse=True)


def merged(*orders: Sequence[K]) -> list[K]:
    """One order out of several, by reciprocal ranks."""
    scores: dict[K, float] = {}
    for order in orders:
        for rank, key in enumerate(order):
            scores[key] = scores.get(key, 0.0) + 1.0 / (_SPREAD + rank)
    return sorted(scores, key=scores.__getitem__, reverse=True)
