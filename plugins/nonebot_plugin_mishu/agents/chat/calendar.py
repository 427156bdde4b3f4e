"""Questions to the calendar that need no model: 下周三是几号, 离元旦还有几天, 元旦是工作日吗. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from ...language.recognise.times.days.almanac import holidays_known, is_workday, statutory_days
from ...language.timing.calendar_questions import calendar_question

_WEEKDAYS: Final = "一二三四五六日"


def answer(words: str, now: datetime) -> str | None:
    """The day that a whole line asks after, how many days it is until then, or whether it is worked; None
    where it asks none of these.

    `now` knows its zone. Never raises; only short lines are looked at.
    """
    asked = calendar_question(words, now)
    if asked is None:
        return None
    day, said = asked.day, f"{asked.day.month}月{asked.day.day}日"
    if asked.kind == "which":
        name = "" if "月" in asked.named else f"{asked.named}是"
        return f"{name}{said}{'，' if name else '是'}周{_WEEKDAYS[day.weekday()]}。"
    if asked.kind == "how_long":
        days = (day - now.date()).days
        return f"离{asked.named}（{said}）还有{days}天。" if days > 0 else None
    return f"{said}，周{_WEEKDAYS[day.weekday()]}，{work_of(day)}。"


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
