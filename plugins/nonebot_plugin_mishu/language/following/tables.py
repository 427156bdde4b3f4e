"""The tables of this room: a lexicon and forms over it, by subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..forms.forms import Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..text.tokens import Thing
from ..word_lists import table

_HERE: Final = Path(__file__).parent
_NAMED: Final = frozenset({"name"})
_THINGS: Final = (_NAMED, frozenset({"once", "count"}))


def lexicon_of(subject: str) -> Lexicon:
    """Words of a subject, `SUBJECT_words.toml`, by class."""
    return read_lexicon(_HERE / f"{subject}_words.toml")


def grammar_of(
    subject: str, lexicon: Lexicon, *, borders: Sequence[str], hard_borders: Sequence[str]
) -> Grammar:
    """Forms of a subject, `SUBJECT_forms.toml`."""
    return read_grammar(
        _HERE / f"{subject}_forms.toml",
        lexicon,
        things=_THINGS,
        borders=borders,
        hard_borders=hard_borders,
    )


def things_in(clause: Clause, line: str, people: Sequence[Mention]) -> list[Thing]:
    """Times and members in a line, each member also by the end of a longer name (王小雅 is 小雅)."""
    found = [
        Thing(start, end, frozenset({"time"}), time) for time in clause.times for start, end in time.spans
    ]
    return [*found, *members_in(line, people)]


_NAME: Final = Pattern(
    f"(?!{table('names.no_name')})(?:{table('names.begins')})[一-鿿]|[一-鿿](?:{table('names.ends')})"
)


def names_in(line: str, things: Sequence[Thing]) -> list[Thing]:
    """Words that look like the name of somebody (小李, 王老师), where nothing else was recognised."""
    return [
        Thing(*found.span(), _NAMED, found.group())
        for found in _NAME.finditer(line)
        if not any(each.start < found.end() and found.start() < each.end for each in things)
    ]


def members_in(line: str, people: Sequence[Mention]) -> Iterator[Thing]:
    """Members in a line, each also by the end of a longer name."""
    for one in people:
        name = one.name.lower()
        for said in dict.fromkeys((name, name[-2:])) if len(name) > 2 else (name,):
            at = line.find(said) if said else -1
            if at >= 0:
                yield Thing(at, at + len(said), frozenset({"member"}), one)
