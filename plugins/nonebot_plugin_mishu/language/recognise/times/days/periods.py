"""Within a month, a year or a holiday: 15号, 月底, 中旬, 最后一天, 最后一个周五, 第二天."""

from __future__ import annotations

from datetime import date
from typing import Final

from .....patterns import Pattern
from ..nextword import unless_next
from ..nottime import is_not_a_day
from ..numbers import SMALL, integer
from .almanac import is_workday, month_length
from .day import Day, Today, dated, month_span, nearest_year, step

WEEK: Final = "(?:周|星期|礼拜)"
WEEKDAY_NUMBERS: Final = {character: index for index, character in enumerate("一二三四五六日")} | {
    "天": 6, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6,
}  # fmt: skip

SHIFTS: Final = {
    "上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "此": 0, "下": 1, "下下": 2, "再下": 2, "下下下": 3,
}  # fmt: skip
"""Weeks or months of each word."""

_PLACE: Final = Pattern(
    f"的?(?:(?P<last>最后一?)|倒数第(?P<back>{SMALL})|第(?P<nth>{SMALL})|(?P<head>头一))个?"
    f"(?:(?P<day>天)(?!地)|(?P<workday>工作日)|{WEEK}(?P<weekday>[一二三四五六日天])|(?P<week>{WEEK})(?![一二三四五六日天末])|(?P<weekend>周末))"
)
_PART: Final = Pattern(
    "份?的?(?:(?P<end>月底|月末|底|末(?!尾|班|世))|(?P<early>月初|初(?![一二三四五六七八九十步级]))|(?P<middle>月中(?!旬)|中(?![旬午秋间国文等考])))"
)
_TEN_DAYS: Final = Pattern("份?的?(?P<which>上|中|下)旬")
_NUMBER: Final = Pattern(
    f"份?的?(?P<day>{SMALL})(?:(?P<unit>[号日])"
    f"|(?!{unless_next('0-9个块元瓶万千百亿%份件人次天分斤点:：年月星折米公度')}|周(?![一二三四五六日天])))"
)


def read_in_month(text: str, at: int, today: Today, year: int | None, month: int) -> tuple[Day, int] | None:
    """Day, part or last weekday of a month, behind its name (11月20 also without 号); `None` if none."""
    part = _PART.match(text, at)
    known = year if year is not None else nearest_year(today.date, month, 15)
    if not 1 <= known <= 9999:
        return None
    span = month_span(known, month)
    assert span.start is not None
    assert span.end is not None
    if part is not None:
        word = part.group()
        if word.endswith(("底", "末")):
            return Day(span.end), part.end()
        if word.endswith("初"):
            return Day(span.start), part.end()
        return Day(span.start.replace(day=15)), part.end()
    ten = _TEN_DAYS.match(text, at)
    if ten is not None:
        first = {"上": 1, "中": 11, "下": 21}[ten["which"]]
        last = {"上": 10, "中": 20, "下": month_length(known, month)}[ten["which"]]
        return Day(span.start.replace(day=first), span.start.replace(day=last), unit="span"), ten.end()
    placed = read_place(text, at, span)
    if placed is not None:
        return placed
    number = _NUMBER.match(text, at)
    if number is None:
        return None
    if number["unit"] is None and not (number["day"].isdigit() or len(number["day"]) > 1):
        return None
    if number["unit"] == "日" and is_not_a_day(text, number.end()):
        return None
    day = integer(number["day"])
    if day is None:
        return None
    return dated(today, month, day, year, None), number.end()


def read_place(text: str, at: int, span: Day) -> tuple[Day, int] | None:
    """最后一天, 第二天, 最后一个周五, 第一周 of a stretch of days."""
    found = _PLACE.match(text, at)
    if found is None or span.start is None or span.end is None:
        return None
    place = 1 if found["head"] else -1 if found["last"] else integer(found["back"] or found["nth"]) or 0
    if found["back"]:
        place = -place
    if found["week"] or found["weekend"]:
        return _week_of(span.start, span.end, place, found["weekend"] is not None), found.end()
    if found["weekday"]:
        inside = _weekdays(span.start, span.end, WEEKDAY_NUMBERS[found["weekday"]])
    elif found["workday"]:
        inside = [day for day in _days(span.start, span.end) if is_workday(day)]
    else:
        inside = _days(span.start, span.end)
    index = place - 1 if place > 0 else place
    if place == 0 or not -len(inside) <= index < len(inside):
        return Day(None, invalid=f"没有{found.group().lstrip('的')}"), found.end()
    return Day(inside[index]), found.end()


def _days(first: date, last: date) -> list[date]:
    return [step(first, days) for days in range(min((last - first).days + 1, 400))]


def _weekdays(first: date, last: date, weekday: int) -> list[date]:
    return [day for day in _days(first, last) if day.weekday() == weekday]


def _week_of(first: date, last: date, place: int, weekend: bool) -> Day:
    """The n-th calendar week that begins within the stretch, or its Saturday and Sunday; of a year, week 1 is
    the one with its first Thursday (ISO 8601, GB/T 7408)."""
    if not weekend and (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        first = step(first, -3)
        last = step(last, -3)
    mondays = [day for day in _days(first, last) if day.weekday() == (5 if weekend else 0)]
    index = place - 1 if place > 0 else place
    if place == 0 or not -len(mondays) <= index < len(mondays):
        return Day(None, invalid="没有这一周")
    begin = mondays[index]
    return Day(begin, step(begin, 1 if weekend else 6), unit="weekend" if weekend else "week")
