"""Safety rules as data, and the one way they are applied.

A rule is a pattern with guards. It speaks when its pattern is found somewhere in the text and none of its
guards explains that place away; a guard looks at what stands before the match in its clause, at the clause,
the sentence, or the whole message. Hints say nothing alone: two different ones of a family together do.
Every repetition in a pattern is bounded, so a text is judged in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .safety_needs import Index, Source, alternatives

Grave = Literal["BLOCK", "EMERGENCY"]
Reach = Literal["before", "clause", "sentence", "message"]

GAP: Final = r"[^,。!?;、不没别未勿非防]{0,6}"
"""A few characters of the same clause that hold no negation."""
NO: Final = "[^,。!?;不没别]"
"""One character of the same clause that negates nothing."""
WIDE: Final = r"[^,。!?;]{0,10}"
"""Up to ten characters of the same clause, whatever they are."""

_CLAUSE_END: Final = re.compile(r"[,。!?;~]|\.\.+")
_SENTENCE_END: Final = re.compile(r"[。!?;]")
_FARTHEST: Final = 120
"""Characters looked at on each side of a match: keeps one endless clause from costing its square."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What explains a match away; `before` patterns end with `$`, they touch the match."""

    reach: Reach
    pattern: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing the gate stops. `guards` are names in the guard table."""

    name: str
    verdict: Grave
    category: str
    pattern: str
    guards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """A weak sign; two hints of the same category with different names make its verdict."""

    name: str
    verdict: Grave
    category: str
    pattern: str
    guards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Family:
    """Rules and hints of one subject; of several that speak, the first in the table answers."""

    rules: tuple[Rule, ...]
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """Which rule spoke, and where."""

    rule: str
    verdict: Grave
    category: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Ready:
    """One alternative of a rule or hint, ready to be tried."""

    order: int
    entry: Rule | Hint
    pattern: Source
    guards: tuple[tuple[Reach, Source], ...]


class Rulebook:
    """Families of rules. A pattern is compiled when a text first needs it, once."""

    def __init__(self, families: Iterable[Family], guards: Mapping[str, Guard]) -> None:
        """Raises `KeyError` for an unknown guard, `ValueError` for a pattern it cannot read."""
        known: dict[str, tuple[Reach, Source]] = {
            name: (guard.reach, Source(guard.pattern)) for name, guard in guards.items()
        }
        entries = [entry for family in families for entry in (*family.rules, *family.hints)]
        self._index: Index[_Ready] = Index(
            (part.needs, _Ready(order, entry, part.pattern, tuple(known[name] for name in entry.guards)))
            for order, entry in enumerate(entries)
            for part in alternatives(entry.pattern)
        )

    def hits(self, text: str) -> list[Hit]:
        """All that speaks in `text` (already in reading form): a hit per rule, in the order of the tables."""
        found: list[Hit] = []
        first: dict[str, Hint] = {}
        done: set[int] = set()
        for ready in self._index.found(text):
            if ready.order in done:
                continue
            at = _spoken(text, ready.pattern, ready.guards)
            if at is None:
                continue
            done.add(ready.order)
            entry = ready.entry
            if isinstance(entry, Rule):
                found.append(Hit(entry.name, entry.verdict, entry.category, *at))
            elif first.setdefault(entry.category, entry).name != entry.name:
                name = f"{first[entry.category].name} + {entry.name}"
                found.append(Hit(name, entry.verdict, entry.category, *at))
        return found


def _spoken(text: str, pattern: Source, guards: tuple[tuple[Reach, Source], ...]) -> tuple[int, int] | None:
    """Where the pattern stands and no guard holds, or None."""
    for match in pattern.compiled.finditer(text):
        start, end = match.span()
        if not any(_held(text, start, end, reach, guard.compiled) for reach, guard in guards):
            return start, end
    return None


def _held(text: str, start: int, end: int, reach: Reach, guard: re.Pattern[str]) -> bool:
    if reach == "message":
        return guard.search(text) is not None
    ends = _SENTENCE_END if reach == "sentence" else _CLAUSE_END
    left = max(0, start - _FARTHEST)
    for separator in ends.finditer(text, left, start):
        left = separator.end()
    if reach == "before":
        return guard.search(text[left:start]) is not None
    right = ends.search(text, end, end + _FARTHEST)
    return guard.search(text[left : right.start() if right else end + _FARTHEST]) is not None
