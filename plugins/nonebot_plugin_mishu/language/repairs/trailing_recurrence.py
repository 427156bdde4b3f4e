"""Recurrence behind its event: 周三下午三点开会，每周都开 is 每周三下午三点开会, and
下周三下午三点开会，以后每周三都这样 is 从下周三开始每周三. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..text.fold import Folded
from .canonical import edited

_WEEK: Final = "(?:周|星期|礼拜)"
_DAY: Final = Pattern(
    rf"(?P<every>每个?)?(?P<near>[这本]个?)?(?P<far>[上下]个?)?(?P<day>{_WEEK}[一二三四五六日天])"
)
_TOLD: Final = Pattern(
    rf"[ ,;。]{{1,3}}(?:以后|之后|往后|并且|而且|就|是|,| )*"
    rf"(?:每|逢)(?:一?个)?{_WEEK}(?P<day>[一二三四五六日天])?"
    "(?:都|也|会|要|得|是|固定|照常|开|有|搞|办|来|去|聚|打|练|上|提醒我?|叫我|记得|一次|一回|一趟|如此|这样|重复"
    "|这个?(?:时候|时间|点)|的|哈|啊|哦|吧|呢|[~!。])*(?=[ ,;]|$)"
)
_LONGEST: Final = 80


def said_series(folded: Folded) -> Folded:
    """Line with 每 before its only weekday, if 每周 is behind the event."""
    line = folded.text
    if not ("每" in line or "逢" in line) or len(line) > _LONGEST:
        return folded
    told = _TOLD.search(line)
    days = list(_DAY.finditer(line, 0, told.start())) if told is not None else []
    if told is None or len(days) != 1 or days[0]["every"] or (days[0]["far"] or "").startswith("上"):
        return folded
    day = days[0]
    if told["day"] and told["day"] != day["day"][-1] and {told["day"], day["day"][-1]} != {"日", "天"}:
        return folded  # 周三开会，每周五都开 is another series
    begin, end = day.span("day")
    if day["far"]:  # 下周三开会，以后每周三都这样: it begins then
        series = f"从{line[day.start() : end]}开始每{line[begin:end]}"
        return edited(folded, ((day.start(), end, series), (*told.span(), "")))
    return edited(
        folded, ((day.start(), begin, ""), (begin, end, f"每{line[begin:end]}"), (*told.span(), ""))
    )
