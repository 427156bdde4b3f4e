"""The plan of the last lines of the talk, where its keeping is ordered (就按刚才说的记, 记一下). Pure.

周六剧本杀还约吗 / 下午一点半？ / 两点半行不 / 行: the day and the thing of the first line that has both, with
the last clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..clause import SaidBefore
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import normalise

_LEADS: Final = "(?:那|就|麻烦|帮我?|给我?|你|先|都|来|[, ])*"
_AS_SAID: Final = (
    "(?:按|照|按照|依)(?:着)?(?:刚才|刚刚|上面|前面|大家|我们|咱们?|这个)*(?:说|定|讲|商量|聊)(?:好)?的?"
)
_ASKS: Final = Pattern(
    f"{_LEADS}(?:{_AS_SAID}{_LEADS}(?:加|添|安排|记|存|写)|(?:记|存|写))"
    "(?:一下|一哈|下来|下|上|起|个|进去|进|到|在)*"
    "(?:群|日程|行程|日历)*(?:里|上|中)?(?:一下)?(?:吧|哈|嘛|啊|呗|了|噻|[ ,。!])*"
)
_LINES: Final = 10
_LONGEST: Final = 40
_NAMES: Final = frozenset({"occasion", "unread", "latin", "hui", "meal", "meeting"})
_LEAST: Final = 2
_PARTS: Final = ("凌晨", "早上", "上午", "中午", "下午", "傍晚", "晚上", "今晚", "明晚", "早", "晚")


def orders_talk_kept(line: str) -> bool:
    """True if a line only orders to store the talk just before."""
    return len(line) <= _LONGEST and _ASKS.fullmatch(normalise(line).strip(" ,。!~")) is not None


def plan_said(before: Sequence[SaidBefore], now: datetime) -> str:
    """The plan of the last lines, as one line: day, clock and thing; empty where they hold none with a day, a
    clock and a thing, or only one member spoke."""
    zone = now.tzinfo
    lines = [one for one in before if len(one.text) <= _LONGEST][-_LINES:]
    if not isinstance(zone, ZoneInfo) or len({(one.name, one.mine) for one in lines}) < _LEAST:
        return ""
    heard = [(text := normalise(one.text), parse(text, now, zone)) for one in lines]
    first = next(
        (place for place, (text, times) in enumerate(heard) if _day(times) and _named(text, times)), None
    )
    if first is None:
        return ""
    thing = _named(*heard[first])
    days = [day for _, times in heard[first:] if (day := _day(times))]
    clocks = [time for _, times in heard[first:] for time in times if time.start is not None]
    if not clocks or not days:
        return ""
    day, clock = days[-1], clocks[-1]
    part = "" if any(clock.text.startswith(one) for one in _PARTS) else _part(clocks, days[-1].text)
    said = clock.text if names_day(clock.text) else f"{day.text}{part}{clock.text}"
    return f"{said} {thing}"


def _part(clocks: Sequence[TimeExpression], day: str) -> str:
    """Part of the day named before (下午一点半 / 两点半行不)."""
    if any(day.endswith(one) for one in _PARTS):
        return ""
    told = [one for clock in clocks for one in _PARTS if one in clock.text]
    return told[-1] if told else ""


def _day(times: Sequence[TimeExpression]) -> TimeExpression | None:
    return next((one for one in times if one.date is not None and names_day(one.text)), None)


def _named(text: str, times: Sequence[TimeExpression]) -> str:
    """The longest run of words in a line that may name what people meet for."""
    best, run = "", ""
    for word in words_of(text, tuple(times)):
        if word.classes & _NAMES and not word.classes & {"time", "pause", "particle"}:
            run += text[word.start : word.end]
            best = max(best, run, key=len)
        else:
            run = ""
    return best if len(best) >= _LEAST else ""
