"""Reminder leads: 提前一个半小时, 提前一刻钟, 提前半天. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..lexicon import lexicon
from ..recognise.leads import LENGTH
from ..recognise.numerals import NUMERAL, parse_decimal
from ..recognise.times import TimeExpression

_WORDS: Final = (*lexicon().of("rouse"), *lexicon().of("rouse_me"))
_ROUSING: Final = "|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))
_CALLED: Final = (
    "(?:(?:跟|和|给|在|到|往)(?:我们?|大家|咱们?|群)(?:里面?)?)?"
    f"(?:{_ROUSING}|提醒|通知|告诉|叫|喊|说|吱|知会|dd|滴滴)(?:一下|一声|一嗓子|下)?"
    "(?:我们|大家|我|俺|所有人|全体|全员)?(?:一下|一声|一嗓子|一次)?"
    "|的(?:提醒|闹钟)"
)
_OPENING: Final = (
    "(?:到时候?|当[天日]|记得|请|要|就|再|也|还|另外|分别|[加添设多](?:一?[个次条]|上)?)*提[前早]"
)
_FURTHER: Final = f"(?:(?:和|跟|与|及|以及|还有|、|,|，| )(?:再|也|{_OPENING})?{LENGTH})"
CALLS_AHEAD: Final = f"{_OPENING}{LENGTH}{_FURTHER}*(?:各|都|就|再|来|也|要|得)*(?:{_CALLED})"
"""提前半小时提醒我, 提前3小时和1小时都叫我: reminder lead with its verb."""
_BARE_OPENING: Final = (
    "(?:到时候?|记得|请|要|就|再)*(?:(?:开始|开场|开播|出发|上课|起飞|发车)(?:之|以)?前|前|早|提[前早])"
)
"""早一刻钟喊我, 前十分钟吱一声: only with a reminder verb."""
SAID: Final = Pattern(
    rf"[,，;； ]*(?P<open>{_OPENING})(?P<length>{LENGTH})(?P<further>{_FURTHER}*)"
    rf"(?P<how>(?:各|都|就|再|来|也|要|得)*)(?P<called>{_CALLED})?"
    rf"|(?:(?<=[,，;； ])|^){_BARE_OPENING}(?P<bare>{LENGTH})(?:就|再|来)*(?:{_CALLED})"
    r"|(?:(?<=[,，;； ])|^)(?P<eve>[前头]一?天)"
    r"(?:再|就|记得)?(?P<calls>(?:提醒|叫|通知|喊)(?:一下|一声|下)?我)"
)
_ONE: Final = Pattern(
    rf"(?P<number>半|俩|仨|\d{{1,4}}(?:\.\d)?|{NUMERAL})个?(?P<more>半)?(?P<unit>分|小时|钟头|刻|天|周|星期|礼拜|月|(?<=个)钟)钟?(?P<tail>半)?"
)
_BESIDE: Final = Pattern("[也再还多加添]|另外")
_UNITS: Final = {
    "分": 1,
    "小时": 60,
    "钟头": 60,
    "钟": 60,
    "刻": 15,
    "天": 1440,
    "周": 10080,
    "星期": 10080,
    "礼拜": 10080,
}
_PAIRS: Final = {"俩": 2, "仨": 3}
_LONGEST: Final = 60 * 1440


@dataclass(frozen=True, slots=True)
class Ahead:
    """A lead in minutes; `further` are additional leads, as written."""

    minutes: int
    words: str
    further: tuple[str, ...] = ()
    called: bool = False
    """Has a reminder verb."""
    beside: bool = False
    """In addition to the existing reminder (提前三天也提醒)."""

    @property
    def leads(self) -> tuple[int, ...]:
        """All leads in minutes, longest first."""
        further = (minutes_of(each) for each in self.further)
        return tuple(sorted({self.minutes, *(each for each in further if each)}, reverse=True))


def ahead_in(text: str, times: Sequence[TimeExpression] = ()) -> Ahead | None:
    """Lead in a text, or `None`; parts of its times (`eve`) do not count."""
    spans = [span for one in times for span in one.spans]
    said = [each for each in SAID.finditer(text) if not _within(each.span(), spans)]
    if not said:
        return None
    found, *later = said
    if found["eve"]:
        return Ahead(1440, found["eve"], called=True)
    if found["bare"]:
        early = minutes_of(found["bare"])
        return None if early is None else Ahead(early, found["bare"], called=True)
    minutes = minutes_of(found["length"])
    further = tuple(re.findall(LENGTH, found["further"] or ""))
    for each in later:  # 提前两小时提醒我们，提前十分钟再提醒一次
        if each["called"] and each["length"]:
            further = (*further, each["length"], *re.findall(LENGTH, each["further"] or ""))
    if minutes is None:
        return None
    return Ahead(
        minutes,
        found["length"],
        further,
        found["called"] is not None,
        _BESIDE.search(f"{found['open']} {found['how']}") is not None,
    )


def _within(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in spans)


def calls_ahead(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of reminder leads in a text; they move nothing."""
    return tuple(found.span() for found in _CALLS.finditer(text))


_CALLS: Final = Pattern(CALLS_AHEAD)


def says_only_a_lead(text: str) -> bool:
    """True if a text is only a lead (提前10分钟)."""
    return SAID.fullmatch(text.strip(" ,，。!~吧啊哈")) is not None


def minutes_of(length: str) -> int | None:
    """Length in minutes, 0 for 0分钟 (of 到点再叫); `None` for none, or more than two months."""
    found = _ONE.fullmatch(length)
    unit = _UNITS.get(found["unit"]) if found is not None else None
    if found is None or unit is None:
        return None
    number = 0.5 if found["number"] == "半" else _PAIRS.get(found["number"]) or parse_decimal(found["number"])
    if number is None:
        return None
    minutes = int(float(number) * unit) + (unit // 2 if found["more"] or found["tail"] else 0)
    return minutes if 0 <= minutes <= _LONGEST else None
