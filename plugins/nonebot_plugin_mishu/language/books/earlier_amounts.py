"""Amounts in the recent talk, and lines to us that refer to them. Pure.

刚才打车那个记一下 我跟糖糖一人一半, behind 到了 打车47 我先垫了: sum, thing and payer are told there.
A bill that is only called a bill (账单出来了 287块5 记上) is that of what was talked of (水电).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..clause import SaidBefore
from ..entries.categories import Categories
from ..entries.entry import Entry, spoken
from ..entries.reading import read_items
from ..entries.unspent import has_not_moved, is_planned
from ..mood import ends_in_question
from ..recognise.money import find_amounts
from ..recognise.times import parse
from ..text.fold import normalise

_LONGEST: Final = 60
_LONGEST_TOLD: Final = 100
_KEEP: Final = (
    "(?:也|就|都|先|帮我|给我|麻烦|你|帮忙){0,3}记(?:一下账?|一笔账?|个账|到账上|下来|下|上|账|了)?"
    "(?:吧|啊|哈|呗|一下|了|哦){0,4}(?![错得性住录多少到])"
)
_JUST: Final = "(?:刚才|刚刚|刚|方才|之前|前面|上面)"
_SAID: Final = "(?:我|咱|你)?(?:们)?(?:说|讲|提|发|报)(?:过|到)?的?"
_THAT: Final = "(?:那个|那笔|那顿|那次|那单|那趟|那份|那|这个|这笔|的钱|的账|的)"
_LEADS: Final = "(?:那|就|哦|噢|对了|嗯|好|把|将|帮我|帮忙|麻烦|请|给|你| |,){0,6}"
_POINTING: Final = Pattern(
    f"{_LEADS}(?:(?P<just>{_JUST})(?:{_SAID})?)?(?P<that>{_THAT})?"
    f"(?P<thing>[^,，。;；0-9 记]{{0,8}}?)(?P<behind>{_THAT})?(?:钱|费用|账)?(?:{_KEEP})"
    "(?P<rest>(?:[ ,，。].*)?)"
)
_KEPT_FIRST: Final = Pattern(
    f"{_LEADS}(?:{_KEEP})[ ,，]{{0,3}}(?P<just>{_JUST})(?:{_SAID})?(?P<that>{_THAT})?"
    f"(?P<thing>[^,，。;；0-9 ]{{0,8}}?)(?P<behind>{_THAT})?(?:钱|费用|账)?(?P<rest>(?:[ ,，。].*)?)"
)
_BILLS: Final = frozenset(
    {"账单", "帐单", "单子", "费用", "缴费单", "通知单", "催费单", "这个月账单", "本月账单", "月账单"}
)
_WITH_FEE: Final = ("水电", "煤气", "燃气", "天然气", "物业", "暖气", "取暖", "宽带", "网络", "水电煤")
_AS_SAID: Final = (
    *("水电费", "电费", "水费", "燃气费", "网费", "话费", "房租", "学费"),
    *("物业费", "停车费", "快递费"),
)
_BILLED: Final = {
    **{word: f"{word}费" for word in _WITH_FEE},
    **{word: word for word in _AS_SAID},
    "电话费": "话费",
}
"""Names of bills, by kind."""


@dataclass(frozen=True, slots=True)
class PointedBack:
    """Reference of an order to earlier talk: the thing, and further words (sharers)."""

    thing: str = ""
    rest: str = ""


def points_back_to(text: str) -> PointedBack | None:
    """Reference of an order to earlier talk (刚才打车那个记一下); None for a line with its own amount, or
    without a reference."""
    line = normalise(text).strip(" 。.!~")
    if not line or len(line) > _LONGEST or any(each.fen for each in find_amounts(line)):
        return None
    for pattern in (_POINTING, _KEPT_FIRST):
        found = pattern.fullmatch(line)
        if found is not None and (found["just"] or found["that"] or found["behind"]):
            return PointedBack(found["thing"].strip("的"), found["rest"].strip(" ,，。"))
    return None


def told_before(
    meant: PointedBack, lines: Sequence[SaidBefore], now: datetime, zone: ZoneInfo, categories: Categories
) -> str | None:
    """The record that the talk tells, newest first, in words that a record is read from; None where it tells
    none. What another said was paid by them."""
    for mine in (True, False):
        for said in reversed([each for each in lines if each.mine is mine]):
            line = normalise(said.text)
            entries = _told(line, now, zone, categories)
            fits = [each for each in entries if not meant.thing or _is_called(each, meant.thing, categories)]
            if len(fits) != 1:
                continue
            if said.mine and len(entries) == 1:
                return line
            item = f"{fits[0].description or meant.thing}{spoken(fits[0].fen)}"
            return item if said.mine else f"{item} {said.name}付的"
    return None


def bill_of(words: str, line: str, lines: Sequence[SaidBefore]) -> str:
    """Name of an unnamed bill by the talk before (水电费), else a bill; other words unchanged. `line` is
    where it was told."""
    bare = next((each for each in sorted(_BILLS, key=len, reverse=True) if each in line), "")
    if words.strip("的了") not in _BILLS and (words or not bare):
        return words
    for said in reversed(lines):
        line = normalise(said.text)
        named = [(line.rfind(word), len(word), name) for word, name in _BILLED.items() if word in line]
        if named:
            return max(named)[2]
    return words or bare


def _told(line: str, now: datetime, zone: ZoneInfo, categories: Categories) -> tuple[Entry, ...]:
    """Expenses told in a line of the talk: no question, no plan."""
    if len(line) > _LONGEST_TOLD:
        return ()
    amounts = [each for each in find_amounts(line) if each.fen]
    if not amounts or any(each.approximate for each in amounts):
        return ()
    times = tuple(parse(line, now, zone))
    if ends_in_question(line) or has_not_moved(line) or is_planned(line, times, now.date()):
        return ()
    items = read_items(line, now, zone, categories)
    return () if items.about else tuple(each for each in items.entries if each.type == "EXPENSE")


def _is_called(entry: Entry, thing: str, categories: Categories) -> bool:
    """True if an item fits a word: by name, or by kind (吃饭 of 火锅)."""
    name = entry.description
    if name and (name in thing or thing in name):
        return True
    if any(thing[at : at + 2] in name for at in range(len(thing) - 1)):
        return True
    kind = categories.of(thing)
    return kind != "其他" and kind == entry.category and thing in _KINDS


_KINDS: Final = frozenset(
    {"吃饭", "饭", "饭钱", "车费", "车钱", "车", "打的", "打车", "吃的", "买菜", "午饭", "晚饭"}
)
