"""Wording of replies about the term. Pure."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ...language.term.term import MOST_WEEKS, Term

QUESTION: Final = "说的周次要从学期第一周算起。第一周是几月几号那周？比如回「9月7号那周，一共18周」。"
UNKNOWN: Final = "还不知道学期第一周是哪周，说「学期第一周是9月7号那周，一共18周」就行。"
OTHER_TERM: Final = "只知道这个学期从哪周算起，别的学期说几月几号吧，没有动。"
DROPPED: Final = "好，没有记。要办就直接说几月几号。"
NO_WEEK: Final = "这学期一共 {weeks} 周（到{end}），没有你说的那周，没有动。"
NOT_TOLD: Final = {
    "weekend": "{day}是{weekday}，分不清第一周是它前面还是后面那周，说「第一周是X月X号那周」吧。",
    "length": f"一个学期最多 {MOST_WEEKS} 周，没有记。",
    "far": "第一周算出来是{day}那周，离现在太远了，没有记。",
    "over": "按第一周是{day}那周算，学期已经结束了，没有记。",
    "unknown": UNKNOWN,
}
_WEEKDAYS: Final = "一二三四五六日"


def spoken_day(day: date, today: date) -> str:
    """9月7日, with the year where it is another one."""
    year = f"{day.year}年" if day.year != today.year else ""
    return f"{year}{day.month}月{day.day}日"


def not_told(why: str, day: date | None, today: date) -> str:
    """Why no term was kept."""
    if day is None:
        return NOT_TOLD[why]
    return NOT_TOLD[why].format(day=spoken_day(day, today), weekday=f"周{_WEEKDAYS[day.weekday()]}")


def parity(week: int) -> str:
    """单周 or 双周."""
    return "单周" if week % 2 else "双周"


def term_told(term: Term, before: Term | None, today: date) -> str:
    """What is kept now, and what was before."""
    lines = [f"记下了：第一周是{spoken_day(term.first, today)}那周"]
    if term.weeks is not None:
        lines.append(f"一共 {term.weeks} 周，到{spoken_day(term.last_day, today)}")
    week = term.week_of(today)
    lines.append("还没开学" if week is None else f"这周是第 {week} 周（{parity(week)}）")
    changed = before is not None and before.first != term.first
    was = f"（原来记的是{spoken_day(before.first, today)}那周）" if before is not None and changed else ""
    return f"{'，'.join(lines)}。{was}"


def week_told(term: Term, day: date, today: date) -> str:
    """Which week a day is of."""
    week = term.week_of(day)
    which = "今天" if day == today else spoken_day(day, today)
    if week is None:
        when = "还没开学" if day < term.first else "学期已经结束了"
        return f"{which}{when}：第一周是{spoken_day(term.first, today)}那周{_length(term)}。"
    return f"{which}是第 {week} 周（{parity(week)}）{_length(term)}。"


def _length(term: Term) -> str:
    return "" if term.weeks is None else f"，一共 {term.weeks} 周"


def dates_told(term: Term, week: int, today: date) -> str:
    """From when to when a week is."""
    if week > term.last_week:
        return no_week(term, today)
    first = term.monday(week)
    last = first + timedelta(days=6)
    return f"第 {week} 周（{parity(week)}）是{spoken_day(first, today)}到{spoken_day(last, today)}。"


def no_week(term: Term, today: date) -> str:
    """A week that the term has not."""
    if term.weeks is None:
        return f"没说过这学期几周，最多按 {term.last_week} 周算，你说的那周算不出来，没有动。"
    return NO_WEEK.format(weeks=term.weeks, end=spoken_day(term.last_day, today))


def left_told(term: Term, today: date) -> str:
    """How many weeks of the term are left, with this one."""
    week = term.week_of(today)
    if term.weeks is None:
        return f"{week_told(term, today, today)}没说过一共几周，还有几周说不准。"
    if week is None:
        return week_told(term, today, today)
    left = term.weeks - week
    rest = f"后面还有 {left} 周" if left else "是最后一周"
    end = spoken_day(term.last_day, today)
    return f"今天是第 {week} 周（{parity(week)}），{rest}，一共 {term.weeks} 周，到{end}。"


def whole_term(term: Term, today: date) -> str:
    """When the term begins and how long it is."""
    length = (
        "没说过一共几周"
        if term.weeks is None
        else f"一共 {term.weeks} 周，到{spoken_day(term.last_day, today)}"
    )
    return f"第一周是{spoken_day(term.first, today)}那周，{length}。"
