"""Questions to the calendar that need no model: 下周三是几号, 离元旦还有几天, 元旦是工作日吗. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.recognise.times import TimeExpression, parse
from ...language.recognise.times.days.almanac import holidays_known, is_workday, statutory_days
from ...language.text.fold import normalise
from ...patterns import Pattern

_WEEKDAYS: Final = "一二三四五六日"
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


def answer(words: str, now: datetime) -> str | None:
    """The day that a whole line asks after, how many days it is until then, or whether it is worked; None
    where it asks none of these.

    `now` knows its zone. Never raises; only short lines are looked at.
    """
    if not isinstance(now.tzinfo, ZoneInfo) or len(words) > _LONGEST:
        return None
    line = _NEW_YEAR.sub("春节", normalise(words))
    times = [each for each in parse(line, now, now.tzinfo) if each.text not in _WORKDAY]
    if len(times) != 1 or times[0].recurrence is not None or times[0].start is not None:
        return None
    day = times[0].date
    if day is None or times[0].invalid is not None:
        return None
    rest = _without(line, times[0])
    said = f"{day.month}月{day.day}日"
    if _WHICH.fullmatch(rest) is not None:
        name = "" if "月" in times[0].text else f"{times[0].text}是"
        return f"{name}{said}{'，' if name else '是'}周{_WEEKDAYS[day.weekday()]}。"
    if _HOW_LONG.fullmatch(rest) is not None:
        days = (day - now.date()).days
        return f"离{times[0].text}（{said}）还有{days}天。" if days > 0 else None
    if _WORKS.fullmatch(rest) is not None and _ASKS.search(rest) is not None:
        return f"{said}，周{_WEEKDAYS[day.weekday()]}，{work_of(day)}。"
    return None


def work_of(day: date) -> str:
    """Workday or day off, in words; past the published table the days off by law are known all the
    same."""
    weekend = day.weekday() >= 5
    if holidays_known(day):
        if is_workday(day):
            return "调休，要上班" if weekend else "工作日"
        return "休息日" if weekend else "放假"
    if day in statutory_days(day.year):
        return "法定节日，放假"
    return f"{'周末' if weekend else '平时要上班'}，这一年的放假安排我还没有"


def _without(line: str, time: TimeExpression) -> str:
    for start, end in reversed(time.spans):
        line = line[:start] + line[end:]
    return line.strip()
