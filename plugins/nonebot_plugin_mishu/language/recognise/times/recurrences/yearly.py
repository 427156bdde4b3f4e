"""Recurrences by the month and the year: 每月15号, 每月最后一个周五, 每年3月5号, 每年农历八月十五."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .....patterns import Pattern
from ..days.almanac import month_length
from ..days.festivals import read_festival
from ..days.lunar import read_lunar
from ..days.periods import WEEK, WEEKDAY_NUMBERS
from ..expression import WEEKDAYS, Recurrence
from ..numbers import SMALL, integer

_WEEKDAY_SET: Final = "一二三四五六日天"
_MONTHLY_DAY: Final = Pattern(f"的?(?P<day>{SMALL})(?P<unit>[号日])")
_MONTHLY_SHORT: Final = Pattern(
    f"的?(?P<first>{SMALL}) ?(?:到|至|-|~|–|—) ?(?P<day>{SMALL})(?P<unit>[号日])(?!游)"
)
_MONTHLY_TO: Final = Pattern(f" ?(?:到|至|-|~|–|—) ?(?P<day>{SMALL})[号日](?!游)")
_YEARLY_TO: Final = Pattern(f" ?(?:到|至|-|~|–|—) ?(?:(?P<month>{SMALL})月)?(?P<day>{SMALL})[号日]")
_MONTHLY_MORE: Final = Pattern(f"(?:、|,|和|跟|与|及) ?(?P<day>{SMALL})(?P<unit>[号日])")
_MONTHLY_FIRST: Final = Pattern(f"的?(?P<day>{SMALL})[、和,](?={SMALL}[号日、和,])")
_MONTHLY_PLACE: Final = Pattern(
    f"的?(?:(?P<last>最后一?)|倒数第?(?P<back>{SMALL})|(?P<head>头一?)|第(?P<nth>{SMALL}))个?"
    f"(?:(?P<day>天)|(?P<workday>工作日|周末|双休日|{WEEK}(?![{_WEEKDAY_SET}末]))|{WEEK}(?P<weekday>[{_WEEKDAY_SET}]))"
)
_MONTHLY_PLACES: Final = Pattern(
    f"的?第(?P<places>{SMALL}个?(?:[、和跟与,及]第?{SMALL}个?){{1,4}}){WEEK}(?P<weekday>[{_WEEKDAY_SET}])"
)
"""每月第二、第四个周六."""
_MONTHLY_PART: Final = Pattern(
    "的?(?:(?P<end>月底|月末|底|末)|(?P<early>月初|初(?![一二三四五六七八九十]))|(?P<middle>月中|中旬?))"
)
_MONTHLY_LUNAR: Final = Pattern(
    "(?:农历|阴历)?的?初[一二三四五六七八九十](?:[、和跟同与,]?(?:十五|初[一二三四五六七八九十]))?"
)
_YEARLY_DAY: Final = Pattern(
    f"的?(?P<month>{SMALL})月(?:份?的?(?:(?P<day>{SMALL})[号日]?|(?P<end>底|最后一天)|(?P<first>初)"
    f"|(?:(?P<last>最后一)|第(?P<nth>{SMALL}))个?{WEEK}(?P<weekday>[{_WEEKDAY_SET}])))?"
)
_YEARLY_PART: Final = Pattern("的?(?P<end>年底|底|年末|最后一天)|的?(?:年初|第一天)")
WEEK_ALONE: Final = Pattern(WEEK)
LUNAR_MONTHLY: Final = "按农历每月重复我还不会记，说下一次是公历几号就行"
"""Why 每月初一 is refused: no recurrence says it."""


@dataclass(frozen=True, slots=True)
class Every:
    """One or more recurrences said in one phrase. `part_at`: where the part of a day begins (每晚: at 晚).

    `last`: month, if said, and day on which every occurrence ends (每月10号到15号, 每年5月1日到3日).
    """

    rules: tuple[Recurrence, ...]
    end: int
    invalid: str | None = None
    part_at: int | None = None
    last: tuple[int | None, int] | None = None


def monthly(text: str, at: int, interval: int) -> Every:
    """From behind 每月 on: the day, the part, the last Friday; nothing at all repeats by the month."""
    begin = at
    lunar = _MONTHLY_LUNAR.match(text, at)
    if lunar is not None:
        return Every((), lunar.end(), invalid=LUNAR_MONTHLY)
    days: list[int] = []
    while (first := _MONTHLY_FIRST.match(text, at)) is not None:
        days.append(integer(first["day"]) or 0)
        at = first.end()
    stretch = _MONTHLY_SHORT.match(text, at) if not days else None
    if stretch is not None:
        return _stretch(interval, integer(stretch["first"]) or 0, integer(stretch["day"]) or 0, stretch.end())
    number = _MONTHLY_DAY.match(text, at)
    if number is not None:
        days.append(integer(number["day"]) or 0)
        at = number.end()
        to = _MONTHLY_TO.match(text, at) if len(days) == 1 else None
        if to is not None:
            return _stretch(interval, days[0], integer(to["day"]) or 0, to.end())
        while (more := _MONTHLY_MORE.match(text, at)) is not None:
            days.append(integer(more["day"]) or 0)
            at = more.end()
        wrong = next((day for day in days if not 1 <= day <= 31), None)
        if wrong is not None:
            return Every((), at, invalid=f"没有{wrong}号")
        return Every(tuple(Recurrence("monthly", interval, bymonthday=day) for day in days), at)
    part = _MONTHLY_PART.match(text, begin)
    if part is not None:
        day = -1 if part["end"] else 1 if part["early"] else 15
        return Every((Recurrence("monthly", interval, bymonthday=day),), part.end())
    several = _MONTHLY_PLACES.match(text, begin)
    if several is not None:
        numbers = [integer(each) or 0 for each in re.split("[、和跟与,及第个]+", several["places"]) if each]
        wrong = next((each for each in numbers if not 1 <= each <= 5), None)
        if wrong is not None:
            return Every((), several.end(), invalid=f"没有第{wrong}个{several['weekday']}")
        day = WEEKDAYS[WEEKDAY_NUMBERS[several["weekday"]]]
        rules = tuple(Recurrence("monthly", interval, byday=(f"{each}{day}",)) for each in numbers)
        return Every(rules, several.end())
    place = _MONTHLY_PLACE.match(text, begin)
    if place is None:
        return Every((Recurrence("monthly", interval),), begin)
    nth = -1 if place["last"] else 1 if place["head"] else integer(place["back"] or place["nth"]) or 0
    if place["back"]:
        nth = -nth
    if place["workday"]:
        unit = "周" if WEEK_ALONE.fullmatch(place["workday"]) else place["workday"]
        return Every((), place.end(), invalid=f"每月第几个{unit}还不能重复，说几号或星期几就行")
    if place["weekday"]:
        if not (1 <= abs(nth) <= 5):
            return Every((), place.end(), invalid=f"没有{place.group().lstrip('的')}")
        code = f"{nth}{WEEKDAYS[WEEKDAY_NUMBERS[place['weekday']]]}"
        return Every((Recurrence("monthly", interval, byday=(code,)),), place.end())
    if 1 <= abs(nth) <= 31:
        return Every((Recurrence("monthly", interval, bymonthday=nth),), place.end())
    return Every((), place.end(), invalid=f"没有{place.group().lstrip('的')}")


def _stretch(interval: int, first: int, last: int, end: int) -> Every:
    """每月10号到15号: it happens on the first of these days, and lasts until the other."""
    wrong = next((day for day in (first, last) if not 1 <= day <= 31), None)
    if wrong is not None:
        return Every((), end, invalid=f"没有{wrong}号")
    return Every((Recurrence("monthly", interval, bymonthday=first),), end, last=(None, last))


def yearly(text: str, at: int) -> Every:
    """From behind 每年 on: the date, the lunar date, the festival; nothing at all repeats by the year."""
    begin = at + (1 if text.startswith("的", at) else 0)
    lunar = read_lunar(text, begin)
    if lunar is not None and lunar[0].month:
        date, end = lunar
        return Every((Recurrence("lunar_yearly", bymonth=date.month, bymonthday=date.day),), end)
    festival = read_festival(text, begin)
    if festival is not None:
        rule = festival[0].recurrence()
        if rule is None:
            name = text[begin : festival[1]]
            return Every((), festival[1], invalid=f"{name}每年日期不同，说今年是几号就行")
        return Every((rule,), festival[1])
    found = _YEARLY_DAY.match(text, at)
    if found is None:
        part = _YEARLY_PART.match(text, at)
        if part is None:
            return Every((Recurrence("yearly"),), at)
        month, day = (12, 31) if part["end"] else (1, 1)
        return Every((Recurrence("yearly", bymonth=month, bymonthday=day),), part.end())
    month = integer(found["month"]) or 0
    if not 1 <= month <= 12:
        return Every((), found.end(), invalid=f"没有{found['month']}月")
    if found["weekday"]:
        nth = "-1" if found["last"] else str(integer(found["nth"]) or 1)
        code = f"{nth}{WEEKDAYS[WEEKDAY_NUMBERS[found['weekday']]]}"
        return Every((Recurrence("yearly", byday=(code,), bymonth=month),), found.end())
    if found["end"]:
        return Every((Recurrence("yearly", bymonth=month, bymonthday=-1),), found.end())
    day = 1 if found["first"] else integer(found["day"]) if found["day"] else None
    if day is not None and not 1 <= day <= month_length(2024, month):
        return Every((), found.end(), invalid=f"{month}月没有{day}日")
    rule = Recurrence("yearly", bymonth=month, bymonthday=day)
    to = _YEARLY_TO.match(text, found.end()) if day is not None else None
    if to is None:
        return Every((rule,), found.end())
    last_month, last = integer(to["month"]) or 0 if to["month"] else month, integer(to["day"]) or 0
    if not 1 <= last_month <= 12 or not 1 <= last <= month_length(2024, last_month):
        return Every((), to.end(), invalid=f"{last_month}月没有{last}日")
    return Every((rule,), to.end(), last=(last_month, last))
