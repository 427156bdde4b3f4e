"""Offered times that a line picks: 第3个 聚餐, 上午那个 爬山, 就周六那个吧 叫聚餐. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..forms.forms import Fit, Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..recognise.numerals import parse_integer
from ..recognise.times import TimeExpression, names_day
from ..text.tokens import Thing, Token, tokens
from .days import hours_of

Offer = tuple[datetime, datetime]
"""Begin and end of an offered span, both in the wall time of the group."""
LONGEST: Final = 40
"""Characters of a line that may pick one."""
_HERE: Final = Path(__file__).parent
_NUMBER: Final = Pattern("[0-9]{1,2}|[一二三四五六七八九十两]")
_NUM: Final = frozenset({"num"})
_BORDERS: Final = ("lead", "ordinal", "first", "last", "time", "num", "pause", "tail", "named")


@dataclass(frozen=True, slots=True)
class OfferPick:
    """0-based place of the picked offer, what it is for, and its begin if a part is meant (下午那个); or that
    other times are asked for."""

    place: int
    title: str = ""
    begins: datetime | None = None
    more: bool = False
    """还有别的时间吗"""


def offer_pick(clause: Clause, offers: Sequence[Offer]) -> OfferPick | None:
    """The offer that a whole line picks; None for any other line."""
    line = clause.text.lower()
    if not offers or not line or len(line) > LONGEST or len(line) != len(clause.text):
        return None
    things = [Thing(*one.span, frozenset({"time"}), one) for one in clause.times]
    things += [
        Thing(*found.span(), _NUM, number)
        for found in _NUMBER.finditer(line)
        if (number := parse_integer(found.group())) is not None
    ]
    read = tokens(line, _lexicon(), things)
    for fit in _grammar().fits(line, read):
        if fit.form.reads == "more":
            return OfferPick(-1, more=True)
        said = fit.slots.get("title", ())
        title = clause.text[said[0].start : said[-1].end].strip() if said else ""
        found = _placed(fit, [each for each in read if each not in said], offers)
        if found is not None:
            return OfferPick(found[0], title, found[1])
    return None


def _placed(fit: Fit, read: Sequence[Token], offers: Sequence[Offer]) -> tuple[int, datetime | None] | None:
    times = [one.value for one in fit.slots.get("when", ()) if isinstance(one.value, TimeExpression)]
    classes = frozenset[str]().union(*(each.classes for each in read))
    if times:
        return _at_time(times, offers)
    place = -1
    if "first" in classes:
        place = 0
    elif "last" in classes:
        place = len(offers) - 1
    elif "num" in classes:
        place = next(each.value for each in read if isinstance(each.value, int)) - 1
    elif len(offers) == 1 and "one" in classes:
        place = 0
    return (place, None) if 0 <= place < len(offers) else None


def _at_time(times: Sequence[TimeExpression], offers: Sequence[Offer]) -> tuple[int, datetime | None] | None:
    """The only offer of that time; a part of the day or a clock within it is its begin."""
    found: list[tuple[int, datetime | None]] = []
    for place, (begins, ends) in enumerate(offers):
        days = [one for one in times if names_day(one.text) and one.date is not None]
        if any(one.date != begins.date() for one in days):
            continue
        opens = next((at for one in times if (at := hours_of(one)[0]) is not None), None)
        closes = next((at for one in times if (at := hours_of(one)[1]) is not None), None)
        midnight = datetime.combine(begins.date(), time(), begins.tzinfo)
        if opens is None or closes is None:
            found.append((place, None))
            continue
        start, end = midnight + timedelta(minutes=opens), midnight + timedelta(minutes=closes)
        if start < ends and begins < end:
            found.append((place, start if start > begins else None))
    return found[0] if len(found) == 1 else None


@cache
def _lexicon() -> Lexicon:
    return read_lexicon(_HERE / "pick_words.toml")


@cache
def _grammar() -> Grammar:
    return read_grammar(_HERE / "pick_forms.toml", _lexicon(), things=(_NUM,), borders=_BORDERS)
