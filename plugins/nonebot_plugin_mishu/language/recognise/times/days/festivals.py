"""Festivals by name: which day of a year each falls on, and how one repeats as a recurrence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from .....patterns import Pattern
from ..expression import WEEKDAYS, Recurrence
from .almanac import easter, lunar_to_solar, nth_weekday, solar_term

_Rule = Literal["solar", "lunar", "weekday", "term", "easter", "black_friday"]


@dataclass(frozen=True, slots=True)
class Festival:
    """A yearly day.

    `rule` says how `first` and `second` are read: month and day, lunar month and day, or month and
    (weekday, place). `usual` is how many days its public holiday usually begins before and lasts after,
    `None` where it has none.
    """

    name: str
    rule: _Rule
    month: int = 0
    day: int = 0
    weekday: int = 0
    usual: tuple[int, int] | None = None

    def on(self, year: int) -> date | None:
        """Its day in a year (of the common calendar; a lunar day may fall into the next), if known."""
        if self.rule == "solar":
            return date(year, self.month, self.day)
        if self.rule == "lunar":
            return lunar_to_solar(year, self.month, self.day)
        if self.rule == "weekday":
            return nth_weekday(year, self.month, self.weekday, self.day)
        if self.rule == "term":
            return solar_term(year, self.name)
        if self.rule == "easter":
            return easter(year)
        thanksgiving = nth_weekday(year, 11, 3, 4)
        return thanksgiving + timedelta(days=1) if thanksgiving else None

    def in_year(self, year: int) -> date | None:
        """Its day as people count years: 今年除夕 is the eve of the 春节 that lies in this year."""
        if self.rule == "lunar" and self.month == 12:
            return lunar_to_solar(year - 1, self.month, self.day)
        return self.on(year)

    def following(self, day: date) -> date | None:
        """Its next day on or after `day`, if the tables reach that far."""
        for year in (day.year - 1, day.year, day.year + 1):
            found = self.on(year)
            if found is not None and found >= day:
                return found
        return None

    def recurrence(self) -> Recurrence | None:
        """Every year's, or `None` where no recurrence says it (solar terms, Easter)."""
        if self.rule == "solar":
            return Recurrence("yearly", bymonth=self.month, bymonthday=self.day)
        if self.rule == "lunar":
            return Recurrence("lunar_yearly", bymonth=self.month, bymonthday=self.day)
        if self.rule == "weekday":
            return Recurrence("yearly", byday=(f"{self.day}{WEEKDAYS[self.weekday]}",), bymonth=self.month)
        return None


def _solar(month: int, day: int, usual: tuple[int, int] | None = None) -> Festival:
    return Festival("", "solar", month, day, usual=usual)


def _lunar(month: int, day: int, usual: tuple[int, int] | None = None) -> Festival:
    return Festival("", "lunar", month, day, usual=usual)


_SPRING = (1, 6)
# Spelling (a regular expression) of each festival; the longer spelling stands first.
_SPELLINGS: Final[tuple[tuple[str, Festival], ...]] = (
    ("元旦节?", _solar(1, 1, (0, 2))),
    ("(?:西方)?情人节", _solar(2, 14)),
    ("(?:三八|38)(?:国际)?(?:妇女)?节|妇女节|女神节", _solar(3, 8)),
    ("植树节", _solar(3, 12)),
    ("愚人节", _solar(4, 1)),
    ("世界读书日|读书日", _solar(4, 23)),
    ("五一(?:国际)?(?:劳动节|节)?|国际劳动节|劳动节|51(?=假|期间|节|放假)节?", _solar(5, 1, (0, 4))),
    ("五四(?:青年)?节|青年节", _solar(5, 4)),
    ("护士节", _solar(5, 12)),
    ("六一(?:国际)?(?:儿童节|节)?|国际儿童节|儿童节", _solar(6, 1)),
    ("七一(?:建党)?节|建党节", _solar(7, 1)),
    ("八一(?:建军)?节|建军节", _solar(8, 1)),
    ("教师节", _solar(9, 10)),
    ("十一国庆节?|国庆节?|十一(?=黄金周|长假|小长假|假期|期间|放假|节)节?", _solar(10, 1, (0, 6))),
    ("程序员节", _solar(10, 24)),
    ("万圣节前夜|万圣夜|万圣节?", _solar(10, 31)),
    ("光棍节|双十一|双11", _solar(11, 11)),
    ("双十二|双12", _solar(12, 12)),
    ("平安夜", _solar(12, 24)),
    ("圣诞(?:节|(?!老人|树|帽|歌|卡|袜))", _solar(12, 25)),
    ("跨年夜|跨年(?=那|当|晚|夜|前|的)", _solar(12, 31)),
    ("母亲节", Festival("", "weekday", 5, 2, 6)),
    ("父亲节", Festival("", "weekday", 6, 3, 6)),
    ("感恩节", Festival("", "weekday", 11, 4, 3)),
    ("复活节", Festival("", "easter")),
    ("黑色星期五|黑五(?=那|当|前|期|的|$)", Festival("", "black_friday")),
    ("大年三十|年三十|大年夜|年夜(?!饭)|除夕夜?", _lunar(12, -1, (0, 7))),
    ("春节|大年初一|农历新年|过年(?!好|啦|了|吧|红包)", _lunar(1, 1, _SPRING)),
    ("元宵节|元宵(?=晚|那|当|前|夜)|正月十五", _lunar(1, 15)),
    ("龙抬头", _lunar(2, 2)),
    ("端午节?", _lunar(5, 5, (0, 2))),
    ("七夕节?", _lunar(7, 7)),
    ("中元节|鬼节|盂兰盆节", _lunar(7, 15)),
    ("中秋节?", _lunar(8, 15, (0, 2))),
    ("重阳节?", _lunar(9, 9)),
    ("下元节", _lunar(10, 15)),
    ("腊八节?(?!粥|蒜|豆|面)", _lunar(12, 8)),
    ("小年夜?(?!轻|纪|龄|级)", _lunar(12, 23)),
    ("清明节?", Festival("清明", "term", usual=(0, 2))),
)
# Solar terms that are no everyday words; 大雪, 雨水 … need 节气 or a day word behind them.
_TERMS: Final = "立春 惊蛰 春分 谷雨 立夏 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 冬至"
_WEATHER_TERMS: Final = "大雪 小雪 雨水 大寒 小寒 小满"
# 刘国庆, 李清明: a surname before makes it somebody's name.
_SURNAME: Final = "[张王李刘陈杨赵黄吴徐孙胡朱高林何郭罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶魏]"

_BEGINNINGS: Final = frozenset(
    "元西情三3妇女植愚世读五国劳5青护六儿七建八教十程万光双平圣跨母父感复黑大年除春农过正龙端鬼盂中重下腊小清立惊谷夏芒处白秋寒霜冬雨"
)
"""Every character a name in `PATTERN` begins with."""

PATTERN: Final = Pattern(
    "|".join(f"(?P<f{index}>{spelling})" for index, (spelling, _) in enumerate(_SPELLINGS))
    + f"|(?P<term>{_TERMS.replace(' ', '|')})(?:节气|节)?"
    + f"|(?P<weather>{_WEATHER_TERMS.replace(' ', '|')})(?:节气|(?=那天|当天)|(?<=[寒满])(?=之前|以前|前后))"
)
# 五一广场, 国庆路: a street or square of that name.
_PLACE: Final = Pattern(
    "(?:国际|文化|时代|购物)?(?:广场|大厦|商场|商城|公寓|花园)"
    "|[东西南北中]?(?:路(?![上程过况费])|大道|大街|街道|大桥|小学|中学|公园|体育场)"
)
_NUMERIC: Final = Pattern("五一|六一|十一|51|38")
_NOT_AFTER_NUMERIC: Final = Pattern("[号日月班路点个块元折分%0-9〇零一二三四五六七八九十百千万亿]")


def read_festival(text: str, at: int) -> tuple[Festival, int] | None:
    """The festival whose name begins at `at`, and where the name ends."""
    if text[at : at + 1] not in _BEGINNINGS:
        return None
    found = PATTERN.match(text, at)
    if found is None or found.end() == at:
        return None
    before, end = text[at - 1 : at], found.end()
    if _NUMERIC.fullmatch(found.group()) and (
        _NOT_AFTER_NUMERIC.match(text, end)
        or (before and before in "0123456789零一二三四五六七八九十百千万第周期礼拜毛块角元")
    ):
        return None
    if before and re.fullmatch(_SURNAME, before) and found.group() in {"国庆", "清明", "中秋", "重阳"}:
        return None
    if text.startswith("上河图", end) or _PLACE.match(text, end):
        return None
    if found.lastgroup in {"term", "weather"}:
        return Festival(found.group(found.lastgroup), "term"), end
    assert found.lastgroup is not None
    return _SPELLINGS[int(found.lastgroup[1:])][1], end


# Text after a festival that is a day, not part of a name.
_OF_DAYS: Final = frozenset(
    "的前后到至那当上早中下午夜期假放和跟与是也就都要去回来我你他她咱起出不没有在给提叫记改挪推,、"
)


def end_of_festive_name(text: str, at: int) -> int | None:
    """End of a festival inside a name (元旦晚会); None for a day."""
    found = PATTERN.match(text, at)
    if found is None or found.end() == at:
        return None
    behind, following = text[found.end() : found.end() + 1], text[found.end() + 1 : found.end() + 2]
    if not "一" <= behind <= "鿿" or behind in _OF_DAYS:
        return None
    if behind in "晚大":
        return found.end() if following in ("会", "宴", "促", "赛", "课") else None
    return found.end()
