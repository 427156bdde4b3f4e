"""A plan that several members made together, as an analysis words it: whose it is, and whether they said it.
Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ..language.fold import normalise
from ..language.recognise.times import parse
from ..storage.records import LedgerMessage

LINES: Final = 12
"""The newest lines among which a plan may have been made."""
LONGEST: Final = 100
_ORDERING: Final = frozenset("记到群日程安排一下在")


@dataclass(frozen=True, slots=True)
class SettledPlan:
    """The plan as an order in words, and the line of whoever set its time."""

    words: str
    said: LedgerMessage


def settled(plan: str, context: Sequence[LedgerMessage], now: datetime) -> SettledPlan | None:
    """The plan, where its words were said in the talk and somebody named its time; None for all else."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    words = normalise(" ".join(plan.split()))
    lines = [said for said in context if not said.is_bot and not said.recalled][-LINES:]
    letters = [letter for letter in words if letter.isalnum() and letter not in _ORDERING]
    heard = set("".join(normalise(said.text) for said in lines))
    if not letters or len(words) > LONGEST or 5 * sum(each in heard for each in letters) < 4 * len(letters):
        return None
    wanted = {(each.date, each.start) for each in parse(words, now, zone)}
    if not wanted:
        return None
    named = [said for said in lines if _sets(said, wanted, now, zone)]
    return SettledPlan(words, named[-1]) if named else None


def _sets(
    said: LedgerMessage, wanted: Collection[tuple[object, object]], now: datetime, zone: ZoneInfo
) -> bool:
    """Whether a line names the day or the clock of the plan."""
    times = parse(normalise(said.text[:500]), now, zone)
    days, clocks = {day for day, _ in wanted}, {clock for _, clock in wanted if clock is not None}
    return any((each.start in clocks) if each.start is not None else (each.date in days) for each in times)
