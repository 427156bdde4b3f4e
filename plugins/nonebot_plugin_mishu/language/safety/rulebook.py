"""Applies the rows of the tables to a text.

A rule is a set of patterns with frames. It speaks when one of its patterns is found somewhere in the text
and none of its frames explains that place away; a frame looks at what stands before the match in its clause,
at the clause, the sentence, or the whole message. Hints say nothing alone: two different ones of a category
together do. Every repetition in a pattern is bounded, so a text is judged in linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ...patterns import Pattern, RowPattern
from .required_characters import Index, needs_of

Grave = Literal["BLOCK", "EMERGENCY"]
Reach = Literal["before", "clause", "sentence", "message"]

_CLAUSE_END: Final = Pattern(r"[,。!?;~]|\.\.+")
_SENTENCE_END: Final = Pattern(r"[。!?;]")
_FARTHEST: Final = 120
"""Characters looked at on each side of a match: keeps one endless clause from costing its square."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """Exemption from a match. `before` looks at what stands before it in its clause; `$` touches it."""

    name: str
    reach: Reach
    pattern: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing the gate stops. `patterns`: one found is enough. `unless` are names of frames."""

    name: str
    verdict: Grave
    category: str
    patterns: tuple[str, ...]
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint(Rule):
    """A weak sign; two hints of the same category with different names make its verdict.

    `weight` is what it counts for among several lines (`core.safety.gate.local_verdict`).
    """

    weight: int = 1


@dataclass(frozen=True, slots=True)
class Hit:
    """Rule that matched, and its place in the text."""

    rule: str
    verdict: Grave
    category: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Ready:
    """One pattern of a row, ready to be tried."""

    order: int
    row: Rule
    pattern: Pattern
    frames: tuple[tuple[Reach, Pattern], ...]


class Rulebook:
    """Rows in the order in which they answer. A pattern is compiled when a text first needs it, once."""

    def __init__(self, rows: Iterable[Rule], frames: Mapping[str, Exemption]) -> None:
        """Raises `KeyError` for an unknown frame, `ValueError` for a pattern it cannot read."""
        self.rows = tuple(rows)
        known: dict[str, tuple[Reach, Pattern]] = {
            name: (frame.reach, RowPattern(frame.pattern)) for name, frame in frames.items()
        }
        self._index: Index[_Ready] = Index(
            (
                needs_of(pattern),
                _Ready(order, row, RowPattern(pattern), tuple(known[name] for name in row.unless)),
            )
            for order, row in enumerate(self.rows)
            for pattern in row.patterns
        )

    def hits(self, text: str) -> list[Hit]:
        """All that speaks in `text` (already in reading form): a hit per row, in the order of the tables."""
        found: list[Hit] = []
        first: dict[str, Hint] = {}
        for row, start, end in self._spoken_in(text):
            if not isinstance(row, Hint):
                found.append(Hit(row.name, row.verdict, row.category, start, end))
            elif first.setdefault(row.category, row).name != row.name:
                name = f"{first[row.category].name} + {row.name}"
                found.append(Hit(name, row.verdict, row.category, start, end))
        return found

    def hints(self, text: str) -> list[Hint]:
        """The hints that speak in `text`, in the order of the tables."""
        return [row for row, _, _ in self._spoken_in(text) if isinstance(row, Hint)]

    def patterns_in(self, text: str) -> list[tuple[Rule, str]]:
        """Every pattern that is found in `text` with no frame around it, and its row: what tests count."""
        return [
            (ready.row, ready.pattern.pattern)
            for ready in self._index.found(text)
            if _find_unframed(text, ready.pattern, ready.frames) is not None
        ]

    def _spoken_in(self, text: str) -> Iterator[tuple[Rule, int, int]]:
        done: set[int] = set()
        for ready in self._index.found(text):
            if ready.order in done:
                continue
            at = _find_unframed(text, ready.pattern, ready.frames)
            if at is not None:
                done.add(ready.order)
                yield ready.row, *at


def _find_unframed(
    text: str, pattern: Pattern, frames: tuple[tuple[Reach, Pattern], ...]
) -> tuple[int, int] | None:
    """Place of a match outside every frame, or None."""
    for match in pattern.finditer(text):
        start, end = match.span()
        if not any(_held(text, start, end, reach, frame) for reach, frame in frames):
            return start, end
    return None


def _held(text: str, start: int, end: int, reach: Reach, frame: Pattern) -> bool:
    if reach == "message":
        return frame.search(text) is not None
    ends = _SENTENCE_END if reach == "sentence" else _CLAUSE_END
    left = max(0, start - _FARTHEST)
    for separator in ends.finditer(text, left, start):
        left = separator.end()
    if reach == "before":
        return frame.search(text[left:start]) is not None
    right = ends.search(text, end, end + _FARTHEST)
    return frame.search(text[left : right.start() if right else end + _FARTHEST]) is not None
