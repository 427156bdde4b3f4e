"""Questions to the calendar: 下周三是几号, 离元旦还有几天, 元旦是工作日吗. Pure; whole lines only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..recognise.times import parse
from ..text.fold import normalise

_LONGEST: Final = 40
_NEW_YEAR: Final = Pattern("过年|过大年")
_END: Final = "[吗呢啊呀呗吧了的?？!。,， ]*"
_WHICH: Final = Pattern(
    f"[是在,， ]*(?:几月几[号日]|[几多]少?[号日]|周几|星期几|礼拜几|哪一?天)(?:来着)?{_END}"
)
_HOW_LONG: Final = Pattern(
    f"(?:现在)?(?:离|距离?|到)?[,， ]*(?:还)?(?:有|剩|差)?(?:多少|几)天(?:来着|到)?{_END}"
)
_WORKDAY: Final = ("工作日", "上班日")
"""Alone it repeats; here it is what is asked."""
_ASKS: Final = Pattern("[吗么?？]|是不是|算不算|[要用]不[要用]|需不需要|不 *$|放假不放假")
_WORKS: Final = Pattern(
    "(?:那天|当天)?[,， ]*(?:要不要|用不用|需不需要|是不是|算不算|要|用|需要|是|算|得)?(?:个)?"
    f"(?:工作日|上班日|上班|放假|休息日|节假日|法定(?:节)?假日|法定节日|休息|放假不放假)(?:不)?{_END}"
)


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """Which day it is, how many days it is until then, or whether it is worked."""

    kind: Literal["which", "how_long", "works"]
    day: date
    named: str
    """The day in the asker's words."""


def calendar_question(words: str, now: datetime) -> CalendarQuestion | None:
    """The question that a whole line is; None for any other. `now` knows its zone. Never raises."""
    if not isinstance(now.tzinfo, ZoneInfo) or len(words) > _LONGEST:
        return None
    line = _NEW_YEAR.sub("春节", normalise(words))
    times = [each for each in parse(line, now, now.tzinfo) if each.text not in _WORKDAY]
    if len(times) != 1 or times[0].recurrence is not None or times[0].start is not None:
        return None
    day, rest = times[0].date, line
    if day is None or times[0].invalid is not None:
        return None
    for start, end in reversed(times[0].spans):
        rest = rest[:start] + rest[end:]
    rest = rest.strip()
    if _WHICH.fullmatch(rest) is not None:
        return CalendarQuestion("which", day, times[0].text)
    if _HOW_LONG.fullmatch(rest) is not None:
        return CalendarQuestion("how_long", day, times[0].text)
    if _WORKS.fullmatch(rest) is not None and _ASKS.search(rest) is not None:
        return CalendarQuestion("works", day, times[0].text)
    return None
