"""A time that something kept is put at, without a word of changing: 聚餐放周四吧, 评审就定在三点. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...language import Fit, Form, Reading, Token
from ...timeparse import names_day
from ..clause import Clause, KeptThing
from ..meant import Meant, is_at
from ..series import first_day
from .owners import SCHEDULE

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
_PUTS: Final = frozenset({"at", "to", "make", "is"})
_PLAIN: Final = frozenset({"放", "放在", "放到", "就", "还是", "还是放", "就放", "搬到", "定到"})
"""Said of what is kept only: whoever makes something new says 定, 安排."""


@dataclass(frozen=True, slots=True)
class Settling:
    """The line as a change; `sure` where its word of putting makes nothing new."""

    fit: Fit
    sure: bool
    things: tuple[KeptThing, ...] = ()
    """What is meant, where that is what was spoken of last."""


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
    first = _corrects(said)
    if not times or any(_is_foreign(token, named) for token in said.tokens if token.start >= first):
        return None
    puts = [token for token in behind if token.end <= times[0].start and _is_putting(said.line, token)]
    if not puts or _are_at(known.things, clause, times[0].start):
        return None
    slots = {"name": tuple(named), "when": tuple(times)}
    plain = first > 0 or any(said.line[token.start : token.end] in _PLAIN for token in puts)
    sure = known.clear and plain
    return Settling(Fit(Form("change", ""), slots), sure)


_WRONG: Final = frozenset(
    {
        "不对",
        "不对不对",
        "错了",
        "搞错了",
        "打错了",
        "说错了",
        "记错了",
        "弄错了",
        "我说错了",
        "我打错了",
        "我记错了",
    }
)


def _corrects(said: Reading) -> int:
    """Where a line goes on behind a piece that says that what was said before is wrong (不对 公会战是周日);
    0 where it begins with none."""
    pause = next((token for token in said.tokens if "pause" in token.classes), None)
    return pause.end if pause is not None and said.line[: pause.start] in _WRONG else 0


def begins_series(said: Reading, known: Meant | None, clause: Clause) -> Settling | None:
    """语音会从下下周一开始, 从下周开始哈: what comes again begins on another day; None where nothing that is
    named, or was spoken of last, comes again, or where more is said of it."""
    where, since = clause.situation, first_day(clause.times)
    if since is None or len(clause.times) > 1:
        return None
    pool = known.things if known is not None else ()
    named = [token for token in said.tokens if _names(said.line, token, pool)]
    things = pool if named else (where.last,) if where.last is not None else ()
    if len(things) != 1 or things[0].agent != SCHEDULE or not (things[0].repeats and things[0].id):
        return None
    if any(
        _is_foreign(token, named) and token.classes.isdisjoint({"degree", "all"}) for token in said.tokens
    ):
        return None
    when = tuple(token for token in said.tokens if "time" in token.classes)
    return Settling(Fit(Form("change", ""), {"name": tuple(named), "when": when}), True, things)


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
