"""One bill of several that is said to be even now (把火锅那笔结了): which one, by its name. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...text.tokens import Token
from ..pieces import BILLS, pieces, words_in
from ..shares.people import Name, name_of
from .givings import denies

_LONGEST: Final = 60
"""Characters of a line that says so."""
_SILENT: Final = frozenset({"filler", "blank", "pause", "stop", "lately", "mark", "self", "wants", "for_us"})


def bill_evened(line: str, names: Mapping[str, tuple[str, ...]]) -> tuple[str, Name] | None:
    """Name of the bill that a line (in its one form) settles, and with whom alone, and says nothing else;
    else None."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > _LONGEST or denies(text):
        return None
    read = words_in(text, (), names)
    found = pieces(read, text, BILLS)
    if len(found) != 1:
        return None
    piece = found[0]
    if any(not _is_silent(token) for token in read if token.end <= piece.start or token.start >= piece.end):
        return None
    thing = piece.slots["thing"]
    who = name_of(piece.slots["who"][0], text) if "who" in piece.slots else Name()
    return text[thing[0].start : thing[-1].end], who


def _is_silent(token: Token) -> bool:
    return not token.classes.isdisjoint(_SILENT)
