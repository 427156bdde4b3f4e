"""An order that we offered, as an answer to the offer wants it: 下午五点喊我就行, to 要我九点提醒你收衣服吗.

What the answer says takes the place of the time, or of the sum, that was offered; whatever else it says must
be of the offer, or it is an order of its own. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..mood import ends_in_question
from ..recognise.money import find_amounts
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import normalise
from ..timing.own_times import minutes_apart

LONGEST: Final = 40
"""Characters of such an answer."""
_NO_MATTER: Final = Pattern(
    "(?:不用管|不用看|不管|不论|无论|甭管|别管)[^,。!;； ]{1,10}[,。!;； ]*(?:都|也)?"
)
"""不用管下不下雨: what was offered on a condition is wanted without it."""
_ITS_OWN: Final = Pattern(
    "(?:那|就|还是|嗯|好的?|行|可以|要|不对|不是|错了|改成|改到|改为|改|换成|换到|换|定在|定到|定|放在|放到|放|挪到|是|在"
    "|提醒一下我|提醒我|叫一下我|叫我|喊一下我|喊我|叮我|提醒|叫|喊|记上|记一下|记|我|一下|一声|一嗓子"
    "|就行|就好|就成|就可以|也行|够了|合适|比较好|更好|差不多|吧|啊|呀|哈|哦|呗|嘛|呢|的|了|再|先"
    "|[,。!~… ])*+"
)
_DENIED_BEFORE: Final = ("不是", "不要", "别", "不用", "不")
_DENIED_BEHIND: Final = ("不", "没", "太", "就算", "来不及", "晚了", "早了")
_RHYTHM: Final = Pattern(
    "每.*?(?=凌晨|清早|早|上午|中午|下午|傍晚|晚|夜|[0-9一二三四五六七八九十两]+[点:时])"
)


def amended(order: str, line: Clause) -> str | None:
    """The order with what the line says instead; None where it says nothing instead, or orders something of
    its own."""
    text = line.text
    if not 0 < len(text) <= LONGEST or ends_in_question(text):
        return None
    order = normalise(order)
    where = line.situation
    said = [one for one in line.times if not _denied(text, one)]
    if line.amounts and not line.times:
        return _with_sum(order, line)
    offered = parse(order, where.now, where.zone)
    if len(said) != 1 or not offered or line.amounts:
        return None
    left = _NO_MATTER.sub(" ", _without(text, line.times))
    if not _is_of(left, order):
        return None
    start = min(one.span[0] for one in offered)
    bare = _without(order, offered)
    return (
        f"{bare[:start]}{_put(offered, said[0])}{bare[start:]}".replace(_GAP, "").replace("  ", " ").strip()
    )


_GAP: Final = "\x01"


def _without(text: str, times: Sequence[TimeExpression]) -> str:
    for time in times:
        for start, end in time.spans:
            text = f"{text[:start]}{_GAP * (end - start)}{text[end:]}"
    return text


def _put(offered: Sequence[TimeExpression], said: TimeExpression) -> str:
    """The time that is wanted: as it was said, on the day that was offered where it says none, at the clock
    that was offered where it says none. Of two readings of a clock it is the one next to what was offered."""
    if said.moment is not None or said.recurrence is not None:
        return said.text
    clocked = next((one for one in offered if one.start is not None), None)
    told = said.text
    if (
        said.ambiguous == "am_pm"
        and said.start is not None
        and clocked is not None
        and clocked.start is not None
    ):
        early, late = said.start, said.start.replace(hour=(said.start.hour + 12) % 24)
        start = min((early, late), key=lambda one, at=clocked.start: minutes_apart(one, at))
        dated = said.date is not None and names_day(said.text)
        told = f"{f'{said.date.month}月{said.date.day}日' if dated and said.date else ''}{start:%H:%M}"
    day = clock = ""
    if not names_day(said.text):
        day = next((_day_of(one) for one in offered if _day_of(one)), "")
    if said.start is None and said.segment in (None, "all_day") and clocked is not None:
        clock = f"{clocked.start:%H:%M}"
    return f"{day}{told}{clock}"


def _day_of(offered: TimeExpression) -> str:
    """The day of a time that was offered, or its rhythm (每天 of 每天晚上九点); empty where it has none."""
    if offered.recurrence is not None:
        rhythm = _RHYTHM.match(offered.text)
        return rhythm.group() if rhythm is not None else offered.text if offered.start is None else ""
    if offered.date is None or not names_day(offered.text):
        return ""
    return f"{offered.date.month}月{offered.date.day}日"


def _denied(text: str, time: TimeExpression) -> bool:
    """五点不行, 不是九点."""
    start, end = time.span
    return text[:start].endswith(_DENIED_BEFORE) or text[end:].lstrip(" ,").startswith(_DENIED_BEHIND)


def _is_of(left: str, order: str) -> bool:
    """True if the rest of an answer has only the offer's words."""
    known = {"".join(pair) for pair in pairwise(order)}
    for piece in re.split(rf"[{_GAP} ,。!;；~]+", left):
        rest = _ITS_OWN.sub("", piece, count=1)
        while rest:
            if len(rest) > 1 and rest[:2] in known:
                at = 2
                while at < len(rest) and rest[at - 1 : at + 1] in known:
                    at += 1
                rest = rest[at:]
            elif _ITS_OWN.fullmatch(rest):
                rest = ""
            else:
                return False
    return True


def _with_sum(order: str, line: Clause) -> str | None:
    """The order with another sum (是45, to 要我记午饭35吗)."""
    offered = find_amounts(order)
    if len(offered) != 1 or len(line.amounts) != 1:
        return None
    one, other = line.amounts[0], offered[0]
    left = f"{line.text[: one.start]}{_GAP}{line.text[one.end :]}"
    if not _is_of(left, order):
        return None
    return f"{order[: other.start]}{line.text[one.start : one.end]}{order[other.end :]}"
