"""Results of polls in words: the question with the option that won. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..recognise.times import parse

_DAY: Final = Pattern(
    "[0-9一二三四五六七八九十]+[号日月]|周[一二三四五六日天末]|星期|礼拜|今天|明天|后天|今晚|明晚|下周"
)


def chosen(question: str, options: Sequence[str], won: str) -> str:
    """The question with one option in the place of all; the option before it where they are not in it."""
    first = question.find(options[0])
    last = _last_in(question, options) if first >= 0 else None
    if last is not None and last[0] > first:
        return f"{question[:first]}{won}{question[last[1] :]}"
    return won if question == "、".join(options) else f"{won} {question}"


def _last_in(question: str, options: Sequence[str]) -> tuple[int, int] | None:
    """Place of the last option in the question, without what it shares with the first."""
    first, last = options[0], options[-1]
    for cut in range(len(last) - 1):
        if last[:cut] != first[:cut]:
            break
        at = question.rfind(last[cut:])
        if at >= 0:
            return at, at + len(last) - cut
    return None


def dated(words: str, made: datetime, now: datetime, zone: ZoneInfo, ends: datetime | None = None) -> str:
    """The words with the days that they meant when the poll was made: 下周日 of last week is a date.

    `ends`: when the poll was to end; a weekday before it is the next one, since what is asked about lies
    behind it.
    """
    out = words
    for then in reversed(parse(words, made, zone)):
        if ends is not None and then.date is not None and then.date < ends.date():
            later = [one for one in parse(words, ends, zone) if one.span == then.span]
            then = later[0] if later and later[0].text[:1] in _WEEKDAYS else then
        today = [one for one in parse(words, now, zone) if one.span == then.span]
        if then.date is None or then.invalid is not None or then.recurrence is not None:
            continue
        if today and today[0].date == then.date:
            continue
        clock = f" {then.start:%H:%M}" if then.start is not None else ""
        part = _PARTS.get(then.segment or "", "") if not clock else ""
        end = f"到{then.end_date.month}月{then.end_date.day}日" if then.end_date is not None else ""
        start, stop = then.span
        day = f"{then.date.month}月{then.date.day}日"
        out = f"{out[:start]}{day}{end}{part}{clock}{out[stop:]}"
    return out


_WEEKDAYS: Final = ("周", "星", "礼")
"""Begin a weekday without a week: 周六, 星期六; 下周六 and 明天 mean one day only."""
_PARTS: Final = {
    "morning": "早上",
    "forenoon": "上午",
    "noon": "中午",
    "afternoon": "下午",
    "evening": "晚上",
}


def tells_day(words: str) -> bool:
    """True if words name a day."""
    return _DAY.search(words) is not None
