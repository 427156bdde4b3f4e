"""Whether a sum that somebody else read of a line was said there, or follows from two numbers in it. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ...patterns import Pattern
from ..recognise.money import find_amounts
from ..recognise.numerals import NUMERAL, parse_decimal
from ..text.fold import normalise

_NUMBER: Final = Pattern(rf"[0-9]+(?:\.[0-9]+)?|{NUMERAL}")
_MOST: Final = 30
"""Numbers of a line that are looked at."""


def is_said(fen: int, text: str) -> bool:
    """Whether a line says a sum: as it stands, or as what two of its numbers come to where one is counted by
    the other or taken off it (三杯 15一杯, 100减20, 300三个人). What several sums come to was not said."""
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
