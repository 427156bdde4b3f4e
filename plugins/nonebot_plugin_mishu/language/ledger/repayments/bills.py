"""One bill of several that is said to be even (把火锅那笔结了) or treated; the rest of a debt. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from ...mood import ends_in_question
from ...recognise.money import Amount
from ...text.tokens import Token
from ..pieces import BILLS, Names, pieces, words_in
from ..shares.people import Name, name_of
from .givings import denies

_LONGEST: Final = 60
"""Characters of a line that says so."""
_SILENT: Final = frozenset({"filler", "blank", "pause", "stop", "lately", "mark", "self", "wants", "for_us"})


@dataclass(frozen=True, slots=True)
class BillTreated:
    """A bill of which whoever paid it treats the others."""

    thing: str
    pointed: bool
    """It is called 那笔: surely one that was recorded."""


@dataclass(frozen=True, slots=True)
class RestWaived:
    """What is left of a debt to the speaker, not wanted any more."""

    who: Name | None = None
    """Whose debt, where it is said."""
    fen: int | None = None
    """How much is left, where it is said."""


def bill_evened(line: str, names: Names) -> tuple[str, Name] | None:
    """Name of the bill that a line (in its one form) settles, and with whom alone, and says nothing else;
    else None."""
    found = _said(line, names, "bill")
    if found is None:
        return None
    who = name_of(found["who"][0], line.lower()) if "who" in found else Name()
    return _words(found["thing"], line), who


def bill_treated(line: str, names: Names) -> BillTreated | None:
    """The bill of which a whole line (in its one form) says that the speaker treats (炭那笔我请了)."""
    found = _said(line, names, "treated")
    return None if found is None else BillTreated(_words(found["thing"], line), "pointed" in found)


def rest_waived(line: str, names: Names, amounts: Sequence[Amount]) -> RestWaived | None:
    """What is left of a debt and not wanted, by a whole line (in its one form): 剩下的5块不要了."""
    found = _said(line, names, "rest", amounts)
    if found is None:
        return None
    who = name_of(found["who"][0], line.lower()) if "who" in found else None
    return RestWaived(who, cast("Amount", found["sum"][0].value).fen if "sum" in found else None)


def others_evened(line: str, names: Names) -> tuple[Name, Name] | None:
    """The two others who are quits by a whole line (in its one form): 小雅和月月两清了."""
    found = _said(line, names, "others")
    if found is None:
        return None
    one, other = (name_of(found[slot][0], line.lower()) for slot in ("one", "other"))
    return None if one.me or other.me else (one, other)


def _said(
    line: str, names: Names, reads: str, amounts: Sequence[Amount] = ()
) -> Mapping[str, tuple[Token, ...]] | None:
    """Slots of the one piece of a line that says so and nothing else."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > _LONGEST or (reads in ("bill", "others") and denies(text)) or ends_in_question(text):
        return None
    read = words_in(text, amounts, names)
    found = pieces(read, text, BILLS)
    if len(found) != 1 or found[0].reads != reads:
        return None
    piece = found[0]
    if any(not _is_silent(token) for token in read if token.end <= piece.start or token.start >= piece.end):
        return None
    return piece.slots


def _words(slot: Sequence[Token], line: str) -> str:
    return line[slot[0].start : slot[-1].end].lower()


def _is_silent(token: Token) -> bool:
    return not token.classes.isdisjoint(_SILENT)
