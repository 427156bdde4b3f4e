"""Sums of other currencies as yuan, by rates that somebody set; what was said is kept beside. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from ...patterns import Pattern
from ..recognise.money import find_amounts
from ..text.fold import normalise
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


def rate_told(text: str, amount: Decimal) -> Decimal | None:
    """Rate in an answer to what a foreign sum of this amount was in yuan: by the yuan (145块), or by the rate
    itself (汇率0.048, 按7.1算); None for any other line."""
    line = normalise(text).strip(" 。.!~")
    sums = [each for each in find_amounts(line) if each.yuan > 0]
    if len(sums) != 1 or sums[0].currency != "CNY" or sums[0].approximate:
        return None
    before, behind = line[: sums[0].start], line[sums[0].end :]
    if _RATE_BEFORE.fullmatch(before) is not None and _RATE_BEHIND.fullmatch(behind) is not None:
        return sums[0].yuan
    if _YUAN_BEFORE.fullmatch(before) is None or _YUAN_BEHIND.fullmatch(behind) is None:
        return None
    return _rate_of(sums[0].yuan, amount)


def _rate_of(yuan: Decimal, amount: Decimal) -> Decimal:
    """The shortest rate by which an amount comes to these yuan, to the fen."""
    exact = yuan / amount
    for digits in range(2, 14):
        rate = round(exact, digits)
        if rate and (amount * rate).quantize(_FEN) == yuan.quantize(_FEN):
            return rate
    return exact


_FEN: Final = Decimal("0.01")
_RATE_BEFORE: Final = Pattern("(?:汇率|按照|按|今天|现在|当时|算|是|的|大概|一比|1比|1:|,| )++")
_RATE_BEHIND: Final = Pattern("(?:的?汇率)?(?:算|折算|来算|吧|的|就行|哈|啊|,| )*+")
_YUAN_BEFORE: Final = Pattern(
    "(?:人民币|折合|合|折|换?算下来|换算|换|一共|总共|花|刷卡|扣|就|是|约?等于|成|了|出来|大概|差不多|,| )*+"
)
_YUAN_BEHIND: Final = Pattern("(?:块|元|人民币|钱|左右|吧|哈|啊|呀|的样子|,| )*+")
