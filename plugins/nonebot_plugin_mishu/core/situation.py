"""Where and when something is said, and a whole line as a clause: what the local rules look at."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from ..language.clause import Clause, Mention, Situation
from ..language.names.meant import shared
from ..language.recognise.money import find_amounts
from ..language.recognise.times import parse
from ..language.repairs.canonical import canonical
from ..language.text.fold import fold, normalise
from ..language.text.repeats import unrepeated
from ..language.timing.eve import on_eves
from ..language.timing.own_times import is_clock

READ: Final = 400
"""Characters of a line in which times and amounts are looked for."""
TRUSTED: Final = 120.0
"""Seconds by which a message's time may differ from ours and still count."""


def said_at(message_time: float, now: float) -> float:
    """The wall seconds from which times in a message count: its own time where it is near ours."""
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
    line = canonical(unrepeated(fold(text))).text
    read = line[:READ]
    times = on_eves(read, parse(read, where.now, where.zone), where)
    return Clause(line, where, times, tuple(each for each in find_amounts(read) if not is_clock(each, times)))


def names_part(line: str, order: str) -> bool:
    """A line names something of what was ordered."""
    return shared(normalise(line).lower(), normalise(order).lower()) >= _NAMES


_NAMES: Final = 2
"""Characters that a line shares with what was ordered, from which on it speaks of that."""
