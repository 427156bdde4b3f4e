"""A time that something kept is put at, without a word of changing: 聚餐放周四吧, 评审就定在三点. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...language import Fit, Form, Reading, Token, ends_in_question
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
        "is",
    }
)
_PUTS: Final = frozenset({"at", "to", "make"})
_IS: Final = frozenset({"是", "应该是", "其实是"})
"""家长会是晚上八点: of what was just made or changed it corrects that, else it is asked."""
_SURELY: Final = frozenset({"应该", "其实", "原来", "就"})
_CHANGED: Final = "改到"
_A_WHILE: Final = 600.0
_PLAIN: Final = frozenset({"放", "放在", "放到", "就", "还是", "还是放", "就放", "搬到", "定到"})
"""Said of what is kept only: whoever makes something new says 定, 安排."""


@dataclass(frozen=True, slots=True)
class Settling:
    """The line as a change; `sure` where its word of putting makes nothing new."""

    fit: Fit
    sure: bool
    clause: Clause
    """The line in words of changing."""


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
    if not times or any(
        _is_foreign(token, named) and said.line[token.start : token.end] not in _IS for token in said.tokens
    ):
        return None
    puts = [token for token in behind if token.end <= times[0].start and _is_putting(said.line, token)]
    if not puts or _are_at(known.things, clause, times[0].start):
        return None
    words = [said.line[token.start : token.end] for token in puts]
    tells = _IS.issuperset(words)
    if tells and (_asks(said, clause) or not known.clear):
        return None
    slots = {"name": tuple(named), "when": tuple(times)}
    own = tells and clause.situation.just_shown(_A_WHILE) and clause.situation.last in known.things
    sure = known.clear and (own or any(word in _PLAIN for word in words))
    told = _put(clause, _surely(said, puts[0]), puts[0]) if tells else clause
    return Settling(Fit(Form("change", ""), slots), sure, told)


def _surely(said: Reading, word: Token) -> int:
    """Where 应该是, 其实是 begins."""
    before = next((token for token in said.tokens if token.end == word.start), None)
    known = before is not None and said.line[before.start : before.end] in _SURELY
    return before.start if before is not None and known else word.start


def _put(clause: Clause, start: int, word: Token) -> Clause:
    """The clause with 改到 in the place of a word that says when something is."""
    text = f"{clause.text[:start]}{_CHANGED}{clause.text[word.end :]}"
    longer = len(_CHANGED) - (word.end - start)
    times = tuple(time.moved(longer) if time.span[0] >= word.end else time for time in clause.times)
    return replace(clause, text=text, times=times)


def _names(line: str, token: Token, things: Sequence[KeptThing]) -> bool:
    word = line[token.start : token.end].lower()
    return (
        len(word) > 1 and "time" not in token.classes and any(word in thing.name.lower() for thing in things)
    )


def _is_putting(line: str, token: Token) -> bool:
    word = line[token.start : token.end]
    return not token.classes.isdisjoint(_PUTS) or word in _PLAIN or word in _IS


def _asks(said: Reading, clause: Clause) -> bool:
    """公会战是周日吧, 公会战是周日？"""
    return ends_in_question(clause.text) or said.line.rstrip(" ,。!~").endswith("吧")


def _is_foreign(token: Token, named: Sequence[Token]) -> bool:
    """Whether a word is none of the name, of the putting, or of the time."""
    return token not in named and token.classes.isdisjoint(_AROUND | _PUTS | {"time", "ought"})


def _are_at(things: Sequence[KeptThing], clause: Clause, start: int) -> bool:
    """Whether the time behind the name is when one of the things is already, or none to be put at."""
    time = next((each for each in clause.times if each.span[0] >= start), None)
    if time is None or time.kind in ("deadline", "recurring"):
        return True
    if not names_day(time.text) and time.start is None:
        return True
    return any(is_at(thing, time) for thing in things)
