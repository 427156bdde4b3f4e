"""The words by which clauses are sorted, read from `word_lists.toml`, and how they become patterns.

Vocabulary is data: the rules of the agents branch on tables, never on single words in their code where a
table will do. A word stands once: what the lexicon has is named by its class, `@feeling` for all of its
words, `@occasion~` for those of more than one character.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from .lexicon import lexicon


def _tables() -> dict[str, Any]:
    source = Path(__file__).with_name("word_lists.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


_TABLES: Final = _tables()


def words(*names: str) -> tuple[str, ...]:
    """The words of tables, each named `section.table`, once each, the longest first."""
    found: dict[str, None] = {}
    for name in names:
        section, table = name.split(".")
        for entry in _TABLES[section][table].split():
            found.update(dict.fromkeys(_of_class(entry[1:]) if entry[0] == "@" else (entry,)))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def _of_class(name: str) -> tuple[str, ...]:
    listed = lexicon().of(name.removesuffix("~"))
    return tuple(word for word in listed if len(word) > 1) if name.endswith("~") else listed


def one_of(listed: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, sorted by first character so that it fails fast."""
    by_first: dict[str, list[str]] = {}
    for word in sorted(set(listed), key=lambda word: (-len(word), word)):
        by_first.setdefault(word[0], []).append(word[1:])
    parts: list[str] = []
    for first, rests in by_first.items():
        if rests == [""]:
            parts.append(re.escape(first))
        else:
            parts.append(f"{re.escape(first)}(?:{'|'.join(re.escape(rest) for rest in rests)})")
    firsts = "".join(re.escape(first) for first in by_first)
    return f"(?=[{firsts}])(?:{'|'.join(parts)})"


def table(*names: str) -> str:
    """`one_of` over tables."""
    return one_of(words(*names))
