"""A time that something kept is put at, without a word of changing: 聚餐放周四吧, 评审就定在三点. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...language import Fit, Form, Reading, Token
from ...timeparse import names_day
from ..clause import Clause, KeptThing
from ..meant import Meant, is_at

_AROUND: Final = frozenset(
    {
        "filler",
        "particle",
        "pause",
        "again",
        "modal",
        "ba",
        "this",
        "unit",
        "of",
        "or",
        "at",
        "to",
        "courtesy",
    }
)
_PUTS: Final = frozenset({"at", "to", "make"})
_PLAIN: Final = frozenset({"放", "放在", "放到", "就", "还是", "还是放", "就放", "搬到", "定到"})
"""Said of what is kept only: whoever makes something new says 定, 安排."""


@dataclass(frozen=True, slots=True)
class Settling:
    """The line as a change; `sure` where its word of putting makes nothing new."""

    fit: Fit
    sure: bool


def settles(said: Reading, known: Meant | None, clause: Clause) -> Settling | None:
    """How a line puts the one thing that it means at another time; None where it does not.

    The thing's name, a word of putting, then a time that is not its own already, and nothing else.
    """
    if known is None or not known.things or not all(thing.name for thing in known.things):
        return None
    named = [token for token in said.tokens if _names(said.line, token, known.things)]
    if not named:
        return None
    behind = [token for token in said.tokens if token.start >= named[-1].end]
    times = [token for token in behind if "time" in token.classes]
    if not times or any(_is_foreign(token, named) for token in said.tokens):
        return None
    puts = [token for token in behind if token.end <= times[0].start and _is_putting(said.line, token)]
    if not puts or _are_at(known.things, clause, times[0].start):
        return None
    slots = {"name": tuple(named), "when": tuple(times)}
    sure = known.clear and any(said.line[token.start : token.end] in _PLAIN for token in puts)
    return Settling(Fit(Form("change", ""), slots), sure)


def _names(line: str, token: Token, things: Sequence[KeptThing]) -> bool:
    word = line[token.start : token.end].lower()
    return (
        len(word) > 1 and "time" not in token.classes and any(word in thing.name.lower() for thing in things)
    )


def _is_putting(line: str, token: Token) -> bool:
    return not token.classes.isdisjoint(_PUTS) or line[token.start : token.end] in _PLAIN


def _is_foreign(token: Token, named: Sequence[Token]) -> bool:
    """Whether a word is none of the name, of the putting, or of the time."""
    return token not in named and "time" not in token.classes and token.classes.isdisjoint(_AROUND | _PUTS)


def _are_at(things: Sequence[KeptThing], clause: Clause, start: int) -> bool:
    """Whether the time behind the name is when one of the things is already, or none to be put at."""
    time = next((each for each in clause.times if each.span[0] >= start), None)
    if time is None or time.kind in ("deadline", "recurring"):
        return True
    if not names_day(time.text) and time.start is None:
        return True
    return any(is_at(thing, time) for thing in things)
