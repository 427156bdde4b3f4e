"""Months and years as they are said: 下个月5号, 11月底, 明年3月, 年底, 2026年12月1日."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from .....patterns import Pattern
from ..nextword import unless_next
from ..numbers import SMALL, integer
from .almanac import add_months
from .day import Day, Today, dated, month_span, step
from .festive import lunar_day, read_festive
from .lunar import read_lunar
from .periods import SHIFTS, read_in_month, read_place

_MONTH: Final = Pattern(
    f"(?P<shift>上上|下下下|下下|上|下|这|本|当)一?个?月(?!{unless_next('亮饼色薪光球租经嫂老')})份?"
)
NAMED_MONTH: Final = Pattern(
    f"(?P<month>[0-9]{{1,2}}|十[一二]?|[一二三四五六七八九])月(?!{unless_next('亮饼色光球薪租')}|是你的谎言|怀胎|病(?!假)|鲜)"
)
"""A month by its number."""

_YEAR: Final = Pattern(
    # 去年, 今年 and 明年 are whole: 明年会更好; 前年会, 本年级 begin another word.
    "(?P<relative>大前|大后|前|去|今|明|后|本|当)年"
    "(?:(?<=[去今明]年)(?!轻|龄|纪(?!念))|(?<![去今明]年)(?!轻|纪|龄|级|代|糕|货|味|会|终奖|薪|假|报|关|夜))"
    "(?:度(?!假))?"
    "|(?P<number>[0-9]{4}|[一二][零〇一二三四五六七八九]{3})年(?!代|级)"
    "|(?P<short>[2-4][0-9])年(?=(?:[0-9]{1,2}|十[一二]?|[一二三四五六七八九])月)"
)
_YEARS: Final = {"大前": -3, "前": -2, "去": -1, "今": 0, "本": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_YEAR_PART: Final = Pattern(
    "的?(?:(?P<end>年底|年末|岁末|底(?!下)|末(?!尾))|(?P<early>年初|开年|初(?![一二三四五六七八九十]))"
    "|(?P<middle>年中)|(?P<half>[上下])半年)"
)
_HALF_YEAR: Final = Pattern("(?P<half>[上下])半年")
_QUARTER: Final = Pattern("(?:第(?P<number>[一二三四1-4])|(?P<shift>上|下|这|本)一?个?)季度")
_WITHIN: Final = Pattern("(?P<unit>月|年)(?=(?:之)?内(?![容部存]))")
_BARE_PART: Final = Pattern(
    "(?P<yearend>年底|年末|岁末)|(?P<yearmiddle>年中)"
    "|(?P<monthend>月底|月末)|(?P<monthearly>月初)|(?P<monthmiddle>月中(?!旬))"
)


def in_named_month(
    text: str, month: re.Match[str], today: Today, year: int | None, after: date | None
) -> tuple[Day, int] | None:
    """A month by its number and the text behind it; `after` as for `read_day`."""
    number = integer(month["month"]) or 0
    lunar = read_lunar(text, month.start())
    if lunar is not None:
        return lunar_day(lunar[0], year, today), lunar[1]
    if not 1 <= number <= 12:
        refused = re.compile(f"{SMALL}[号日]").match(text, month.end())
        return (Day(None, invalid=f"没有{number}月"), refused.end()) if refused else None
    inside = read_in_month(text, month.end(), today, year, number)
    if inside is not None:
        day, end = inside
        single = day.start is not None and day.end is None
        if year is None and after is not None and single and day.start is not None and day.start < after:
            day = dated(today, day.start.month, day.start.day, None, after)
        return day, end
    if text.startswith("天", month.end()) and number == 5:
        return None  # 五月天
    if month.end() < len(text) and re.match("[0-9一二三四五六七八九十]", text[month.end()]):
        return None
    known = year if year is not None else dated(today, number, 15, None, after).start
    span = month_span(known if isinstance(known, int) else known.year if known else today.date.year, number)
    return span, month.end() + (1 if text.startswith("份", month.end()) else 0)


def read_monthly(text: str, at: int, today: Today) -> tuple[Day, int] | None:
    """下个月…, 月底, 明年…, 2026年…: a month counted from now, a year, and what is in it."""
    quarter = _QUARTER.match(text, at)
    if quarter is not None:
        return _quarter(quarter, today.date.year, today), quarter.end()
    half = _HALF_YEAR.match(text, at)
    if half is not None:
        return _half_year(today.date.year, half["half"]), half.end()
    within = _WITHIN.match(text, at)
    if within is not None and not (at and text[at - 1] in "0123456789一二两三四五六七八九十几个多"):
        whole = month_span(today.date.year, today.date.month)
        year = Day(date(today.date.year, 1, 1), date(today.date.year, 12, 31), unit="year")
        return whole if within["unit"] == "月" else year, within.end()
    bare = _BARE_PART.match(text, at)
    if bare is not None:
        if at and text[at - 1] in "0123456789一二三四五六七八九十两几个每":
            return None
        return Day(_part_of_now(bare, today)), bare.end()
    month = _MONTH.match(text, at)
    if month is not None:
        base = add_months(today.date.replace(day=1), SHIFTS[month["shift"]])
        if text.startswith(("今天", "的今天"), month.end()):
            end = text.index("今天", month.end()) + 2
            return dated(today, base.month, today.date.day, base.year, None), end
        inside = read_in_month(text, month.end(), today, base.year, base.month)
        return inside if inside is not None else (month_span(base.year, base.month), month.end())
    year = _YEAR.match(text, at)
    if year is None or (at and text[at - 1] in "0123456789."):
        return None
    if year["relative"]:
        number = today.date.year + _YEARS[year["relative"]]
        if year["relative"] == "当" and not text[year.end() : year.end() + 1].isdigit():
            return None  # 当年 alone is long ago
    else:
        number = integer(year["number"]) or 0 if year["number"] else 2000 + int(year["short"])
    if not 1900 <= number <= 2200:
        return None
    return _in_year(text, year.end(), number, today)


def _part_of_now(bare: re.Match[str], today: Today) -> date:
    """年底, 月底 … without a year or month: this one's, the next one's if past."""
    now = today.date
    if bare["yearend"]:
        return date(now.year, 12, 31)
    if bare["yearmiddle"]:
        return date(now.year + (now > date(now.year, 6, 30)), 6, 30)
    if bare["monthend"]:
        return add_months(now.replace(day=1), 1) - (date(2, 1, 2) - date(2, 1, 1))
    wanted = 1 if bare["monthearly"] else 15
    return add_months(now.replace(day=1), 1 if now.day > wanted else 0).replace(day=wanted)


def _half_year(year: int, half: str) -> Day:
    if half == "上":
        return Day(date(year, 1, 1), date(year, 6, 30), unit="span")
    return Day(date(year, 7, 1), date(year, 12, 31), unit="span")


def _quarter(found: re.Match[str], year: int, today: Today) -> Day:
    running = (today.date.month - 1) // 3
    number = (integer(found["number"]) or 1) - 1 if found["number"] else running + SHIFTS[found["shift"]]
    first = add_months(date(year, 1, 1), 3 * number)
    return Day(first, step(add_months(first, 3), -1), unit="span")


def _in_year(text: str, at: int, year: int, today: Today) -> tuple[Day, int] | None:
    part = _YEAR_PART.match(text, at)
    if part is not None:
        if part["end"]:
            return Day(date(year, 12, 31)), part.end()
        if part["early"]:
            return Day(date(year, 1, 1)), part.end()
        if part["middle"]:
            return Day(date(year, 6, 30)), part.end()
        return _half_year(year, part["half"]), part.end()
    begin = at + (1 if text.startswith(("的", " "), at) else 0)
    quarter = _QUARTER.match(text, begin)
    if quarter is not None and quarter["number"]:
        return _quarter(quarter, year, today), quarter.end()
    if text.startswith(("今天", "今日"), begin):
        return dated(today, today.date.month, today.date.day, year, None), begin + 2
    month = NAMED_MONTH.match(text, begin)
    if month is not None:
        inside = in_named_month(text, month, today, year, None)
        if inside is not None:
            return inside
    festive = read_festive(text, begin, today, year)
    if festive is not None:
        return festive
    whole = Day(date(year, 1, 1), date(year, 12, 31), unit="year")
    return read_place(text, at, whole) or (whole, at)
