"""Sums of other currencies as yuan, by rates that somebody set; what was said is kept beside. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

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
