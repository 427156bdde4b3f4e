"""Repetition at another time: 明天下午三点例会，后天也是 for both days. Pure.

The words after the first day are repeated for the second one, at the second day's place. Only with a single
day before, so the reference is clear.
"""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from ..text.fold import Folded

_NUMERAL: Final = "[0-9一二三四五六七八九十两]"
_PART: Final = "(?:早上|上午|中午|下午|傍晚|晚上|凌晨|早晨)"
_SHORT: Final = {"早": "早上", "晚": "晚上"}
_DAY: Final = (
    "(?:大?[后前]天|[今明昨]天|(?:每个?|[这下本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|"
    rf"(?:{_NUMERAL}{{1,3}}月)?{_NUMERAL}{{1,3}}[号日])"
)
_WHEN: Final = Pattern(f"(?P<day>{_DAY})(?:的)?(?P<part>{_PART})?|(?P<near>[今明后])(?P<half>[早晚])(?:上)?")
_CLOCK: Final = rf"{_NUMERAL}{{1,3}}(?:[点:](?:半|[一三]刻|钟|{_NUMERAL}{{1,3}}分?)?)"
_AGAIN: Final = Pattern(
    rf"(?P<gap>[ ,;。]{{1,3}}|[ ,]?(?:然后|还有))(?P<when>{_WHEN.pattern})(?P<clock>{_CLOCK})?(?:的话)?"
    "(?:也(?:是|要|有|得|一样|这样|提醒(?:一下)?我?|叫(?:一下)?我|喊我)(?:一样|这样)?|一样|同样|照旧|照样|同理)"
    "(?:吧|哈|啊|的|哦|一下|一次|一遍|[。!~ ])*$"
)
_ASKS: Final = Pattern("[?吗呢]|什么|哪|几[点号]|谁|怎么|多少")
_LONGEST: Final = 60


def said_again(folded: Folded) -> Folded:
    """Text with the repetition written out; unchanged if none, or unclear."""
    text = folded.text
    if "也" not in text and "样" not in text and "照旧" not in text and "同理" not in text:
        return folded
    found = _AGAIN.search(text)
    if found is None or found.start() > _LONGEST or _ASKS.search(text) is not None:
        return folded
    before = text[: found.start()]
    days = list(_WHEN.finditer(before))
    if len(days) != 1:
        return folded
    when, once = _day_and_part(found), _day_and_part(days[0])
    day = f"{'每' if once[0].startswith('每') and not when[0].startswith('每') else ''}{when[0]}"
    behind = before[days[0].end() :]
    if found["clock"]:
        clock = re.match(f"(?:{_PART})?{_CLOCK}", behind)
        behind = f"{found['clock']}{behind[clock.end() :] if clock is not None else behind}"
    second = f"{before[: days[0].start()].strip(' ,')}{day}{when[1] or once[1]}{behind}"
    start = found.start("when")
    place = folded.origin[start]
    return Folded(
        f"{text[:start]}{second}", (*folded.origin[:start], *([place] * len(second))), folded.length
    )


def _day_and_part(found: re.Match[str]) -> tuple[str, str]:
    """Day and part of the day: 明早 is 明天 and 早上."""
    if found["near"]:
        return f"{found['near']}天", _SHORT[found["half"]]
    return found["day"], found["part"] or ""
