"""Sums of other currencies as yuan, by rates that somebody set; what was said is kept beside. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

from ..forms.forms import Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..recognise.money import find_amounts
from ..text.fold import normalise
from ..text.tokens import Thing, tokens
from .entry import Foreign


def in_yuan(text: str, rates: Mapping[str, Decimal]) -> tuple[str, tuple[Foreign, ...]] | None:
    """The line with its foreign sums in yuan, and what was said; None where it has none, or one without a
    rate. `rates`: yuan for one of a currency, by its code."""
    line = normalise(text)
    found: list[Foreign] = []
    for amount in reversed(find_amounts(line)):
        if amount.currency == "CNY":
            continue
        rate = rates.get(amount.currency)
        if rate is None:
            return None
        said = Foreign(f"{amount.yuan.normalize():f}", amount.currency, f"{rate.normalize():f}")
        if said.fen <= 0:
            return None
        found.append(said)
        line = f"{line[: amount.start]}{Decimal(said.fen) / 100:f}元{line[amount.end :]}"
    return (line, tuple(reversed(found))) if found else None


def foreign_sums(text: str) -> tuple[tuple[Decimal, str], ...]:
    """The foreign sums of a line, each with the code of its currency, in order."""
    found = find_amounts(normalise(text))
    return tuple((amount.yuan, amount.currency) for amount in found if amount.currency != "CNY")


def rate_beside(text: str) -> tuple[str, str, Decimal] | None:
    """The line without the rate that it tells for its sums of one other currency, the code of that currency,
    and the rate (酒店100美元，按7.2算; 3200泰铢×0.2); None for any other line."""
    line = normalise(text)
    amounts = find_amounts(line)
    codes = {each.currency for each in amounts if each.currency != "CNY"}
    if len(codes) != 1:
        return None
    found: list[tuple[int, int, Decimal]] = []
    for at, each in enumerate(amounts):
        if each.currency != "CNY" or each.spoken or each.approximate or each.yuan <= 0:
            continue
        first = amounts[at - 1].end if at else 0
        last = amounts[at + 1].start if at + 1 < len(amounts) else len(line)
        start = max(first, *(line.rfind(mark, 0, each.start) + 1 for mark in _PAUSES))
        ends = [place for mark in _PAUSES if (place := line.find(mark, each.end, last)) >= 0]
        stretch = (start, min([*ends, last]))
        if _is_rate(line[stretch[0] : stretch[1]]):
            found.append((*stretch, each.yuan))
    if len(found) != 1:
        return None
    start, end, rate = found[0]
    return f"{line[:start].rstrip(_EDGES)} {line[end:].lstrip(_EDGES)}".strip(), next(iter(codes)), rate


def _is_rate(words: str) -> bool:
    """True if words with one number name it as a rate (按7.2算)."""
    words = words.replace("*", "×")
    sums = find_amounts(words)
    if len(sums) != 1 or sums[0].spoken:
        return False
    things = [Thing(sums[0].start, sums[0].end, frozenset({"amount"}), sums[0])]
    return any(fit.form.reads == "rate" for fit in _grammar().fits(words, tokens(words, _words(), things)))


_PAUSES: Final = (",", "，", ";", "；", "。", " ", "(", ")")
_EDGES: Final = " ,，;；。()"


def rate_told(text: str, amount: Decimal) -> Decimal | None:
    """Rate in an answer to what a foreign sum of this amount was in yuan: by the yuan (145块), or by the rate
    itself (汇率0.048, 按7.1算); None for any other line."""
    line = normalise(text).strip(" 。.!~")
    sums = [each for each in find_amounts(line) if each.yuan > 0]
    if len(line) > _LONGEST or len(sums) != 1 or sums[0].currency != "CNY" or sums[0].approximate:
        return None
    things = [Thing(sums[0].start, sums[0].end, frozenset({"amount"}), sums[0])]
    fit = next(iter(_grammar().fits(line, tokens(line, _words(), things))), None)
    if fit is None:
        return None
    by_rate = fit.form.reads == "rate" or (fit.form.reads == "either" and not sums[0].spoken)
    return sums[0].yuan if by_rate else _rate_of(sums[0].yuan, amount)


def _rate_of(yuan: Decimal, amount: Decimal) -> Decimal:
    """The shortest rate by which an amount comes to these yuan, to the fen."""
    exact = yuan / amount
    for digits in range(2, 14):
        rate = round(exact, digits)
        if rate and (amount * rate).quantize(_FEN) == yuan.quantize(_FEN):
            return rate
    return exact


_FEN: Final = Decimal("0.01")
_LONGEST: Final = 40
"""Characters of such an answer."""
_HERE: Final = Path(__file__).parent


@cache
def _words() -> Lexicon:
    return read_lexicon(_HERE / "abroad_words.toml")


@cache
def _grammar() -> Grammar:
    return read_grammar(_HERE / "abroad_forms.toml", _words())
