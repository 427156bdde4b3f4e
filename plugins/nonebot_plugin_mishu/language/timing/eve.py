"""A time so long before something: 产检前一天晚上, 提前一天晚上九点, 周会前十分钟叫我带电脑. Pure.

It is counted back from the thing: from what is named before it and kept, else from the day that the line
itself says, else from what was spoken of last. Where none of them tells, it is asked for.
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
from .ahead import minutes_of

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
    """The times of a text, those that are said to be so long before something where they then are."""
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
    """What a time is counted back from, without the words that only tie it to what was said before it
    (顺便前一天晚上, 行 再前一天喊我)."""
    return _TIES.sub("", thing)


def is_eve(one: TimeExpression) -> bool:
    """Whether a time is said as so long before something."""
    return one.recurrence is None and says_a_lead(one.text)


def eve_of(times: Sequence[TimeExpression]) -> str:
    """The thing from which a time is counted back (家长会前一天晚上八点); empty where none is named."""
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
    """Whether it is a clock or a part of a day of which nobody said the day."""
    if one.recurrence is not None or one.moment is not None or one.invalid is not None:
        return False
    return (one.start is not None or one.segment not in (None, "all_day")) and not names_day(one.text)


def _lone(text: str, times: Sequence[TimeExpression], situation: Situation) -> list[TimeExpression]:
    """The leads of which no clock is said: a day, or a moment so long before what is kept with a clock."""
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
    """The moment so long before the one thing of that name that is kept with a clock."""
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
    """The time on the day so many days before what is named; its words are the lead's too."""
    one = replace(one, text=text[one.span[0] : one.span[1]])
    day = _day_of(thing, before, situation)
    if day is None:
        return replace(one, date=None, invalid=UNKNOWN.format(thing) if thing else UNNAMED)
    unclear = None if one.ambiguous == "which_day" else one.ambiguous
    return replace(one, date=day - timedelta(days=days), ambiguous=unclear)


def _joined(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The spans, the first two made one where they touch."""
    first, second, *rest = spans
    return ((first[0], second[1]), *rest) if first[1] == second[0] else spans


def _day_of(thing: str, before: Sequence[TimeExpression], situation: Situation) -> date | None:
    """The day of what is named; else the last day that is said before; else of what was spoken of last."""
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
    at = last.at or next((one.at for one in situation.things if one.id == last.id and one.id), None)
    return at.date() if at is not None else None


def _is_day(one: TimeExpression) -> bool:
    return names_day(one.text) and one.invalid is None and one.moment is None


def _kept(thing: str, things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    """What is kept under the name: the longest end of the words that stands in a name."""
    for at in range(max(len(thing) - _SHORTEST + 1, 0)):
        words = thing[at:].lower()
        found = tuple(one for one in things if words in one.name.lower())
        if found:
            return found
    return ()
