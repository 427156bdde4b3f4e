"""Series with a first day, in words of the time grammar. Pure.

从下周一开始连着五天每天 is 从11月30日到12月4日每天; 从下周一开始 behind the order moves before 每天.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..clause import Situation
from ..recognise.numerals import NUMERAL, parse_decimal
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import Folded
from .canonical import edited

_RUN: Final = Pattern(
    rf"(?:开始算?|起)?[ ,]*(?:连着|连续|一连|接连)(?P<count>\d{{1,3}}|{NUMERAL})天[ ,]*"
    "(?P<daily>每天|天天|每日)?"
)
_DAILY: Final = Pattern("每天|天天|每日")
_BEGINS: Final = Pattern("^(?:开始算?|起)(?:吃|吧|哈|啊|算)*$")
_FROM: Final = "从"


def begun_series(folded: Folded, situation: Situation) -> Folded:
    """Line with the first day of its series in front, and the last one if a number is given."""
    line = folded.text
    if _FROM not in line or _DAILY.search(line) is None:
        return folded
    for time in parse(line, situation.now, situation.zone):
        at, end = time.span
        if not _is_day(time) or time.date is None or not _behind_from(line, time):
            continue
        begin = at if line.startswith(_FROM, at) else at - len(_FROM)
        run = _RUN.match(line, end)
        count = parse_decimal(run["count"]) if run is not None else None
        if run is not None and count:
            last = time.date + timedelta(days=int(count) - 1)
            daily = "每天" if run["daily"] or _DAILY.search(line, run.end()) is None else ""
            return edited(folded, ((begin, run.end(), f"从{_said(time.date)}到{_said(last)}{daily}"),))
        daily_at = _DAILY.search(line)
        begun = line[end - 2 : end] == "开始" or line[end - 1] == "起"
        rest = ("开始" if begun else "") + line[end:].strip(" ,。!~")
        if daily_at is not None and daily_at.end() <= begin and _BEGINS.match(rest):
            word = daily_at[0]
            return edited(
                folded,
                (
                    (daily_at.start(), daily_at.end(), f"从{_said(time.date)}开始{word}"),
                    (begin, len(line), ""),
                ),
            )
    return folded


def _is_day(time: TimeExpression) -> bool:
    return names_day(time.text) and time.start is None and time.segment in (None, "all_day")


def _behind_from(line: str, time: TimeExpression) -> bool:
    at = time.span[0]
    return line.startswith(_FROM, at) or (at > 0 and line[at - 1] == _FROM)


def _said(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
