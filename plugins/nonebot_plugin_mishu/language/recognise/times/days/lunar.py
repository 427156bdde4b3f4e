"""Lunar dates as they are said: 农历八月十五, 腊月廿三, 正月初一, 闰六月十五, 大年初五, 除夕's 三十."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from .....patterns import Pattern
from ..numbers import SMALL, integer
from .almanac import LAST_LUNAR_YEAR, lunar_to_solar, lunar_year_of

_DAY: Final = "初[一二三四五六七八九十]|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[0-9]{1,2}"
# 农历三月三, 九月九
_ONE_DIGIT: Final = "[一二三四五六七八九](?![0-9一二三四五六七八九十个次天周])"
_MONTH: Final = f"正|冬|腊|{SMALL}"
_CALENDAR: Final = "农历|阴历|旧历|夏历|老历"
_BEGINNINGS: Final = frozenset("农阴旧夏老闰正冬腊八大年初0123456789一二两三四五六七九十廿")
_DATE: Final = Pattern(
    f"(?P<named>{_CALENDAR})(?:的|是)?(?P<leap>闰)?(?P<month>{_MONTH})月(?:份|的)?(?P<day>{_DAY}|{_ONE_DIGIT})[号日]?"
    f"|(?P<leap2>闰)?(?P<month2>{_MONTH})月(?P<day2>初[一二三四五六七八九十]|廿[一二三四五六七八九]?)[日号]?"
    f"|(?P<leap3>闰)(?P<month3>{_MONTH})月(?P<day3>{_DAY})[号日]?"
    f"|(?P<month4>正|冬|腊)月(?P<day4>{_DAY})[号日]?"
    "|(?P<moon>八月十五)(?![号日0-9一二三四五六七八九])"
    "|(?:大年|(?<![今明去前后本当])年)(?P<newyear>初[一二三四五六七八九十])"
    "|(?P<bare>初[四五六七八九十])(?![一二三四五六七八九级年步])"
)


@dataclass(frozen=True, slots=True)
class LunarDate:
    """A lunar month and day as said, without its year; day -1 is the last of the month."""

    month: int
    day: int
    leap: bool = False

    def in_year(self, year: int) -> date | None:
        """Its day in a lunar year, or `None` where the year has no such day."""
        if self.day > 30:
            return None
        if self.leap and lunar_to_solar(year, self.month, 1, True) is None:
            return None
        return lunar_to_solar(year, self.month, self.day, self.leap)

    def following(self, day: date) -> date | None:
        """Its next day on or after `day`, among this lunar year and the next two."""
        first = lunar_year_of(day)
        for year in range(first, min(first + 3, LAST_LUNAR_YEAR)):
            found = self.in_year(year)
            if found is not None and found >= day:
                return found
        return None

    @property
    def reason(self) -> str:
        """Why it could not be found."""
        if self.month > 12:
            return f"没有{self.month}月"
        name = "正二三四五六七八九十冬腊"[self.month - 1] + "月"
        return f"这两年没有闰{name}" if self.leap else f"农历{name}没有{self.day}日"


def read_lunar(text: str, at: int) -> tuple[LunarDate, int] | None:
    """The lunar date said at `at` (its year stands before it, if said), and where it ends."""
    if text[at : at + 1] not in _BEGINNINGS:
        return None
    found = _DATE.match(text, at)
    if found is None:
        return None
    if found["moon"]:
        return LunarDate(8, 15), found.end()
    if found["newyear"]:
        return LunarDate(1, _day(found["newyear"])), found.end()
    if found["bare"]:
        return LunarDate(0, _day(found["bare"])), found.end()
    said_month = found["month"] or found["month2"] or found["month3"] or found["month4"]
    said_day = found["day"] or found["day2"] or found["day3"] or found["day4"]
    month = {"正": 1, "冬": 11, "腊": 12}.get(said_month) or integer(said_month) or 0
    day = _day(said_day)
    if not month or not day:
        return None
    if month == 12 and day == 30:
        day = -1  # 腊月三十 is said for the eve also where the month ends with the 29th
    return LunarDate(month, day, bool(found["leap"] or found["leap2"] or found["leap3"])), found.end()


_WHOLE_MONTH: Final = Pattern(f"(?:{_CALENDAR})(?P<month>{_MONTH})月|(?P<named>正|冬|腊)月")


def read_lunar_month(text: str, at: int, today: date) -> tuple[tuple[date, date], int] | None:
    """正月, 腊月, 农历八月 without a day: the running or next one, first and last day, and where it ends."""
    found = _WHOLE_MONTH.match(text, at)
    if found is None:
        return None
    said = found["month"] or found["named"]
    month = {"正": 1, "冬": 11, "腊": 12}.get(said) or integer(said) or 0
    last = LunarDate(month, -1).following(today) if 1 <= month <= 12 else None
    first = LunarDate(month, 1).in_year(lunar_year_of(last)) if last is not None else None
    return ((first, last), found.end()) if first is not None and last is not None else None


def _day(said: str) -> int:
    if said.startswith("初"):
        return integer(said[1:]) or 0
    return integer(said) or 0


def following_lunar_day(number: int, day: date) -> date | None:
    """The next day on or after `day` whose lunar day is `number` (大年 and month not said: 初五)."""
    found: list[date] = []
    year = lunar_year_of(day)
    for lunar_year in (year, year + 1):
        for month in range(1, 13):
            candidate = lunar_to_solar(lunar_year, month, number)
            if candidate is not None and candidate >= day:
                found.append(candidate)
    return min(found, default=None)
