"""The one lexicon: every word the secretary knows, by what it does in a line.

One file a word class, `CLASS.toml`, in a folder of its kind (`nouns`, `verbs`, `edits`, `modality`,
`negation`, `time`, `quantity`, `particles`, `talk`), with `about` (the class's part in a line) and
`words`, separated by blanks, in simplified script and lower case. A word stands
in one file only; its further classes stand behind strokes: `好/filler`. Data only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

HERE: Final = Path(__file__).parent
_KEYS: Final = frozenset({"about", "words"})
NEGATION: Final = "negation"
NEVER_NEGATION: Final = frozenset({"filler", "courtesy", "particle", "call"})
"""Classes that a line is read without. A word of theirs may not be a negation: nothing may swallow one."""


class LexiconError(ValueError):
    """A file of the lexicon is malformed; the text names the word class and the word."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words with their classes. `classes` holds every class there is, with what it is about."""

    words: Mapping[str, frozenset[str]]
    classes: Mapping[str, str]
    starts: Mapping[str, tuple[int, ...]]
    """By first character, the lengths of the words that begin with it, longest first."""

    def of(self, name: str) -> tuple[str, ...]:
        """The words of a class, in the order of the files. Raises KeyError where there is no such class."""
        if name not in self.classes:
            raise KeyError(name)
        return tuple(word for word, classes in self.words.items() if name in classes)


def build(tables: Iterable[tuple[str, str, str]]) -> Lexicon:
    """A lexicon from (class, about, words). Raises `LexiconError` where a word stands twice or a class is
    unknown."""
    rows = list(tables)
    about = {name: text for name, text, _ in rows}
    words: dict[str, frozenset[str]] = {}
    for name, _, listed in rows:
        for entry in listed.split():
            word, *further = entry.split("/") if len(entry) > 1 else [entry]
            if word in words:
                raise LexiconError(
                    f"{name}: {word!r} stands in the lexicon already, as {sorted(words[word])}"
                )
            unknown = [each for each in further if each not in about]
            if unknown or not word:
                raise LexiconError(f"{name}: {entry!r} names no class {unknown}")
            words[word] = classes = frozenset((name, *further))
            if NEGATION in classes and not classes.isdisjoint(NEVER_NEGATION):
                raise LexiconError(
                    f"{name}: {word!r} is a negation and may be passed over: one of them is wrong"
                )
    lengths: dict[str, set[int]] = {}
    for word in words:
        lengths.setdefault(word[0], set()).add(len(word))
    starts = {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()}
    return Lexicon(MappingProxyType(words), MappingProxyType(about), MappingProxyType(starts))


@cache
def lexicon() -> Lexicon:
    """The lexicon of the files beside this module."""
    rows: list[tuple[str, str, str]] = []
    for file in sorted(HERE.rglob("*.toml"), key=lambda file: file.name):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        if table.keys() != _KEYS:
            raise LexiconError(f"{file.name}: has {sorted(table)}, not {sorted(_KEYS)}")
        rows.append((file.stem, table["about"], table["words"]))
    return build(rows)
