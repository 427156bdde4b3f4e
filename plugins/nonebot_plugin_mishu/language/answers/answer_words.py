"""Words of answers (seed 4, product sections 6 and 7), from the tables in `answer.toml`. Used by `answer` and
`drafts` (`triage`, `grammar`, `parts`).

A word is in one order table only. The longest word at a place wins (不要了 before 不要 before 不).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final


class Word(StrEnum):
    """Role of a word in an order. Values are the letters matched by `grammar`."""

    CONFIRM = "c"
    """Confirms; may take items; before another order only emphasis (确认删除)."""
    SAVE = "v"
    """Saves; may take items; never emphasis before another order."""
    ASSENT = "y"
    """Says yes: alone, or after items; before another order a mere nod (好的，取消)."""
    DROP = "x"
    """Deletes; may take items before or after it."""
    REFUSE = "w"
    """Says no, complete in itself: alone, or after items."""
    UNWANTED = "n"
    """Refuses items, or negates the verb behind it (不要第二笔; 不要取消)."""
    NO = "b"
    """Negates what follows; alone it refuses."""
    FORBID = "g"
    """Forbids the verb that follows (莫记, 唔存); alone it is no order: 唔 may be a hum."""
    DONT = "d"
    """Negates the next word; alone no order."""
    EXIT = "e"
    CONTINUE = "k"
    ALL = "a"
    REST = "m"
    """All pending items (其余的, 这些); unlike 都 never after an item."""
    THIS = "s"
    """The single item."""
    EXCEPT = "z"
    OUTSIDE = "o"
    """Closes an exception (除了第二笔以外)."""
    ASK = "q"
    """Makes a question of the line."""
    HOLD = "h"
    """Delay, hedge or change of subject: no order."""
    WAIT = "t"
    """Interruption: only an announcement of more may follow (等等，还有)."""
    WRONG = "j"
    """Error in the items: a correction."""
    SURPLUS = "u"
    """Reason for deletion (第二笔重复了)."""
    AGAIN = "r"
    """Restart: a correction; after a full cancellation only its reason."""
    PRONOUN = "p"
    """Person of the order; never before an assent (你好) or at the end (是我)."""
    FILLER = "f"


def _tables() -> dict[str, dict[str, tuple[str, ...]]]:
    source = Path(__file__).with_name("answer.toml").read_text(encoding="utf-8")
    return {
        section: {name: tuple(words.split()) for name, words in tables.items()}
        for section, tables in tomllib.loads(source).items()
    }


_TABLES: Final = _tables()

VOCABULARY: Final[Mapping[Word, tuple[str, ...]]] = MappingProxyType(
    {word: _TABLES["order"][word.name.lower()] for word in Word}
)
"""All words of orders, by role."""

TYPES: Final = _TABLES["mention"]["types"]
"""Words for types of transaction."""

CORRECTING: Final = _TABLES["mention"]["correcting"]
"""Words about existing items."""

NOT_CORRECTING: Final = _TABLES["mention"]["not_correcting"]
"""Correcting word inside a longer neutral word."""

APPENDING: Final = _TABLES["mention"]["appending"]
"""Words announcing a further item."""

_AGREES: Final = frozenset({Word.CONFIRM, Word.SAVE, Word.ASSENT, Word.EXIT, Word.CONTINUE, Word.FILLER})
_REFUSES: Final = (Word.DROP, Word.REFUSE, Word.UNWANTED, Word.NO, Word.FORBID, Word.DONT)

REFUSING: Final = tuple(
    word for table in _REFUSES for word in VOCABULARY[table] if not word.isalpha() or not word.isascii()
)
"""Every refusing word, anywhere in a line; without those in Latin letters."""

AFFIRMING: Final = (
    *_TABLES["mention"]["affirming"],
    *(word for table in _AGREES for word in VOCABULARY[table] if any(no in word for no in REFUSING)),
)
"""Negative word inside a longer neutral word (没错, 不用改)."""

MEASURES: Final = frozenset(_TABLES["reference"]["measures"])
"""Measures after a bare number that is no item's (八成, 一对)."""


def by_word() -> dict[str, Word]:
    """Every word of `VOCABULARY` with its role."""
    return {word: kind for kind, words in VOCABULARY.items() for word in words}


ANSWER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["answer"])
"""Words of answers besides those of cards, by role."""

ACTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["acts"])
"""Verbs in question, by act."""

LIMIT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["limit"])
"""Words that limit a deletion to a part, or point to another item."""

CORRECTION: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["correction"])
"""Words of a line correcting an earlier line or item."""

HOW_OFTEN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {**_TABLES["how_often"], "blank": (" ", ",")}
)
"""Words of a line that says how often a stored item is."""

UNDO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["undo"])
"""Words of a line undoing the last change."""

RECENCY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["recency"], "blank": (" ",)})
MADE_BY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["made_by"], "blank": (" ",)})
ASKED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["asked"], "blank": (" ",)})
"""Words of a question about the last change."""
