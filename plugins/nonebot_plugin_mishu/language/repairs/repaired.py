"""What a speaker takes back within one line: 晚上七点老地方 啊不对 七点半 is said of half past seven. Pure.

The word of repair goes, and what stands behind it takes the place of the last of its kind before it: a clock
that of a clock, a day that of a day, a sum that of a sum. Every character keeps its place in what was
written.
"""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..text.fold import Folded

_GAP: Final = "[ ,.~…]{0,4}"
_TIME: Final = (
    "[0-9一二三四五六七八九十两]{1,3}[点:]|早上|上午|中午|下午|晚上|[这下]?周[一二三四五六日]|[今明后]天"
)
_REPAIR: Final = Pattern(
    f"{_GAP}(?:(?:啊|哦|噢|诶|欸|呃|额|嗯|唉|哎|等等|等下)?[ ,]?"
    "(?:不对不对|不对|不不不?|错了|说错了?|打错了?|口误|手滑)"
    f"|(?<=[点半刻分号])[ ,]{{1,2}}不(?=[ ,])|(?:哦|啊|噢|呃|额)[ ,]?不是?"
    f"|(?<=[ ,])(?:诶|哎|唉|欸)?算了(?:还是)?(?={_TIME})){_GAP}"
    "(?:(?:应该)?(?:是|改)成?|应该)?[ ,]?"
)
_NUMERAL: Final = "[0-9一二三四五六七八九十两]"
_SEGMENT: Final = "(?:早上|上午|中午|下午|傍晚|晚上|凌晨|今晚|明晚)?"
_CLOCK: Final = rf"{_NUMERAL}{{1,3}}(?:[点:](?:半|[一三]刻|钟|{_NUMERAL}{{1,3}}分?)?)"
_DAY: Final = (
    "(?:大?[后前]天|[今明昨]天|(?:[这下本上]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|"
    rf"(?:{_NUMERAL}{{1,3}}月)?{_NUMERAL}{{1,3}}[号日])"
)
_SUM: Final = r"[0-9]+(?:\.[0-9]{1,2})?(?:块钱?|元|毛)?"
_KINDS: Final = (
    (Pattern(f"{_SEGMENT}{_CLOCK}"), Pattern(_CLOCK)),
    (Pattern(_DAY), Pattern(_DAY)),
    (Pattern(f"{_SUM}(?![0-9点:号月日年个人天周])"), Pattern(_SUM)),
)
"""What may stand behind the repair, and what it replaces."""


def repaired(folded: Folded) -> Folded:
    """The text as the speaker means it; as it was where nothing is taken back."""
    for found in _REPAIR.finditer(folded.text):
        if found.start() == 0:
            continue  # the whole line corrects another
        for new, old in _KINDS:
            said = new.match(folded.text, found.end())
            before = list(old.finditer(folded.text, 0, found.start()))
            if said is None or not before:
                continue
            return repaired(_replaced(folded, before[-1].span(), found.start(), said.span()))
    return folded


def _replaced(folded: Folded, old: tuple[int, int], repair: int, new: tuple[int, int]) -> Folded:
    """`new` in the place of `old`, and nothing where the repair stood."""
    spans = ((0, old[0]), new, (old[1], repair), (new[1], len(folded.text)))
    text = "".join(folded.text[start:end] for start, end in spans)
    origin = tuple(place for start, end in spans for place in folded.origin[start:end])
    return Folded(text, origin, folded.length)
