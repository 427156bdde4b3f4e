"""Lesson periods as clocks: 三四节 -> 上午10:00-11:40, 第5节 -> 下午14:00-14:45.

Only behind a day, or where a line begins or asks of somebody: 上了三四节课 counts lessons, and so does
周三四节课. A part of the day that does not fit (下午三四节) leaves the words unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ....patterns import Pattern
from ...text.fold import Folded
from .expression import TimeExpression
from .numbers import SMALL, integer
from .spoken import put_in

LESSONS: Final = (
    *(("08:00", "08:45"), ("08:55", "09:40"), ("10:00", "10:45"), ("10:55", "11:40")),
    *(("14:00", "14:45"), ("14:55", "15:40"), ("16:00", "16:45"), ("16:55", "17:40")),
    *(("19:00", "19:45"), ("19:55", "20:40")),
)
"""Begin and end of each lesson, the first one first."""
_PARTS: Final = {"上午": ("上午", "早上", "早"), "下午": ("下午", "午后"), "晚上": ("晚上", "晚间", "晚")}
_DIGIT: Final = "[一二三四五六七八九十]"
_SPOKEN_PART: Final = "|".join(word for words in _PARTS.values() for word in words)
LESSON: Final = Pattern(
    f"(?P<part>{_SPOKEN_PART})?的?(?:第(?P<one>{SMALL})"
    f"|第?(?P<first>{SMALL}) ?[-~到至、–—] ?第?(?P<last>{SMALL})"
    f"|第?(?P<pair>{_DIGIT}{{2}}))节(?!选(?!修)|[气日目奏省约点假能庆操拍食])(?:课(?![程件题本后间表时]))?"
)
_BEHIND: Final = Pattern(
    "(?:(?:周|星期|礼拜)[一二三四五六日天]|[一二三四五六日天]、?[一二三四五六日天]|[天号晚早]|[0-9]日"
    "|[上下中]午|早上|晚上|每[天周]|谁|我们?|咱们?|大家|你们?)的?[ ,]?$"
)
"""Text before it: a day, or who is asked about."""
_APART: Final = Pattern("(?:^|[ ,、])$")
"""The same of lessons by their numbers alone: 三四节谁有空, 高数 3-4节; 第三节课讲了什么 is none."""
_COUNTS: Final = Pattern("(?:周|星期|礼拜)$")


def with_lesson_clocks(folded: Folded) -> Folded:
    """The text with the clocks of its lessons."""
    return put_in(folded, LESSON, _clocks) if "节" in folded.text else folded


def lesson_at(text: str, at: int) -> bool:
    """True if a lesson without its part of the day stands at a place."""
    found = LESSON.match(text, at)
    return found is not None and _span_of(found) is not None


def any_lessons(times: Iterable[TimeExpression]) -> bool:
    """True if the words of a time say its lessons (周三三四节)."""
    return any("节" in time.text and LESSON.search(time.text) is not None for time in times)


def _clocks(found: re.Match[str]) -> str | None:
    before = found.string[: found.start()]
    span = _span_of(found)
    apart = _APART.search(before) is not None and not (found["one"] and found.group().endswith("课"))
    if span is None or not (apart or _BEHIND.search(before)) or (found["pair"] and _COUNTS.search(before)):
        return None
    begins, ends = LESSONS[span[0] - 1][0], LESSONS[span[1] - 1][1]
    part = next(part for part, hours in (("上午", "12"), ("下午", "18"), ("晚上", "24")) if begins < hours)
    if found["part"] and found["part"] not in _PARTS[part]:
        return None
    return f"{part}{begins}-{ends}"


def _span_of(found: re.Match[str]) -> tuple[int, int] | None:
    """First and last lesson; None where there are no such lessons."""
    first, last = found["one"] or found["first"], found["last"]
    if found["pair"]:
        first, last = found["pair"]
    numbers = [integer(each) for each in (first, last or first)]
    begins, ends = numbers
    if begins is None or ends is None or not 1 <= begins <= ends <= len(LESSONS):
        return None
    if found["pair"] and ends != begins + 1:
        return None
    return (begins, ends) if ends - begins < _LONGEST else None


_LONGEST: Final = 5
