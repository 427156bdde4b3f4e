"""Check of an amount against a line: written there, or computed from two of its numbers. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ...patterns import Pattern
from ..recognise.money import find_amounts
from ..recognise.numerals import NUMERAL, parse_decimal
from ..text.fold import normalise

_NUMBER: Final = Pattern(rf"[0-9]+(?:\.[0-9]+)?|{NUMERAL}")
_MOST: Final = 30
"""Most numbers of a line used."""


def is_said(fen: int, text: str) -> bool:
    """True if a line has an amount: written, or a product or difference of two numbers (三杯 15一杯, 100减20,
    300三个人). Sums of several amounts do not count."""
    line = normalise(text)
    numbers = [each.fen for each in find_amounts(line)]
    found = [parse_decimal(each[0]) for each in _NUMBER.finditer(line)]
    numbers += [int(each * 100) for each in found if each is not None and each == each.quantize(_CENT)]
    known = [each for each in dict.fromkeys(numbers) if each][:_MOST]
    if fen in known:
        return True
    return any(
        one * other == fen * 100 or one - other == fen or one * 100 == fen * other
        for one in known
        for other in known
        if one != other
    )


_CENT: Final = Decimal("0.01")
