"""A roster in one line (明天早班小李 晚班阿芳): a schedule for each turn of work that it names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..clause import Clause
from ..reading import words_of
from ..recognise.times import parse
from ..tokens import Token

_SHIFT: Final = "shift"
_APART: Final = frozenset({"pause", "blank", "stop", "time"})


def turns_of(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each of several turns, on the day that is said before them; none where there is one turn
    or none. Whose it is stands behind the name of a turn (早班小李), or before it (小李早班阿芳晚班)."""
    tokens = words_of(clause.text, clause.times, clause.amounts)
    turns = [at for at, token in enumerate(tokens) if _SHIFT in token.classes]
    if len(turns) < 2 or clause.amounts:
        return ()
    behind = turns[0] == 0 or not tokens[turns[0] - 1].classes.isdisjoint(_APART)
    starts = [_start(tokens, at, turns, behind=behind) for at in turns]
    ends = [*starts[1:], len(clause.text)]
    parts = [clause.text[start:end].strip(" ,，、;") for start, end in zip(starts, ends, strict=True)]
    day = _day_before(clause, starts[0])
    situation = clause.situation
    said = [f"{day}{part}" for part in parts]
    return tuple(Clause(one, situation, tuple(parse(one, situation.now, situation.zone))) for one in said)


def _start(tokens: Sequence[Token], at: int, turns: Sequence[int], *, behind: bool) -> int:
    """Where the part of a turn begins: at its name, or behind what stood before whose it is."""
    if behind:
        return tokens[at].start
    first = at
    while first and first - 1 not in turns and tokens[first - 1].classes.isdisjoint(_APART):
        first -= 1
    return tokens[first].start


def _day_before(clause: Clause, at: int) -> str:
    """The words of the day that is said before the first turn."""
    for one in clause.times:
        start, end = one.spans[0]
        if end <= at:
            return clause.text[start:end]
    return ""
