"""Self-corrections within a line: 晚上七点老地方 啊不对 七点半 means half past seven. Pure.

The repair word is removed, and the value behind it replaces the last one of its kind: clock time, day or
amount. Every character keeps its place in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...patterns import Pattern
from ..text.fold import Folded

_GAP: Final = "[ ,.~…]{0,8}"
_TIME: Final = (
    "[0-9一二三四五六七八九十两]{1,3}[点:]|早上|上午|中午|下午|晚上|[这下]?周[一二三四五六日]|[今明后]天"
)
_PAUSE: Final = "[ ,.~…]"
_NUMERAL: Final = "[0-9一二三四五六七八九十两]"
_SEGMENT: Final = "(?:早上|上午|中午|下午|傍晚|晚上|凌晨|今晚|明晚)?"
_CLOCK: Final = rf"{_NUMERAL}{{1,3}}(?:[点:](?:半|[一三]刻|钟|{_NUMERAL}{{1,3}}分?)?)"
_DAY: Final = (
    "(?:大?[后前]天|[今明昨]天|(?:[这下本上]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|"
    rf"(?:{_NUMERAL}{{1,3}}月)?{_NUMERAL}{{1,3}}[号日])"
)
_SUM: Final = r"[0-9]+(?:\.[0-9]{1,2})?(?:块钱?|元|毛)?"
_OTHER_THAN: Final = (
    rf"不是(?:{_PAUSE}{{1,8}}(?:应该)?(?:是|改)?|(?:应该)?是)"
    rf"(?={_SEGMENT}{_CLOCK}|{_DAY})(?![^ ,.~…]{{0,9}}[吗么?])"
)
"""五点…不是 六点, 五点 不是，是六点; 六点 不是五点 and 不是 六点吗 correct nothing."""
_REPAIR: Final = Pattern(
    f"{_GAP}(?:(?:啊|哦|噢|诶|欸|呃|额|嗯|唉|哎|等等|等下)?[ ,]?"
    "(?:不对不对|不对|不不不?|错了|说错了?|打错了?|口误|手滑)"
    f"|(?<=[点半刻分号])[ ,]{{1,2}}不(?=[ ,])|(?:哦|啊|噢|呃|额)[ ,]?不是?"
    f"|(?:(?<=[ ,.~…])|(?<=[点半刻分号天上午晚])){_OTHER_THAN}"
    f"|(?<=[ ,])(?:诶|哎|唉|欸)?算了(?:还是)?(?={_TIME})){_GAP}"
    "(?:(?:应该)?(?:是|改)成?|应该)?[ ,]?"
)
_CLOCKS: Final = (Pattern(f"{_SEGMENT}{_CLOCK}"), Pattern(_CLOCK))
_DAYS: Final = Pattern(_DAY)
_KINDS: Final = (
    _CLOCKS,
    (_DAYS, _DAYS),
    (Pattern(f"{_SUM}(?![0-9点:号月日年个人天周])"), Pattern(_SUM)),
)
"""Kinds of values after the repair word, and the values replaced."""


def repaired(folded: Folded) -> Folded:
    """Text with self-corrections applied; unchanged if none."""
    for found in _REPAIR.finditer(folded.text):
        if found.start() == 0:
            continue  # the whole line corrects another
        for new, old in _KINDS:
            said = new.match(folded.text, found.end())
            before = list(old.finditer(folded.text, 0, found.start()))
            if said is None or not before:
                continue
            places = [(before[-1].span(), said.span())]
            if old is _DAYS and (clock := _CLOCKS[0].match(folded.text, said.end())) is not None:
                bare = (
                    _CLOCKS[1].match(folded.text, said.end()) is not None
                )  # 三点, of the same half of the day
                clocks = list(_CLOCKS[bare].finditer(folded.text, 0, found.start()))
                places += [(clocks[-1].span(), clock.span())] if clocks else []  # 周五七点聚餐 哦不 周六八点
            return repaired(_replaced(folded, places, found.start()))
    return folded


def _replaced(
    folded: Folded, places: Sequence[tuple[tuple[int, int], tuple[int, int]]], repair: int
) -> Folded:
    """New stretches in place of the old ones; the repair word removed."""
    spans: list[tuple[int, int]] = []
    at = 0
    for old, new in sorted(places):
        spans += [(at, old[0]), new]
        at = old[1]
    spans += [(at, repair), (max(new[1] for _, new in places), len(folded.text))]
    text = "".join(folded.text[start:end] for start, end in spans)
    origin = tuple(place for start, end in spans for place in folded.origin[start:end])
    return Folded(text, origin, folded.length)
