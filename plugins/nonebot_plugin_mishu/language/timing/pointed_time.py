"""Listed item named by its time: 今晚那个, 周六的, 三点那场. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final, cast

from ..clause import Clause
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day

_ALONE: Final = "是就要选那这嗯对把将的吧啊呀哦哈呢"
_UNITS: Final = "个场条次顿件项回节"
_POINTING: Final = tuple(
    sorted(
        (*_ALONE, *(f"{this}{one}{unit}" for this in "那这" for one in ("", "一") for unit in _UNITS)),
        key=len,
        reverse=True,
    )
)
"""Pointing words, longest first."""
_PAUSES: Final = " ,，。.!！~"


def place_by_time(clause: Clause, begins: object) -> int | None:
    """0-based place of the only listed item at a time, in a line of nothing else; None for more words, or
    several items. `begins` are the items' begins."""
    if len(clause.times) != 1 or not isinstance(begins, list):
        return None
    listed = cast("list[object]", begins)
    said = clause.times[0]
    if said.recurrence is not None or said.invalid is not None:
        return None
    rest = clause.text
    for start, end in reversed(said.spans):
        rest = rest[:start] + " " + rest[end:]
    if not _only_points(rest):
        return None
    zone = clause.situation.zone
    moments = [datetime.fromisoformat(each) if isinstance(each, str) else None for each in listed]
    found = [
        place for place, each in enumerate(moments) if each is not None and _fits(each.astimezone(zone), said)
    ]
    return found[0] if len(found) == 1 else None


def _only_points(words: str) -> bool:
    left = words.strip(_PAUSES)
    while left:
        word = next((each for each in _POINTING if left.startswith(each)), None)
        if word is None:
            return False
        left = left[len(word) :].lstrip(_PAUSES)
    return True


def _fits(at: datetime, said: TimeExpression) -> bool:
    if names_day(said.text) and said.date is not None:
        last = said.end_date if said.kind == "date_range" and said.end_date is not None else said.date
        if not said.date <= at.date() <= last:
            return False
    if said.start is not None:
        half = said.ambiguous == "am_pm" and at.hour % 12 == said.start.hour % 12
        return at.minute == said.start.minute and (half or at.hour == said.start.hour)
    if said.segment is not None and said.segment != "all_day":
        first, last_minute = SEGMENT_BOUNDS[said.segment]
        return first <= at.time() <= last_minute
    return True


_BARE_WEEKDAY: Final = ("周", "星期", "礼拜")
_WEEKDAYS: Final = "一二三四五六日天"
_TWELVE: Final = ("12点", "十二点")
_AROUND_TWELVE: Final = ("整", "钟", "吧", "左右", "结束")


def is_bare_weekday(text: str) -> bool:
    """True for a weekday without a week (周四)."""
    behind = (text[len(name) :] for name in _BARE_WEEKDAY if text.startswith(name))
    return any(rest[:1] in tuple(_WEEKDAYS) for rest in behind)


def says_twelve(text: str) -> bool:
    """True for 12 on the clock, not 零点."""
    return "12" in text or "十二" in text


def twelve_alone(line: str) -> bool:
    """True for 到12点结束 alone: noon or midnight."""
    rest = line.removeprefix("到").removeprefix("就")
    hour = next((each for each in _TWELVE if rest.startswith(each)), "")
    rest = rest.removeprefix(hour)
    while rest and (word := next((each for each in _AROUND_TWELVE if rest.startswith(each)), "")):
        rest = rest.removeprefix(word)
    return bool(hour) and not rest
