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

Grave = Literal["BLOCK", "EMERGENCY"]
Reach = Literal["before", "clause", "sentence", "message"]

GAP: Final = r"[^,。!?;、不没别未勿非防]{0,6}"
"""A few characters of the same clause that hold no negation."""
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
    """Rules and hints that share a cue: where the cue is nowhere in the text, none of them is tried."""

    cue: str
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


_Compiled = tuple[re.Pattern[str], tuple[tuple[Reach, re.Pattern[str]], ...]]


class Rulebook:
    """Families of rules, compiled once."""

    def __init__(self, families: Iterable[Family], guards: Mapping[str, Guard]) -> None:
        """Raises `KeyError` for a guard that the table does not know, `re.error` for a broken pattern."""
        known: dict[str, tuple[Reach, re.Pattern[str]]] = {
            name: (guard.reach, re.compile(guard.pattern)) for name, guard in guards.items()
        }

        def compiled(rule: Rule | Hint) -> _Compiled:
            return re.compile(rule.pattern), tuple(known[name] for name in rule.guards)

        self._families = [
            (
                re.compile(family.cue),
                [(rule, compiled(rule)) for rule in family.rules],
                [(hint, compiled(hint)) for hint in family.hints],
            )
            for family in families
        ]

    def hits(self, text: str, *, cues: bool = True) -> list[Hit]:
        """Everything that speaks in `text` (already in reading form), at most one hit per rule.

        `cues=False` tries every rule, for tests that no cue hides one.
        """
        found: list[Hit] = []
        for cue, rules, hints in self._families:
            if cues and cue.search(text) is None:
                continue
            for rule, form in rules:
                at = _spoken(text, form)
                if at is not None:
                    found.append(Hit(rule.name, rule.verdict, rule.category, *at))
            found.extend(_together(text, hints))
        return found


def _together(text: str, hints: list[tuple[Hint, _Compiled]]) -> list[Hit]:
    """A hit for the first two hints of one category that are both in the text."""
    first: dict[str, Hint] = {}
    found: dict[str, Hit] = {}
    for hint, form in hints:
        if hint.category in found:
            continue
        at = _spoken(text, form)
        if at is None:
            continue
        other = first.setdefault(hint.category, hint)
        if other.name != hint.name:
            name = f"{other.name} + {hint.name}"
            found[hint.category] = Hit(name, hint.verdict, hint.category, *at)
    return list(found.values())


def _spoken(text: str, form: _Compiled) -> tuple[int, int] | None:
    """Where the pattern stands and no guard holds, or None."""
    pattern, guards = form
    for match in pattern.finditer(text):
        start, end = match.span()
        if not any(_held(text, start, end, reach, guard) for reach, guard in guards):
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
