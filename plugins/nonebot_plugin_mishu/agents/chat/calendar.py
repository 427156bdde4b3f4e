"""Questions to the calendar that need no model: 下周三是几号, 12月25号是周几, 离元旦还有几天. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...text import normalise
from ...timeparse import TimeExpression, parse

_WEEKDAYS: Final = "一二三四五六日"
_LONGEST: Final = 40
_NEW_YEAR: Final = re.compile("过年|过大年")
_END: Final = "[吗呢啊呀呗吧了的?？!。,， ]*"
_WHICH: Final = re.compile(
    f"[是在,， ]*(?:几月几[号日]|[几多]少?[号日]|周几|星期几|礼拜几|哪一?天)(?:来着)?{_END}"
)
_HOW_LONG: Final = re.compile(
    f"(?:现在)?(?:离|距离?|到)?[,， ]*(?:还)?(?:有|剩|差)?(?:多少|几)天(?:来着|到)?{_END}"
)


def answer(words: str, now: datetime) -> str | None:
    """The day that a whole line asks after, or how many days it is until then; None where it asks neither.

    `now` knows its zone. Never raises; only short lines are looked at.
    """
    if not isinstance(now.tzinfo, ZoneInfo) or len(words) > _LONGEST:
        return None
    line = _NEW_YEAR.sub("春节", normalise(words))
    times = parse(line, now, now.tzinfo)
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
    return None


def _without(line: str, time: TimeExpression) -> str:
    for start, end in reversed(time.spans):
        line = line[:start] + line[end:]
    return line.strip()
