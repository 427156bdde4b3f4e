"""The words of answers (seed 4, product sections 6 and 7), read from the tables in `answer.toml`.

`answer` and `drafts` (`triage`, `grammar`, `parts`) use them; nothing branches on a word anywhere else. A
word stands in one order table only. The longest word at a place wins (不要了 before 不要 before 不).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final


class Word(StrEnum):
    """What a known word does in an order. The values are the letters that `grammar` matches."""

    CONFIRM = "c"
    """Confirms; may take items; before another order it only underlines it (确认删除)."""
    SAVE = "v"
    """Saves; may take items; never underlines another order."""
    ASSENT = "y"
    """Says yes: alone, or after items; before another order a mere nod (好的，取消)."""
    DROP = "x"
    """Takes away; may take items before or behind it."""
    REFUSE = "w"
    """Says no, complete in itself: alone, or after items."""
    UNWANTED = "n"
    """Refuses items, and negates a verb that follows it (不要第二笔; 不要取消)."""
    NO = "b"
    """Negates what follows; alone it refuses."""
    FORBID = "g"
    """Forbids the verb that follows (莫记, 唔存); alone it is no order: 唔 may be a hum."""
    DONT = "d"
    """Negates what follows; alone it is no order."""
    EXIT = "e"
    CONTINUE = "k"
    ALL = "a"
    REST = "m"
    """The items still pending, named as a whole (其余的, 这些); unlike 都 never behind an item."""
    THIS = "s"
    """One item, understood where there is only one."""
    EXCEPT = "z"
    OUTSIDE = "o"
    """Closes an exception (除了第二笔以外)."""
    ASK = "q"
    """Makes a question of the line."""
    HOLD = "h"
    """Puts off, hedges, or changes the subject: the line is no order."""
    WAIT = "t"
    """Interrupts: only the announcement of more may follow it (等等，还有)."""
    WRONG = "j"
    """Says that something is wrong: the line is a correction."""
    SURPLUS = "u"
    """Why an item is to go (第二笔重复了)."""
    AGAIN = "r"
    """Wants to begin anew: a correction; behind a whole cancel it only says why."""
    PRONOUN = "p"
    """Who orders; never before an assent (你好) or at the end (是我)."""
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
"""Every word that may stand in an order, by what it does there."""

TYPES: Final = _TABLES["mention"]["types"]
"""Words for what kind of transaction something is."""

CORRECTING: Final = _TABLES["mention"]["correcting"]
"""Words that say something about items that are there already."""

NOT_CORRECTING: Final = _TABLES["mention"]["not_correcting"]
"""Where a correcting word is only part of another one."""

APPENDING: Final = _TABLES["mention"]["appending"]
"""Words that announce a further item."""

_AGREES: Final = frozenset({Word.CONFIRM, Word.SAVE, Word.ASSENT, Word.EXIT, Word.CONTINUE, Word.FILLER})
_REFUSES: Final = (Word.DROP, Word.REFUSE, Word.UNWANTED, Word.NO, Word.FORBID, Word.DONT)

REFUSING: Final = tuple(
    word for table in _REFUSES for word in VOCABULARY[table] if not word.isalpha() or not word.isascii()
)
"""Every word that may say no, wherever it stands in a line; those in Latin letters are left out."""

AFFIRMING: Final = (
    *_TABLES["mention"]["affirming"],
    *(word for table in _AGREES for word in VOCABULARY[table] if any(no in word for no in REFUSING)),
)
"""Where a word that may say no is only part of one that does not (没错, 不用改)."""

MEASURES: Final = frozenset(_TABLES["reference"]["measures"])
"""Behind a bare number they make it no item's (八成, 一对)."""


def by_word() -> dict[str, Word]:
    """Every word of `VOCABULARY` with what it does."""
    return {word: kind for kind, words in VOCABULARY.items() for word in words}


ANSWER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["answer"])
"""Words of answers to questions beside those of the cards, by what they do."""

ACTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["acts"])
"""The verbs of what is asked about, by act."""

LIMIT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["limit"])
"""Words that leave only a part of what was asked about to go, or another one."""

CORRECTION: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["correction"])
"""Words of a line that corrects what was said or made before it."""

UNDO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_TABLES["undo"])
"""Words of a line that wants the last change undone."""

RECENCY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["recency"], "blank": (" ",)})
MADE_BY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["made_by"], "blank": (" ",)})
ASKED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**_TABLES["asked"], "blank": (" ",)})
"""Words of a line that asks what was done last."""
