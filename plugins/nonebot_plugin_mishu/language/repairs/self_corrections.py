"""Self-corrections within a line: 晚上七点老地方 啊不对 七点半 means half past seven. Pure.

The repair word is removed, and the value behind it replaces the last one of its kind: rhythm, clock time,
day or amount. Every character keeps its place in the text.
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
_INTERVAL: Final = rf"(?:半个?|{_NUMERAL}{{1,3}}个?半?)(?:小时|钟头|分钟|刻钟|天|周|星期|礼拜|月)"
_RHYTHM: Final = (
    rf"每[隔过]?(?:{_INTERVAL}|小时|钟头|分钟|天|晚|早|(?:周|星期|礼拜)[一二三四五六日天末]?|个?月|年)"
)
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
    f"|(?<=[ ,])不是[ ,](?={_RHYTHM})"
    f"|(?<=[ ,])(?:诶|哎|唉|欸)?算了(?:还是)?(?={_TIME})){_GAP}"
    "(?:(?:应该)?(?:是|改)成?|应该)?[ ,]?"
)
_CLOCKS: Final = (Pattern(f"{_SEGMENT}{_CLOCK}"), Pattern(_CLOCK))
_DAYS: Final = Pattern(_DAY)
_KINDS: Final = (
    (Pattern(_RHYTHM), Pattern(_RHYTHM)),
    (Pattern(_INTERVAL), Pattern(f"(?:(?<=每)|(?<=每隔)|(?<=每过)){_INTERVAL}")),  # 每半小时…不对 40分钟
    _CLOCKS,
    (_DAYS, _DAYS),
    (Pattern(f"{_SUM}(?![0-9点:号月日年个人天周])"), Pattern(_SUM)),
)
"""Kinds of values after the repair word, and the values replaced."""
_NAMED_SUM: Final = Pattern(f"(?P<name>[^0-9 ,.~…，。]{{1,8}})(?P<sum>{_SUM})(?![0-9点:号月日年个人天周])")
"""A sum with the words right before it"""

_LONGEST: Final = 400
"""Characters of a line in which a correction is looked for: each costs a search of what stands before it."""


def repaired(folded: Folded) -> Folded:
    """Text with self-corrections applied; unchanged if none, or if it is longer than anybody says."""
    if len(folded.text) > _LONGEST:
        return folded
    for found in _REPAIR.finditer(folded.text):
        if found.start() == 0:
            continue  # the whole line corrects another
        for new, old in _KINDS:
            said = new.match(folded.text, found.end())
            before = list(old.finditer(folded.text, 0, found.start())) if said is not None else []
            if said is None or not before:
                continue
            places = [(before[-1].span(), said.span())]
            if old is _DAYS and (clock := _CLOCKS[0].match(folded.text, said.end())) is not None:
                bare = (
                    _CLOCKS[1].match(folded.text, said.end()) is not None
                )  # 三点, of the same half of the day
                clocks = list(_CLOCKS[bare].finditer(folded.text, 0, found.start()))
                places += [(clocks[-1].span(), clock.span())] if clocks else []  # 周五七点聚餐 哦不 周六八点
            elif old is _DAYS and (named := _named_again(folded.text, found.start(), said.end())) is not None:
                places.append(named)  # 周三打车20 哦不周四打车22
            return repaired(_replaced(folded, places, found.start()))
        if (named := _named_again(folded.text, found.start(), found.end())) is not None:
            return repaired(_replaced(folded, [named], found.start()))
    return folded


def _named_again(text: str, before: int, behind: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Old sum, and the new one with the same words before it (打车20 哦不打车22); None for any other line."""
    said = _NAMED_SUM.match(text, behind)
    if said is None:
        return None
    for old in reversed(list(_NAMED_SUM.finditer(text, 0, before))):
        if old["name"].endswith(said["name"]):
            return old.span("sum"), said.span("sum")
    return None


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
