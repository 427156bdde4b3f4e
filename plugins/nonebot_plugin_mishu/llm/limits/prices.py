"""Prices of model calls (MISHU__LLM__PRICES): yuan per million tokens in, cached, and out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from ...storage.records import ModelUsage

Price: TypeAlias = tuple[Decimal, Decimal, Decimal]
"""Of a million tokens: in, cached, out."""
_MILLION: Final = 1_000_000
_LEAST: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Cost:
    """Total cost of several calls."""

    yuan: Decimal
    unpriced: tuple[str, ...] = ()
    """Models that used tokens and have no price; their calls are not in `yuan`."""

    @property
    def words(self) -> str:
        """For people: 约 0.12 元."""
        said = "不到 0.01 元" if 0 < self.yuan < _LEAST else f"约 {self.yuan:.2f} 元"
        return f"{said}（不含没写价格的 {'、'.join(self.unpriced)}）" if self.unpriced else said


def used(rows: Sequence[ModelUsage], limit: int, prices: Mapping[str, Price]) -> str:
    """For people: 3 次，用量 1200（上限 5000），约 0.12 元.

    `limit` is in tokens, 0 for none; yuan only where there are prices.
    """
    tokens = sum(row.prompt_tokens + row.completion_tokens for row in rows)
    limited = f"（上限 {limit}）" if limit else ""
    spent = f"，{cost(rows, prices).words}" if prices else ""
    return f"{sum(row.calls for row in rows)} 次，用量 {tokens}{limited}{spent}"


def cost_of(row: ModelUsage, prices: Mapping[str, Price]) -> Decimal | None:
    """Yuan, exact; None where the model has no price. Names of models are compared in lower case."""
    price = prices.get(row.model.lower())
    if price is None:
        return None
    fresh, cached, out = price
    read = row.prompt_tokens - row.cached_tokens
    return (read * fresh + row.cached_tokens * cached + row.completion_tokens * out) / _MILLION


def cost(rows: Iterable[ModelUsage], prices: Mapping[str, Price]) -> Cost:
    """All of them together."""
    total, unpriced = Decimal(0), dict[str, None]()
    for row in rows:
        yuan = cost_of(row, prices)
        if yuan is not None:
            total += yuan
        elif row.prompt_tokens or row.completion_tokens:
            unpriced[row.model] = None
    return Cost(total, tuple(unpriced))
