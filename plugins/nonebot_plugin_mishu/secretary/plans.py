"""A plan that several members made together, by rules or as an analysis words it: whose it is, and whether
they said it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from ..language.lines.line import RecordLine
from ..language.lines.marks import perhaps_agreed
from ..language.lines.together import agrees, made_together
from ..language.recognise.times import parse
from ..language.text.fold import normalise
from ..record import line_of
from ..storage.records import LedgerMessage

LINES: Final = 16
"""The newest lines among which a plan may have been made."""
LONGEST: Final = 100
_ORDERING: Final = frozenset("记到群日程安排一下在")


@dataclass(frozen=True, slots=True)
class SettledPlan:
    """The plan as an order in words, and the line of whoever set its time."""

    words: str
    said: LedgerMessage


def locate_plan(plan: str, context: Sequence[LedgerMessage], now: datetime) -> SettledPlan | None:
    """The plan that an analysis words, located in the talk; None unless its words were said and its time was
    named."""
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


def find_agreed_plan(context: Sequence[LedgerMessage], now: datetime) -> SettledPlan | None:
    """The plan to which the last line of the talk agrees, by rules alone; None for no agreement."""
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


def may_make_plan(context: Sequence[LedgerMessage], now: datetime) -> bool:
    """True if unprocessed lines may have made a plan."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    lines = [line_of(said, zone) for said in context if not said.recalled][-LINES:]
    new = {said.message_id for said in context if not (said.processed or said.is_bot)}
    return perhaps_agreed(lines, new)


def _sets(
    said: LedgerMessage, wanted: Collection[tuple[object, time | None]], now: datetime, zone: ZoneInfo
) -> int:
    """Match of a line with the plan's date: its clock (2), its day alone (1), or nothing (0); 七点吧
    matches 19:00 of 周五晚上七点, too. The first line sets it; the others repeat it (好的 周五见)."""
    times = parse(normalise(said.text[:500]), now, zone)
    days, clocks = {day for day, _ in wanted}, {_on_dial(clock) for _, clock in wanted if clock is not None}
    if any(_on_dial(each.start) in clocks for each in times if each.start is not None):
        return 2
    return int(any(each.date in days for each in times if each.start is None))


def _on_dial(clock: time) -> tuple[int, int]:
    return clock.hour % 12, clock.minute
