"""Selection of the lines of a long span for a model: decisions, plans, questions, then rare words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, log
from typing import Final

from ..language.lines.line import RecordLine
from ..language.lines.marks import asks, assents, assigns, decides, links, plans, proposes
from ..memory.terms import terms

EVEN: Final = 500
"""Lines of talk that one piece covers at the least where a span is long: more of them cost no more calls."""
_SHORT: Final = 4


def pieces(
    lines: Sequence[RecordLine], cost: Callable[[RecordLine], int], room: int
) -> list[Sequence[RecordLine]]:
    """A stretch of talk cut into even pieces: each of at most about `room`, or of `EVEN` lines and more."""
    total = sum(cost(line) for line in lines)
    count = max(1, min(ceil(total / room), ceil(len(lines) / EVEN)))
    size = ceil(len(lines) / count) if lines else 1
    return [lines[at : at + size] for at in range(0, len(lines), size)]


def telling(
    lines: Sequence[RecordLine],
    cost: Callable[[RecordLine], int],
    room: int,
    before: Mapping[str, int] | None = None,
) -> list[RecordLine]:
    """The lines of a piece that fit into `room`, in their order; small talk is left out first."""
    known = before or {}

    def worth(line: RecordLine) -> tuple[int, float]:
        if line.bot or assents(line) or len(line.text) < _SHORT:
            return 0, float(len(line.text))
        weight = sum(1 / (1 + log(1 + known.get(term, 0))) for term in terms(line.text[:120]))
        if decides(line) or assigns(line) or line.files or links(line) or plans(line):
            return 3, weight
        return (2 if proposes(line) or asks(line) else 1), weight

    left = room
    chosen: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda at: worth(lines[at]), reverse=True):
        price = cost(lines[place])
        if price <= left:
            left -= price
            chosen.add(place)
    return [line for place, line in enumerate(lines) if place in chosen]
