"""Characters required by a pattern, so that most patterns are never tried on most texts.

`needs_of` names sets of characters of which every match of a pattern holds at least one each. `Index` finds
the patterns whose sets all meet a text. The tables have more than a thousand; a line of chat wakes a handful.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar

from ...patterns import Pattern

Needs = tuple[frozenset[str], ...]
_T = TypeVar("_T")

_COMMON: Final = frozenset("的了我你他她是不在有人一个想要这那就都也怎么什给把上下到过来去吃好会能可以")
_COMMON_COSTS: Final = 12
_LARGEST_RANGE: Final = 64
_QUANTIFIER: Final = Pattern(r"[?*+]|\{(\d*)(?:,\d*)?\}")


def needs_of(pattern: str) -> Needs:
    """Characters that every match of `pattern` needs; of several alternatives one set for each.

    Reads what the tables use: literals, classes, non-capturing groups, look-around, the quantifiers. Raises
    `ValueError` for anything else.
    """
    reader = _Reader(pattern)
    parts = reader.branches()
    if reader.at != len(pattern):
        raise ValueError(f"unbalanced parenthesis at {reader.at}: {pattern}")
    return _either(parts)


class _Reader:
    """Recursive descent over a pattern; `at` is the next character to read."""

    def __init__(self, pattern: str) -> None:
        self.at = 0
        self._pattern = pattern

    def branches(self) -> list[Needs]:
        """Characters that each alternative needs, up to the end of the group or pattern."""
        found: list[Needs] = []
        while True:
            found.append(self._sequence())
            if self._next() != "|":
                return found
            self.at += 1

    def _next(self) -> str:
        return self._pattern[self.at : self.at + 1]

    def _sequence(self) -> Needs:
        needs: list[frozenset[str]] = []
        while self._next() not in ("", "|", ")"):
            atom = self._atom()
            if not self._optional():
                needs.extend(atom)
        return tuple(dict.fromkeys(needs))

    def _atom(self) -> Needs:
        character = self._next()
        self.at += 1
        if character == "(":
            return self._group()
        if character == "[":
            return self._class()
        if character == "\\":
            escaped = self._next()
            self.at += 1
            return () if escaped.isalnum() else (frozenset(escaped),)
        return () if character in ".^$" else (frozenset(character),)

    def _group(self) -> Needs:
        mark = next(
            (m for m in ("?:", "?=", "?!", "?<=", "?<!") if self._pattern.startswith(m, self.at)), None
        )
        if mark is None:
            raise ValueError(f"capturing group at {self.at}: {self._pattern}")
        self.at += len(mark)
        parts = self.branches()
        self.at += 1  # the closing parenthesis
        if mark != "?:":
            return ()
        return _either(parts)

    def _class(self) -> Needs:
        end = self._pattern.index("]", self.at + 1)
        inside = self._pattern[self.at : end]
        self.at = end + 1
        if inside.startswith("^") or "\\" in inside:
            return ()
        characters = set(re.sub("(.)-(.)", r"\1\2", inside))
        for first, last in re.findall("(.)-(.)", inside):
            if ord(last) - ord(first) > _LARGEST_RANGE:
                return ()
            characters.update(chr(code) for code in range(ord(first), ord(last) + 1))
        return (frozenset(characters),)

    def _optional(self) -> bool:
        """True if a quantifier follows that allows no occurrence; reads past it."""
        quantifier = _QUANTIFIER.match(self._pattern, self.at)
        if quantifier is None:
            return False
        self.at = quantifier.end()
        return quantifier.group() in "?*" or quantifier.group(1) in ("", "0")


def _either(parts: Sequence[Needs]) -> Needs:
    if len(parts) == 1:
        return parts[0]
    if not all(parts):
        return ()
    return (frozenset[str]().union(*(rarest(needs) for needs in parts)),)


def rarest(needs: Needs) -> frozenset[str]:
    """Of several sets, the one that fewest texts meet: small, and without everyday characters."""
    return min(needs, key=lambda need: len(need) + _COMMON_COSTS * len(need & _COMMON))


class Index(Generic[_T]):
    """Things by what they need."""

    def __init__(self, entries: Iterable[tuple[Needs, _T]]) -> None:
        """An entry without needs is always found."""
        bits: dict[frozenset[str], int] = {}
        self._entries: list[_T] = []
        self._always: list[int] = []
        self._meets: dict[str, int] = {}
        """A character to the needs it meets, a bit each."""
        self._by_character: dict[str, list[tuple[int, int]]] = {}
        """A character of an entry's rarest need to (all of its needs, its number)."""
        for number, (needs, entry) in enumerate(entries):
            self._entries.append(entry)
            if not needs:
                self._always.append(number)
                continue
            wanted = 0
            for need in needs:
                wanted |= bits.setdefault(need, 1 << len(bits))
            for character in rarest(needs):
                self._by_character.setdefault(character, []).append((wanted, number))
        for need, bit in bits.items():
            for character in need:
                self._meets[character] = self._meets.get(character, 0) | bit
        self._characters = frozenset(self._by_character)

    @property
    def entries(self) -> Sequence[_T]:
        """All of them."""
        return self._entries

    def found(self, text: str) -> list[_T]:
        """The entries whose every need the text meets, in the order they were given."""
        characters = set(text)
        met = 0
        for character in characters & self._meets.keys():
            met |= self._meets[character]
        woken = set(self._always)
        for character in characters & self._characters:
            for wanted, number in self._by_character[character]:
                if wanted & met == wanted:
                    woken.add(number)
        return [self._entries[number] for number in sorted(woken)]
