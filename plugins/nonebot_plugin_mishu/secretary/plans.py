"""A plan that several members made together, by rules or as an analysis words it: whose it is, and whether
they said it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ..language.fold import normalise
from ..language.lines.line import RecordLine
from ..language.lines.together import agrees, made_together
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
    named = [(_sets(said, wanted, now, zone), said) for said in lines]
    most = max((names for names, _ in named), default=0)
    return SettledPlan(words, next(said for names, said in named if names == most)) if most else None


def agreed(context: Sequence[LedgerMessage], now: datetime) -> SettledPlan | None:
    """The plan to which the last line of the talk agrees, by rules alone; None where it agrees to none."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    told = [said for said in context if not said.recalled][-LINES:]
    if not told or not agrees(_line(told[-1], zone)):
        return None
    found = made_together([_line(said, zone) for said in told])
    if found is None:
        return None
    return next(SettledPlan(found[1], said) for said in told if said.message_id == found[0].id)


def _line(said: LedgerMessage, zone: ZoneInfo) -> RecordLine:
    return RecordLine(
        said.message_id,
        datetime.fromtimestamp(said.time, zone),
        said.user_id,
        said.name,
        normalise(said.text[:_READ]),
        bot=said.is_bot,
        to_us=said.addressed,
    )


_READ: Final = 200
"""Characters of a line in which a plan is looked for."""


def _sets(
    said: LedgerMessage, wanted: Collection[tuple[object, object]], now: datetime, zone: ZoneInfo
) -> int:
    """What a line names of when the plan is: its clock (2), its day alone (1), or nothing. Whoever says it
    first sets it; the others say it after them (好的 周五见)."""
    times = parse(normalise(said.text[:500]), now, zone)
    days, clocks = {day for day, _ in wanted}, {clock for _, clock in wanted if clock is not None}
    if any(each.start in clocks for each in times if each.start is not None):
        return 2
    return int(any(each.date in days for each in times if each.start is None))
