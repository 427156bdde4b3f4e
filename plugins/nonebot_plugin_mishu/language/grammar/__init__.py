"""The forms of orders, read from the tables beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from ..forms.forms import Grammar
from ..forms.rows import Form
from ..lexicon import lexicon

HERE: Final = Path(__file__).parent
PASSES: Final = ("aside", "courtesy", "filler", "particle", "greeting", "sign", "call", "mark")
"""Word classes that a line is read without."""
HARD_BORDERS: Final = (
    *(
        "negation",
        "change",
        "later",
        "earlier",
        "take_away",
        "defer",
        "remind",
        "rouse",
        "whether",
        "what",
        "ba",
        "to",
        "or",
    ),
    *("time", "pause", "stop", "task_noun", "schedule_noun", "reminder_noun", "how_much"),
)
"""Word classes that no free slot takes."""
BORDERS: Final = (
    "done",
    "feeling",
    "wish",
    "reported",
    "weather",
    "advice",
    "request",
    "you",
    "pay",
    "is",
    "finish",
    "degree",
    "says",
    "likes",
)
"""Those that a free slot takes only where the form is plain about it (`%`)."""
_TIME_KINDS: Final = ("recurring", "offset", "clock", "day")
THINGS: Final = (
    *(
        frozenset({"time", *(kind for bit, kind in enumerate(_TIME_KINDS) if number >> bit & 1)})
        for number in range(1 << len(_TIME_KINDS))
    ),
    *(frozenset({name}) for name in ("amount", "length", "ordinal", "quoted", "member", "known")),
)
"""Classes of recognised things, outside the lexicon."""
VARIANTS: Final = (frozenset({"unread"}), frozenset({"action"}))
"""Those that a word is given by its neighbours (固定, 换季; `language.reading`)."""
WEIGHTS: Final = {"join": 6, "delete": 5, "change": 5, "finish": 4, "query": 3, "make": 2}


def read_forms(text: str) -> Iterator[Form]:
    """The forms of a table: `[let]` names pieces, `[forms]` holds the rows by what they are read as."""
    table = tomllib.loads(text)
    named = table.get("let", {})
    for reads, rows in table["forms"].items():
        for row in rows:
            more, _, text = row.rpartition("! ")
            yield Form(reads, _filled(text, named), WEIGHTS.get(reads, 0) + (int(more) if more else 0))


def _filled(row: str, named: dict[str, str]) -> str:
    while "$" in row:
        before = row
        for name in sorted(named, key=len, reverse=True):
            row = row.replace(f"${name}", named[name])
        if row == before:
            raise ValueError(f"{row!r} names a piece that [let] does not have")
    return row


@cache
def grammar() -> Grammar:
    """All forms of the tables."""
    forms = [form for file in sorted(HERE.glob("*.toml")) for form in read_forms(file.read_text("utf-8"))]
    return Grammar(
        forms,
        lexicon(),
        things=THINGS,
        variants=VARIANTS,
        passes=PASSES,
        borders=BORDERS,
        hard_borders=HARD_BORDERS,
    )


__all__ = ["BORDERS", "HARD_BORDERS", "PASSES", "THINGS", "VARIANTS", "grammar", "read_forms"]
