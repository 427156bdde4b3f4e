"""Situation of a line (place and time), and the whole line as a clause, for the local rules."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from ..language.clause import Clause, Mention, Situation
from ..language.names.referents import shared
from ..language.recognise.members import sums_among
from ..language.recognise.times import parse
from ..language.repairs.canonical import canonical
from ..language.repairs.self_corrections import repaired
from ..language.term.weeks import in_term
from ..language.text.fold import fold, normalise
from ..language.text.repeats import unrepeated
from ..language.timing.eve import on_eves
from ..language.timing.own_times import is_clock

READ: Final = 400
"""Characters of a line that are searched for times and amounts."""
TRUSTED: Final = 120.0
"""Greatest difference in seconds between a message's time and ours."""


def said_at(message_time: float, now: float) -> float:
    """Wall seconds as the base of a message's times: its own time if it is near ours."""
    return message_time if abs(message_time - now) <= TRUSTED else now


def situation(
    at: float,
    zone: ZoneInfo,
    *,
    private: bool = False,
    addressed: bool = True,
    mentions: tuple[Mention, ...] = (),
    quoted: str | None = None,
    open_tasks: bool = False,
) -> Situation:
    """A situation at `at` wall seconds; to the second, as messages are, so that what is looked at twice is
    read once."""
    now = datetime.fromtimestamp(int(at), zone)
    return Situation(now, private, addressed, mentions, quoted=quoted, open_tasks=open_tasks)


@lru_cache(maxsize=64)
def whole(text: str, where: Situation) -> Clause:
    """A whole line as one clause, normalised, with the times and amounts in it.

    Remembered for a moment: a line is looked at when it is heard, when it is acted on, and by every task that
    it may answer.
    """
    line = canonical(repaired(in_term(unrepeated(fold(text)), where))).text
    read = line[:READ]
    times = on_eves(read, parse(read, where.now, where.zone), where)
    sums = sums_among(where, read)
    return Clause(line, where, times, tuple(each for each in sums if not is_clock(each, times)))


def names_part(line: str, order: str) -> bool:
    """True if a line names part of an order."""
    return shared(normalise(line).lower(), normalise(order).lower()) >= _NAMES


_NAMES: Final = 2
"""Least number of characters that a line shares with an order to name part of it."""
