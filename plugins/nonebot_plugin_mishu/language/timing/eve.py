"""Time before an event: 产检前一天晚上, 提前一天晚上九点, 周会前十分钟叫我带电脑. Pure.

Counted back from the stored event named before it, else from the day in the line, else from the item
mentioned last. Without any of these a question follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Final

from ...patterns import Pattern
from ..clause import KeptThing, Situation
from ..recognise.leads import Lead, days_before, lone_leads, says_a_lead
from ..recognise.times import TimeExpression, names_day
from .reminder_leads import minutes_of

_SHORTEST: Final = 2
_TIES: Final = Pattern(
    "^(?:顺便|顺带|另外|还有|然后|以及|同时|再|也|请|帮我|给我|麻烦|记得|可以|好的|好|行|嗯|那| )++"
)
_DAY: Final = 1440
_MOST_DAYS: Final = 60
UNKNOWN: Final = "不知道「{}」是哪天"
UNNAMED: Final = "不知道是哪件事的前一天"
_HINTS: Final = ("前", "头")


def on_eves(text: str, times: Sequence[TimeExpression], situation: Situation) -> tuple[TimeExpression, ...]:
    """Times of a text, with those before an event placed at their day."""
    if not any(hint in text for hint in _HINTS):
        return tuple(times)
    found: list[TimeExpression] = []
    for at, one in enumerate(times):
        begin = times[at - 1].span[1] if at else 0
        lead = days_before(text[begin : one.span[0]], one.text) if _is_open(one) else None
        if lead is None or lead.days > _MOST_DAYS:
            found.append(one)
            continue
        spans = ((begin + lead.start, begin + lead.end), *one.spans)
        one = replace(one, spans=_joined(spans))
        found.append(_placed(text, one, _named(lead.thing), lead.days, found, situation))
    return tuple(sorted([*found, *_lone(text, found, situation)], key=lambda each: each.span))


def _named(thing: str) -> str:
    """Event of a time, without connectives (顺便前一天晚上, 行 再前一天喊我)."""
    return _TIES.sub("", thing)


def is_eve(one: TimeExpression) -> bool:
    """True for a time before an event, without a recurrence."""
    return one.recurrence is None and says_a_lead(one.text)


def eve_of(times: Sequence[TimeExpression]) -> str:
    """Event from which a time is counted back (家长会前一天晚上八点); empty if unnamed."""
    for one in times:
        found = next(
            (
                lead.thing
                for at, mark in enumerate(one.text)
                if mark in _CLOCK_BEGINS and (lead := days_before(one.text[:at], one.text[at:])) is not None
            ),
            "",
        )
        if found and is_eve(one):
            return found
    return ""


_CLOCK_BEGINS: Final = frozenset("早上中下晚傍凌夜0123456789一二三四五六七八九十两")


def _is_open(one: TimeExpression) -> bool:
    """True for a clock time or part of the day without a day."""
    if one.recurrence is not None or one.moment is not None or one.invalid is not None:
        return False
    return (one.start is not None or one.segment not in (None, "all_day")) and not names_day(one.text)


def _lone(text: str, times: Sequence[TimeExpression], situation: Situation) -> list[TimeExpression]:
    """Leads without a clock time: a day, or a moment before a stored event with a clock time."""
    made: list[TimeExpression] = []
    for lead in lone_leads(text):
        minutes = minutes_of(lead.length)
        if minutes is None or _touches(lead, times):
            continue
        bare = TimeExpression(lead.length, "day", ((lead.start, lead.end),))
        before = [one for one in times if one.span[1] <= lead.start]
        if minutes % _DAY == 0:
            made.append(_placed(text, bare, _named(lead.thing), minutes // _DAY, before, situation))
        elif (found := _so_long_before(text, lead, minutes, situation)) is not None:
            made.append(found)
    return made


def _touches(lead: Lead, times: Sequence[TimeExpression]) -> bool:
    return any(first < lead.end and lead.start < last for one in times for first, last in one.spans)


def _so_long_before(text: str, lead: Lead, minutes: int, situation: Situation) -> TimeExpression | None:
    """Moment before the only stored event of that name with a clock time."""
    at = {one.at for one in _kept(lead.thing, situation.things) if one.at is not None}
    clock = at.pop() if len(at) == 1 else None
    if clock is None or clock.time() == time(0, 0):
        return None
    begins = clock - timedelta(minutes=minutes)
    span = (lead.start, lead.end)
    return TimeExpression(text[slice(*span)], "point", (span,), begins.date(), begins.time())


def _placed(
    text: str,
    one: TimeExpression,
    thing: str,
    days: int,
    before: Sequence[TimeExpression],
    situation: Situation,
) -> TimeExpression:
    """Time on the day so many days before the event; its words include the lead."""
    one = replace(one, text=text[one.span[0] : one.span[1]])
    day = _day_of(thing, before, situation)
    if day is None:
        return replace(one, date=None, invalid=UNKNOWN.format(thing) if thing else UNNAMED)
    unclear = None if one.ambiguous == "which_day" else one.ambiguous
    return replace(one, date=day - timedelta(days=days), ambiguous=unclear)


def _joined(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Spans, the first two joined if adjacent."""
    first, second, *rest = spans
    return ((first[0], second[1]), *rest) if first[1] == second[0] else spans


def _day_of(thing: str, before: Sequence[TimeExpression], situation: Situation) -> date | None:
    """Day of the named event; else the last day before it in the line; else of the item mentioned last."""
    kept = _kept(thing, situation.things)
    days = {one.at.date() for one in kept if one.at is not None}
    if len(days) > 1:  # the reminder of 家长会 that was made before has its name too
        days = {one.at.date() for one in kept if one.at is not None and one.agent == "schedule"}
    if len(days) == 1:
        return days.pop()
    if kept:
        return None
    said = [one.date for one in before if one.date is not None and _is_day(one)]
    if said:
        return said[-1]
    last = situation.last
    if thing or last is None:
        return None
    same = [one for one in situation.things if one.id and (one.agent, one.id) == (last.agent, last.id)]
    at = last.at or next((one.at for one in same), None)
    return at.date() if at is not None else None


def _is_day(one: TimeExpression) -> bool:
    return names_day(one.text) and one.invalid is None and one.moment is None


def _kept(thing: str, things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    """Stored items by name: the longest final part of the words that is in a name."""
    for at in range(max(len(thing) - _SHORTEST + 1, 0)):
        words = thing[at:].lower()
        found = tuple(one for one in things if words in one.name.lower())
        if found:
            return found
    return ()
